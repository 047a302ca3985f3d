/*
 * How the scheduler treats a task: a part of struct task (task.h). Only the running task changes it, or the finalizer
 * that publishes the task.
 */
#ifndef SCHED_TASK_SCHEDULE_H
#define SCHED_TASK_SCHEDULE_H

#include <limits.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/task.h"

/* The scheduler counts priorities as levels, from 0, the lowest, to HEDDLE_PRIORITIES - 1. */
#define LEVEL_LOWEST 0u
static inline unsigned priority_level(enum heddle_priority priority)
{
	return (unsigned)(priority - HEDDLE_PRIORITY_IDLE);
}

/* What distinguishes one task from another when it yields. Read as one word: a single comparison tells whether the
 * task may go the plain way (plain.h). */
union task_ties {
	struct {
		int16_t bound; /* processor, or HEDDLE_TASK_ANY_PROCESSOR */
		uint8_t keeps; /* ARCH_KEEPS_... (control.h) */
		uint8_t priority;
		uint8_t extended; /* its quantum ended in a critical section and was extended */
		uint8_t none[3];
	};
	uint64_t word;
};

/* The ties of a task that keeps nothing. Shifted, since a processor waits where a word is read that was just written
 * in parts. */
static inline uint64_t task_ties_word(int16_t bound, unsigned level)
{
	return (uint16_t)bound | (uint64_t)level << CHAR_BIT * offsetof(union task_ties, priority);
}
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && offsetof(union task_ties, bound) == 0,
               "task_ties_word() knows where the fields are");

/* How the scheduler treats the task. */
struct task_schedule {
	int32_t slice; /* the part of its quantum that the counter gets at each switch (quantum.h), */
	uint32_t rest; /* and the rest */
	union {
		struct {
			int16_t bound; /* see union task_ties */
			uint8_t keeps;
			uint8_t priority; /* its level */
			uint8_t extended;
		};
		union task_ties ties;
	};
};

#endif
