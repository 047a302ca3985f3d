/*
 * A word in which a task waits for a single answer of another one: it looks at the word for a while, and then
 * suspends, so that its processor goes on with other tasks.
 *
 *     UNANSWERED --answer_give--> an answer
 *     UNANSWERED --finalizer of answer_await--> the task --answer_give: it is made ready--> an answer
 */
#ifndef SYNC_BASELINE_ANSWER_H
#define SYNC_BASELINE_ANSWER_H

#include "sync/baseline/hand_over.h"

#define ANSWER_SPINS   50 /* looks at a word before the task waits in another way; 20 to 200 were tried */
#define ANSWER_LARGEST 15

enum { UNANSWERED };

struct answer {
	HEDDLE_ATOMIC(uintptr_t) word; /* UNANSWERED, up to ANSWER_LARGEST, or the task that is suspended */
};

static inline void answer_finalize(struct task *left, void *argument)
{
	struct answer *answer = argument;
	uintptr_t expected = UNANSWERED;
	/* UNANSWERED -> the task; release: it has left its stack, pairs with answer_give. */
	if (!atomic_compare_exchange_strong_explicit(&answer->word, &expected, (uintptr_t)left,
	                                             memory_order_release, memory_order_relaxed))
		hand_over_at_once(left);
}

/* Returns the answer. */
static inline uintptr_t answer_await(struct answer *answer, const char *kind)
{
	for (unsigned i = 0; i < ANSWER_SPINS; i++) {
		/* acquire: what was done before the answer, from answer_give; here and below. */
		uintptr_t word = atomic_load_explicit(&answer->word, memory_order_acquire);
		if (word != UNANSWERED)
			return word;
		arch_pause();
	}
	hand_over_await(kind, answer, answer_finalize);
	return atomic_load_explicit(&answer->word, memory_order_acquire);
}

/* This does not touch the word afterwards. */
static inline void answer_give(struct answer *answer, uintptr_t value)
{
	/* UNANSWERED, the task -> the answer; release: pairs with answer_await; acquire: with the finalizer. */
	uintptr_t word = atomic_exchange_explicit(&answer->word, value, memory_order_acq_rel);
	if (word > ANSWER_LARGEST)
		ready_publish((struct task *)word);
}

#endif
