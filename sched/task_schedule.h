/*
 * What the scheduler keeps with each task to treat it by: a part of struct task (task.h). Only the running task changes
 * it, or the finalizer that publishes that.
 */
#ifndef SCHED_TASK_SCHEDULE_H
#define SCHED_TASK_SCHEDULE_H

#include <stdint.h>

#include "heddle/task.h"

/* A priority as the scheduler has it, its level: from 0, the lowest, to HEDDLE_PRIORITIES - 1. */
#define LEVEL_LOWEST 0u
static inline unsigned priority_level(enum heddle_priority priority)
{
	return (unsigned)(priority - HEDDLE_PRIORITY_IDLE);
}

/* What makes one task another to the scheduler than the next: read as one word, so that one comparison tells whether it
 * may go the plain way (plain.h). */
union task_ties {
	struct {
		int16_t bound; /* processor, or HEDDLE_TASK_ANY_PROCESSOR */
		uint8_t keeps; /* ARCH_KEEPS_... (control.h) */
		uint8_t priority;
		uint8_t extended; /* its quantum was spent in a critical section, and it stayed */
		uint8_t none[3];
	};
	uint64_t word;
};

/* How the scheduler treats the task. */
struct task_schedule {
	int32_t slice; /* what the counter gets at each switch (quantum.h), */
	uint32_t rest; /* and what comes when that is spent */
	union {
		struct {
			int16_t bound; /* as in `ties` */
			uint8_t keeps;
			uint8_t priority; /* its level */
			uint8_t extended;
		};
		union task_ties ties;
	};
};

#endif
