/*
 * The scheduler's state of one processor, and the loop that each processor lives in.
 *
 * Only its own processor touches a struct scheduler, except for the fields that say otherwise. Code here runs to its
 * end without a switch. After switch_to() the processor may be another one, so call scheduler_current() again.
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
	_Atomic uint64_t switches; /* to another task or the idle task, except plain yields since the last pick */
	_Atomic uint64_t implicit; /* switches because a quantum was spent */
	_Atomic uint64_t inside;   /* of these, switches in a critical section */
	_Atomic uint64_t extended; /* quanta that were spent in a critical section, and extended */
	_Atomic uint64_t checks;   /* times a quantum, or a slice of it, was spent */
	_Atomic uint64_t taken;    /* tasks taken from other processors' queues */
	_Atomic uint64_t wakes;    /* wake-ups sent */
	_Atomic uint64_t idle;     /* nanoseconds halted */
	_Atomic uint64_t idles;    /* times halted */
	_Atomic uint64_t interrupts; /* of its tasks, in code without checks (ready.h) */
};

/* Exchanges in a row: `count` since the last look at what is ready, `done` before that (sync/exchange.h). */
struct chain {
	uint32_t count, done;
	uint32_t more; /* after so many, others wait for the lock that was handed over */
};

/* Tasks that were taken from another processor (brisk.h); owner NULL: none, or they are judged. */
struct haul {
	struct scheduler *owner;
	uint64_t taken_at, switches; /* the processor's then, less one for each of them */
};

/*
 * Laid out by writer: what the processor writes at each switch, what it writes now and then for others to read, and
 * what others write each begin a pair of cache lines. So no look by one processor slows the switches of another.
 */
struct scheduler {
	/* Written and read by its processor only. */
	struct task *current;
	struct task *owed;      /* the task that is owed (owed.h), */
	int32_t owed_rest;      /* what the counter of `current` gets back if that goes on, */
	const void *owed_giver; /* what `current` has given up, and may take back; */
	const void *owed_lent;  /* or what of that it holds again */
	struct task *idle_task;
	struct processor *processor;
	struct pool_magazine *free_tasks; /* the memory of tasks that it has at hand */
	struct local_queue *plain_queue;  /* plain yields (plain.h) take from here, */
	bool plain_looks;                 /* and others must see what is put there */
	_Atomic uint32_t plain_left;      /* so many plain picks may follow, */
	_Atomic uint32_t plain_granted;   /* of so many that were granted; both read for statistics */
	uint32_t picks;
	struct chain chain;      /* exchanges since the last pick */
	uint32_t unshared;       /* of these, since what they left was last shared (ready_put.c) */
	uint32_t quantum_rest;   /* of the current task's quantum, beyond what the processor's counter holds; */
	uint64_t quantum_switch; /* valid only while this is the number of switches */
	uint64_t extended_turn;  /* the number of switches when a quantum was last extended */
	bool extended_again;     /* may be extended once more in that turn (quantum_extend_again()) */
	bool switch_due;         /* a quantum was spent while the current task was uncooperative */
	bool ran_next;           /* the task in run_next went before its equals the last time */
	bool watches;            /* it is idle, and watches the deadlines of the others */
	bool relies;             /* on others to find, or on a hand-over to share (ready_put.c) */
	bool lingers;            /* it takes another's only task when it has seen that twice: */
	bool seen_own;           /* the last search found unshared tasks elsewhere */
	const void *seen;        /* where it saw the last one, */
	uint64_t seen_state;     /* and how that place looked; */
	uint32_t sights;         /* how many it has seen while it lingers */
	uint32_t bound_turns;    /* bit p: at priority p bound tasks came first the last time */
	uint32_t victims;        /* entries of `nearest` */
	uint16_t *nearest;       /* other processors, nearest first */
	struct haul haul;        /* what it took from another last */
	uint64_t brisk_looked;   /* when it last looked whether it is still brisk, */
	uint64_t brisk_switches; /* and its switches then */
	uint64_t give_at;        /* while it is brisk: when it gives a long-lived task away (the same), */
	uint64_t give_after;     /* and how long after the one before */
	uint32_t give_picks;     /* in how many picks it may find one still */
	struct task *nested;  /* only for the baselines (nest.h): the last one first, linked by wait_cold.next */
	struct timer *timers; /* a heap, earliest on top (timer.h) */
	struct scheduler_counters counters; /* read for statistics */

	/* Written by its processor when something changes, read by any. */
	_Alignas(CACHE_LINE_PAIR) _Atomic uint32_t levels; /* where some may wait (levels.h) */
	_Atomic uint8_t running;                           /* the current task's priority, or RUNNING_NOTHING */
	_Atomic uint32_t load;        /* sched=local: tasks that waited here at the last look (balance.h) */
	_Atomic uint64_t watched;     /* its earliest deadline, while a task runs (timer_watch.h) */
	_Atomic uint64_t brisk_until; /* until when it keeps its tasks to itself (brisk.h); 0: it does not */
	_Atomic uint64_t short_until; /* until when its tasks are known to be short (the same); written by any */
	_Atomic uint64_t short_for;   /* how long that was in all */

	/* Written by any. */
	_Alignas(CACHE_LINE_PAIR) _Atomic uint64_t plain; /* the ties of tasks that go the plain way (plain.h) */
	atomic_bool asked;                                /* for an early switch (quantum.h) */
	_Atomic uint64_t wanted;    /* since when others ask for unshared tasks; 0: they do not */
	_Atomic uintptr_t run_next; /* a task that goes before its equals here (run_next.h) */
	_Atomic uint32_t invited; /* by the processor with this index + 1, to fetch tasks (balance.h); 0: none */
	_Atomic uintptr_t offer;  /* tasks that others may fetch from here (balance.h) */
	_Atomic(struct timer *) stopped_timers; /* timers that tasks stopped elsewhere */

	/* Tasks bound to this processor that others have put (ready_bound.h). */
	_Atomic uint32_t bound_remote_count; /* never below the number of tasks in them */
	_Alignas(CACHE_LINE_PAIR) struct queue bound_remote[HEDDLE_PRIORITIES];

	/* Tasks bound to this processor that it has put or seen: nothing of them is shared. */
	struct local_queue bound[HEDDLE_PRIORITIES];

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

/* A load in the kernel; task.c has the function for all others. */
#define task_current() (scheduler_current()->current)

/* How many exchanges led to the current task; 0: it was picked. */
static inline uint32_t chain_length(const struct scheduler *scheduler)
{
	return scheduler->chain.done + scheduler->chain.count;
}

/* Whether the chain is so long that it is time for a look. */
static inline bool chain_is_long(const struct scheduler *scheduler)
{
	return scheduler->chain.count >= command_line.chain;
}

/* A lock is about to be handed over. `more`: others wait for it as well, so its next unlock is an exchange again. */
static inline void chain_expect(struct scheduler *scheduler, bool more)
{
	if (more)
		scheduler->chain.more = scheduler->chain.count + 1;
}

/* The same for a lock that was handed over, by the exchange that was counted last. */
static inline void chain_more(struct scheduler *scheduler, bool more)
{
	if (more)
		scheduler->chain.more = scheduler->chain.count;
}

/* Whether more were expected at the last exchange. */
static inline bool chain_has_more(const struct scheduler *scheduler)
{
	return scheduler->chain.count > 0 && scheduler->chain.more == scheduler->chain.count;
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

/* GLOBAL, also for a ready queue of one's own; or LOCAL. */
extern enum scheduler_policy scheduler_policy;

/* Make the schedulers of all processors and their queues. Boot processor, after arch_processors_start(). */
void scheduler_start(void);

/* What each processor does once it is released: run tasks, be idle. Returns when scheduler_stop() was called and
 * nothing is ready on any processor. */
void scheduler_run(struct processor *processor);

/* End scheduler_run() on every processor as soon as no task runs or is ready on any (quiet.h). Tasks that wait, even
 * for a deadline, are left. Any thread or task may call it. */
void scheduler_stop(void);

/* Make each halted processor look again. Any thread. */
void scheduler_wake_all(void);

extern atomic_bool scheduler_stopping;

#endif
