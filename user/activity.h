/*
 * What the machine did while a program ran, without which its figures cannot be judged: the real frequency of the
 * processors, and whether firmware or heat took time away. If no processor can tell, as in an emulator, this does
 * nothing.
 */
#ifndef USER_ACTIVITY_H
#define USER_ACTIVITY_H

#include "arch/arch.h"
#include "heddle/attributes.h"
#include "user/text.h"

struct activity_summary {
	unsigned known;                 /* ARCH_ACTIVITY_... */
	uint64_t mhz;                   /* the mean of all processors, weighted by how long each ran */
	uint64_t mhz_low, mhz_high;     /* of the single processors that ran for a relevant share of the time */
	uint64_t management_interrupts; /* of the processor with most: usually all get them */
	unsigned throttled;             /* number of processors */
};

/* Summarize two readings of each processor, `nanoseconds` apart. */
struct activity_summary activity_summarize(unsigned known, const struct arch_activity *before,
                                           const struct arch_activity *after, unsigned count,
                                           uint64_t nanoseconds);

/* Start watching all processors; if several programs run at once, it starts anew for all of them. */
HEDDLE_MAY_SWITCH void activity_begin(void);

/* What happened since then; and start anew. */
HEDDLE_MAY_SWITCH struct activity_summary activity_end(void);

/* Add the fields of a result line. */
void activity_add(struct text *line, const struct activity_summary *summary);

/* Warn if the figures mean little. */
void activity_warn(const struct activity_summary *summary);

#endif
