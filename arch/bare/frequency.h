/*
 * How fast the time-stamp counter runs: measured at boot, or stated by the processor.
 */
#ifndef ARCH_BARE_FREQUENCY_H
#define ARCH_BARE_FREQUENCY_H

#include <stdbool.h>
#include <stdint.h>

struct frequency {
	uint64_t hertz;
	const char *found; /* how: "HPET", "as the processor says"; "assumed" if nothing could tell */
	bool is_invariant; /* the processor says that the rate never changes */
};

/* Takes some 30 ms; a few seconds on a machine whose only counter counts seconds. */
struct frequency frequency_find(void);

#endif
