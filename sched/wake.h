/*
 * Waking idle processors. A processor that has published a task, sequentially consistent, calls one of these
 * functions after that; idle.h says why no task is forgotten then. Or it calls one after plain stores, and once more
 * later (ready_look_again()).
 */
#ifndef SCHED_WAKE_H
#define SCHED_WAKE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/processor.h"
#include "sched/idle.h"

void wake_start(void);

/* Wake one idle processor, the next in turn; false: none is idle. */
bool wake_next(void);

/* The same, unless `enough` processors are on their way. Returns whether any is now. */
bool wake_unless_arriving(int32_t enough);

/* How many on their way are enough for a task that has become ready. */
int32_t wake_enough(void);

/* Wake this one if it is idle; false: it is not. */
bool wake_home(struct processor *home);

/* Wake an idle processor to accept submitted work. Any thread, processor or not. */
void wake_for_injection(void);

/* A processor without work looks for some until wake_linger_end(), and then once more. Another that has published a
 * task and sees it do so need wake no other. False: enough others do. */
bool wake_linger_begin(void);
void wake_linger_end(void);
bool wake_is_lingering(void);

/* Counts of the processors without work that are not idle (wake.c), in one word on a line of its own: others look at it
 * at each task. The lower half counts those that linger, the upper one those that arrive. */
struct wake_counts {
	_Atomic uint64_t word;
} __attribute__((aligned(CACHE_LINE)));

extern struct wake_counts wake_counts;

/* Whether any processor has nothing to do: it lingers, is idle, or was woken and is on its way, since another may have
 * taken by then what it was woken for. These are plain loads, so a processor that comes to rest just then may be
 * missed. That processor calls arch_remote_barrier() when it is announced, and after that sees what was put before. The
 * order matters to the compiler, too: what the caller has put comes before the loads. */
static inline bool wake_is_resting(void)
{
	atomic_signal_fence(memory_order_seq_cst);
	if (processor_count == 1)
		return false;
	/* In this order: a lingering processor is announced before it stops lingering. acquire: the same. */
	bool rests = atomic_load_explicit(&wake_counts.word, memory_order_acquire) || idle_any(processor_count);
	return __builtin_expect(rests, 0);
}

/* Called by a processor that was claimed and woken, when it is up again, before it searches. */
void wake_arrived(void);

#endif
