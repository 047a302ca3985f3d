/*
 * Read-modify-writes of words that only processors touch, by code that is never interrupted: the kernel's. If the
 * machine has one processor, a load and a store do. Else they are the atomic operations of their names. Such an
 * operation takes some 5 ns, even if the word is in the cache: it waits until all stores before it are done.
 *
 * Not for words that threads outside the machine touch (sched/injection.h), nor in code that has checks.
 *
 * | operation             | progress  | takes effect                         |
 * |-----------------------|-----------|--------------------------------------|
 * | word_exchange         | wait-free | at its exchange, or its store        |
 * | word_compare_exchange | wait-free | at its compare-and-exchange, or store|
 * | word_change           | wait-free | the same                             |
 * | word_add              | wait-free | at its addition, or its store        |
 */
#ifndef KERNEL_ALONE_H
#define KERNEL_ALONE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/processor.h"

/* Does not change while tasks run. */
static inline bool processor_is_alone(void)
{
#if defined(__SANITIZE_THREAD__) && !defined(HEDDLE_EXPLORED) /* it sees an order only in atomic operations */
	return false;
#else
	return processor_count == 1;
#endif
}

__attribute__((always_inline)) static inline uint64_t word_exchange(_Atomic uint64_t *word, uint64_t changed,
                                                                    memory_order order)
{
	if (!processor_is_alone())
		return atomic_exchange_explicit(word, changed, order);
	uint64_t before = atomic_load_explicit(word, memory_order_relaxed);
	atomic_store_explicit(word, changed, memory_order_relaxed);
	return before;
}

__attribute__((always_inline)) static inline void word_add(_Atomic uint64_t *word, uint64_t amount,
                                                           memory_order order)
{
	if (!processor_is_alone())
		atomic_fetch_add_explicit(word, amount, order);
	else
		atomic_store_explicit(word, atomic_load_explicit(word, memory_order_relaxed) + amount,
		                      memory_order_relaxed);
}

/* False: the word was not *expected; then that is what it was. */
__attribute__((always_inline)) static inline bool word_compare_exchange(_Atomic uint64_t *word,
                                                                        uint64_t *expected, uint64_t changed,
                                                                        memory_order success,
                                                                        memory_order failure)
{
	/* Expected, because a jump to the atomic operation costs nothing beside it. */
	if (__builtin_expect(!processor_is_alone(), 0))
		return atomic_compare_exchange_strong_explicit(word, expected, changed, success, failure);
	uint64_t before = atomic_load_explicit(word, memory_order_relaxed);
	if (__builtin_expect(before != *expected, 0)) {
		*expected = before;
		return false;
	}
	atomic_store_explicit(word, changed, memory_order_relaxed);
	return true;
}

/* word_compare_exchange() for a caller that has just loaded `before` from the word: only another processor can have
 * changed it since. */
__attribute__((always_inline)) static inline bool word_change(_Atomic uint64_t *word, uint64_t before,
                                                              uint64_t changed, memory_order success)
{
	/* Expected as above. */
	if (__builtin_expect(processor_is_alone(), 1))
		atomic_store_explicit(word, changed, memory_order_relaxed);
	else if (!atomic_compare_exchange_strong_explicit(word, &before, changed, success, memory_order_relaxed))
		return false;
	return true;
}

#endif
