/*
 * How fast the time-stamp counter runs: measured at boot, or as the processor says.
 */
#ifndef ARCH_BARE_FREQUENCY_H
#define ARCH_BARE_FREQUENCY_H

#include <stdbool.h>
#include <stdint.h>

struct frequency {
	uint64_t hertz;
	const char *found; /* by what: "HPET", "as the processor says"; "assumed" where nothing could tell */
	bool is_invariant; /* it says that it runs at this rate at all times */
};

/* Takes some 30 ms; a few seconds on a machine that has no counter faster than one of seconds. */
struct frequency frequency_find(void);

#endif
