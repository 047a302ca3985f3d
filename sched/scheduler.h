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
#include <stddef.h>
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
	_Atomic uint64_t implicit;   /* of these, where a quantum was spent */
	_Atomic uint64_t inside;     /* of these, in a critical section */
	_Atomic uint64_t extended;   /* quanta that were spent in one, and extended */
	_Atomic uint64_t checks;     /* times a quantum, or a slice of it, was spent */
	_Atomic uint64_t taken;      /* tasks taken from other processors' queues */
	_Atomic uint64_t wakes;      /* wake-ups sent */
	_Atomic uint64_t idle;       /* nanoseconds halted */
	_Atomic uint64_t idles;      /* times halted */
	_Atomic uint64_t interrupts; /* of its tasks, in code without checks (ready.h) */
};

/* Exchanges in a row: `count` since the last look at who waits, `done` before that (sync/exchange.h). */
struct chain {
	uint32_t count, done;
};

/*
 * Laid out by who writes: what the processor writes at each switch, what it writes now and then for others to read,
 * and what others write each begin a pair of lines, so that no look by one processor slows the switches of another.
 */
struct scheduler {
	/* Written and read by its processor only. */
	struct task *current;
	struct task *owed;      /* has what it waited for, and waits until `current` leaves (owed.h), */
	int32_t owed_rest;      /* what `current` gets back on its counter if it goes on, */
	const void *owed_giver; /* and what it has given up */
	struct task *idle_task;
	struct processor *processor;
	struct local_queue *plain_queue; /* plain yields (plain.h) take from here, */
	bool plain_looks; /* and what is put there is to be seen by other processors (quantum_is_alone()) */
	_Atomic uint32_t plain_left;    /* so many more, */
	_Atomic uint32_t plain_granted; /* of so many; both read for statistics */
	uint32_t picks;
	struct chain chain;      /* exchanges since the last pick */
	uint32_t quantum_rest;   /* of the current task's quantum, beyond what the processor's counter holds; */
	uint64_t quantum_switch; /* but only while this is the number of switches */
	uint64_t extended_turn;  /* the number of switches at which a quantum was extended the last time */
	bool switch_due;         /* a quantum was spent while the current task was uncooperative */
	bool ran_next;           /* of equals, the one in run_next went first the last time */
	bool watches;            /* it has nothing to do, and watches the deadlines of the others */
	bool lingers;            /* leaves others' only tasks alone until it has seen them twice: */
	bool seen_own;           /* the last search found tasks elsewhere that are not shared */
	const void *seen;        /* the place of the last one that it left alone, */
	uint64_t seen_state;     /* as it was */
	uint32_t bound_turns;    /* bit p: at priority p bound tasks came first the last time */
	uint32_t victims;        /* entries of `nearest` */
	uint16_t *nearest;       /* other processors, nearest first */
	struct task *nested;  /* only for the baselines (nest.h): the last one first, linked by wait_cold.next */
	struct timer *timers; /* a heap, earliest on top (timer.h) */
	struct scheduler_counters counters; /* read for statistics */

	/* Written by its processor when something changes, read by any. */
	_Alignas(CACHE_LINE_PAIR) _Atomic uint32_t levels; /* sched=local: bit p: some may wait at priority p */
	_Atomic uint8_t running;                           /* the current task's priority, or RUNNING_NOTHING */
	_Atomic uint32_t load;    /* sched=local: how much waited here at its last look (balance.h) */
	_Atomic uint64_t watched; /* its earliest deadline, while a task runs (timer_watch.h) */

	/* Written by any. */
	_Alignas(CACHE_LINE_PAIR) _Atomic uint64_t plain; /* the ties of tasks that go plainly (plain.h) */
	atomic_bool asked;                                /* for an early switch (quantum.h) */
	_Atomic uint64_t wanted;    /* since when what is not shared is asked for; 0: it is not */
	_Atomic uintptr_t run_next; /* a task that goes before its equals here (run_next.h) */
	_Atomic uint32_t invited;   /* to fetch from this processor, its index + 1 (balance.h); 0: none */
	_Atomic uintptr_t offer;    /* tasks that others may fetch from here (balance.h) */
	_Atomic(struct timer *) stopped_timers; /* what tasks elsewhere took out of `timers` */

	/* Tasks bound to this processor: anybody enqueues, the owner dequeues. */
	_Atomic uint32_t bound_count; /* never below the number of tasks in them */
	_Alignas(CACHE_LINE_PAIR) struct queue bound[HEDDLE_PRIORITIES];

	/* sched=local: tasks that may run anywhere. */
	struct local_queue local[HEDDLE_PRIORITIES];
};

_Static_assert(offsetof(struct scheduler, levels) % CACHE_LINE_PAIR == 0 &&
                   offsetof(struct scheduler, plain) % CACHE_LINE_PAIR == 0,
               "others' words are on lines of their own");

static inline struct scheduler *scheduler_current(void)
{
	return arch_scheduler();
}

/* In the kernel it is a load; task.c has the function for all others. */
#define task_current() (scheduler_current()->current)

/* How many exchanges there were; 0: the current task was picked. */
static inline uint32_t chain_length(const struct scheduler *scheduler)
{
	return scheduler->chain.done + scheduler->chain.count;
}

/* Whether so many follow each other that it is time for a look. */
static inline bool chain_is_long(const struct scheduler *scheduler)
{
	return scheduler->chain.count >= command_line.chain;
}

static inline void counter_add(_Atomic uint64_t *counter, uint64_t amount)
{
	arch_counter_add(counter, amount);
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
