/*
 * What the machine did while a program ran, which its figures must be read with: how fast the processors really were,
 * whether the firmware or heat took time away. Where no processor can tell, as in an emulator, all this does nothing.
 */
#ifndef USER_ACTIVITY_H
#define USER_ACTIVITY_H

#include "arch/arch.h"
#include "heddle/attributes.h"
#include "user/text.h"

struct activity_summary {
	unsigned known;                 /* ARCH_ACTIVITY_... */
	uint64_t mhz;                   /* of all processors together, weighted by how long each ran */
	uint64_t mhz_low, mhz_high;     /* of single ones that ran for a part of the time that matters */
	uint64_t management_interrupts; /* of the processor that had most: they mostly come to all */
	unsigned throttled;             /* processors */
};

/* From two readings of each processor, `nanoseconds` apart. */
struct activity_summary activity_summarize(unsigned known, const struct arch_activity *before,
                                           const struct arch_activity *after, unsigned count,
                                           uint64_t nanoseconds);

/* Begin to look, on all processors: where several programs run at once, for all of them anew. */
HEDDLE_MAY_SWITCH void activity_begin(void);

/* What happened since then; and begin anew. */
HEDDLE_MAY_SWITCH struct activity_summary activity_end(void);

/* Add the fields of a result line. */
void activity_add(struct text *line, const struct activity_summary *summary);

/* Warn where figures mean little. */
void activity_warn(const struct activity_summary *summary);

#endif
