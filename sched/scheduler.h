/*
 * The scheduler's state of one processor, and the loop that each processor lives in.
 *
 * A struct scheduler is touched by its own processor only, but for the fields that say otherwise. Code here
 * runs to its end without a switch; after switch_to() the processor may be another one, so
 * scheduler_current() is asked again.
 */
#ifndef SCHED_SCHEDULER_H
#define SCHED_SCHEDULER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "kernel/command_line.h"
#include "kernel/processor.h"
#include "sched/local_queue.h"
#include "sched/queue.h"
#include "sched/task.h"

/* Written by its processor only, read by any: relaxed. */
struct scheduler_counters {
	_Atomic uint64_t
	    switches; /* to another task or the idle task, but for plain yields since the last pick */
	_Atomic uint64_t implicit; /* of these, where a quantum was spent */
	_Atomic uint64_t inside;   /* of these, in a critical section */
	_Atomic uint64_t extended; /* quanta that were spent in one, and extended */
	_Atomic uint64_t checks;   /* times a quantum, or a slice of it, was spent */
	_Atomic uint64_t taken;    /* tasks taken from other processors' queues */
	_Atomic uint64_t wakes;    /* wake-ups sent */
	_Atomic uint64_t idle;     /* nanoseconds halted */
	_Atomic uint64_t idles;    /* times halted */
};

struct scheduler {
	struct task *current;
	struct task *owed;      /* has what it waited for, and waits until `current` leaves (owed.h), */
	int32_t owed_rest;      /* what `current` gets back on its counter if it goes on, */
	const void *owed_giver; /* and what it has given up */
	struct task *idle_task;
	struct processor *processor;
	struct local_queue *plain_queue; /* plain yields (plain.h) take from here, */
	_Atomic uint32_t plain_left;     /* so many more, */
	_Atomic uint32_t plain_granted;  /* of so many, */
	_Atomic uint8_t plain;           /* if they are of this priority; any may set it to PLAIN_NONE */
	uint32_t picks;
	uint32_t victims;        /* entries of `nearest` */
	_Atomic uint32_t levels; /* sched=local: bit p: priority p may be waiting here; set by the owner only */
	uint32_t bound_turns;    /* bit p: at priority p bound tasks came first the last time */
	bool lingers;            /* leaves others' only tasks alone until it has seen them twice: */
	const void *seen;        /* the place of the last one, */
	uint64_t seen_state;     /* as it was */
	bool seen_own;           /* the last search found tasks elsewhere that are not shared */
	struct timer *timers;    /* a heap, earliest on top (timer.h), */
	_Atomic(struct timer *) stopped_timers; /* and what tasks elsewhere took out of it; by any */
	_Atomic uint64_t watched;   /* its earliest deadline, while a task runs (timer_watch.h); read by any */
	bool watches;               /* it has nothing to do, and watches those of the others */
	uint32_t chain;             /* exchanges since the last pick (sync/exchange.h) */
	bool ran_next;              /* of equals, the one in run_next went first the last time */
	_Atomic uintptr_t run_next; /* a task that goes before its equals here (run_next.h); by any */
	struct task *nested;        /* left by ready_nest(), the last one first; linked by wait_next */
	uint32_t quantum_rest;   /* of the current task's quantum, beyond what the processor's counter holds; */
	uint64_t quantum_switch; /* but only while this is the number of switches */
	bool switch_due;         /* a quantum was spent while the current task was uncooperative */
	_Atomic uint8_t running; /* the current task's priority, or RUNNING_NOTHING; read by any */
	atomic_bool asked;       /* for an early switch (quantum.h); by any */
	atomic_bool wanted;      /* somebody without work has seen tasks that are not shared; by any */
	struct scheduler_counters counters;
	uint16_t *nearest; /* other processors, nearest first */

	/* Tasks bound to this processor: anybody enqueues, the owner dequeues. */
	_Atomic uint32_t bound_count; /* never below the number of tasks in them */
	struct queue bound[PRIORITIES];

	/* sched=local: tasks that may run anywhere. */
	struct local_queue local[PRIORITIES];
};

static inline struct scheduler *scheduler_current(void)
{
	return arch_scheduler();
}

static inline void counter_add(_Atomic uint64_t *counter, uint64_t amount)
{
	atomic_store_explicit(counter, atomic_load_explicit(counter, memory_order_relaxed) + amount,
	                      memory_order_relaxed);
}

/* How often the processor has switched; exact for the owner. */
static inline uint64_t scheduler_switches(const struct scheduler *scheduler)
{
	return atomic_load_explicit(&scheduler->counters.switches, memory_order_relaxed) +
	       (uint32_t)(atomic_load_explicit(&scheduler->plain_granted, memory_order_relaxed) -
	                  atomic_load_explicit(&scheduler->plain_left, memory_order_relaxed));
}

extern enum scheduler_policy scheduler_policy;

/* Make the schedulers of all processors and their queues. Boot processor, after arch_processors_start(). */
void scheduler_start(void);

/* What each processor does from its release on: run tasks, be idle. Returns when scheduler_stop() was called and
 * nothing is ready on any processor. */
void scheduler_run(struct processor *processor);

/* End scheduler_run() on every processor, as soon as no task runs or is ready on any (quiet.h). Tasks that wait,
 * for a deadline too, are left. Callable by any thread; by a task as well. */
void scheduler_stop(void);

/* Have each processor that halts look again. Any thread. */
void scheduler_wake_all(void);

extern atomic_bool scheduler_stopping;

#endif
