/*
 * Which processors are idle, and waking one of them: a bit for each processor.
 *
 *     processor: busy --wake_linger_begin--> lingers --finds a task--> busy
 *                busy or lingers --idle_announce--> announced
 *                announced --looks at all queues again, finds nothing--> halted
 *                announced or halted --idle_withdraw--> busy
 *                announced or halted --a waker's idle_claim_*--> claimed --idle_withdraw--> busy
 *
 * No wake-up is lost. The waker publishes its task and then reads the bits; the idle processor sets its bit and then
 * reads the queues; all four are sequentially consistent. So the waker sees the bit, or the idle processor sees the
 * task. A waker claims one bit by a read-modify-write, and wakes only that processor. An idle processor that was
 * claimed, but found work by itself, passes the wake-up on (idle() in scheduler.c). So does one that lingered, since
 * a waker that saw that has woken no other.
 *
 * | operation         | progress  | takes effect                                  |
 * |-------------------|-----------|-----------------------------------------------|
 * | idle_announce     | wait-free | at its fetch-or                               |
 * | idle_withdraw     | wait-free | at its fetch-and                              |
 * | idle_claim_one    | lock-free | at the fetch-and that clears a bit; none: at  |
 * |                   |           | the last load                                 |
 * | idle_claim        | wait-free | at its fetch-and                              |
 */
#ifndef SCHED_IDLE_H
#define SCHED_IDLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/processor.h"

#define IDLE_WORD_BITS 64

/* A line each: processors that rest and wake change them all the time. */
struct idle_word {
	_Atomic uint64_t bits;
} __attribute__((aligned(CACHE_LINE)));

struct idle_set {
	struct idle_word words[PROCESSORS_MAXIMUM / IDLE_WORD_BITS];
};

extern struct idle_set idle_set;

/* Boot processor: no processor is announced, whatever an earlier machine has left in this process. */
void idle_start(void);

static inline uint64_t idle_bit(unsigned index)
{
	return UINT64_C(1) << (index % IDLE_WORD_BITS);
}

static inline void idle_announce(unsigned index)
{
	/* seq_cst: before the caller's look at the queues; pairs with the loads of the claims below. */
	atomic_fetch_or_explicit(&idle_set.words[index / IDLE_WORD_BITS].bits, idle_bit(index),
	                         memory_order_seq_cst);
}

/* Returns whether the bit was still set; false: a waker has claimed it, and has woken us or will. */
static inline bool idle_withdraw(unsigned index)
{
	return atomic_fetch_and_explicit(&idle_set.words[index / IDLE_WORD_BITS].bits, ~idle_bit(index),
	                                 memory_order_seq_cst) &
	       idle_bit(index);
}

/* Claim processor `index` if it is idle. The caller must have published its task before, sequentially
 * consistent. */
static inline bool idle_claim(unsigned index)
{
	if (!(atomic_load_explicit(&idle_set.words[index / IDLE_WORD_BITS].bits, memory_order_seq_cst) &
	      idle_bit(index)))
		return false;
	return idle_withdraw(index);
}

/* The next idle processor at or after `start` in the order of indices, round robin; -1: none is idle. */
int idle_find(unsigned start);

/* Claim it. The caller must have published its task before, sequentially consistent. */
int idle_claim_one(unsigned start);

/* Whether the processor is announced and unclaimed. */
static inline bool idle_is(unsigned index)
{
	return atomic_load_explicit(&idle_set.words[index / IDLE_WORD_BITS].bits, memory_order_relaxed) &
	       idle_bit(index);
}

/* Whether any of `count` is announced and unclaimed. */
static inline bool idle_any(unsigned count)
{
	/* Most machines have one word, and need no loop for it. */
	if (atomic_load_explicit(&idle_set.words[0].bits, memory_order_relaxed))
		return true;
	for (unsigned word = 1; word * IDLE_WORD_BITS < count; word++)
		if (atomic_load_explicit(&idle_set.words[word].bits, memory_order_relaxed))
			return true;
	return false;
}

/* Whether every one of `count` processors is announced and unclaimed. */
bool idle_all(unsigned count);

#endif
