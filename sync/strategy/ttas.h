/*
 * A word that is taken and given: the TTAS lock, and the outer level of the TTAS-MCS lock.
 *
 *     FREE --ttas_take--> TAKEN --ttas_give--> FREE
 *
 * | operation | together with | progress  | takes effect    |
 * |-----------|---------------|-----------|-----------------|
 * | ttas_take | everything    | wait-free | at its exchange |
 * | ttas_give | ttas_take     | wait-free | at its store    |
 */
#ifndef SYNC_STRATEGY_TTAS_H
#define SYNC_STRATEGY_TTAS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { TTAS_FREE, TTAS_TAKEN };

static inline bool ttas_take(_Atomic(uint32_t) *word)
{
	if (atomic_load_explicit(word, memory_order_relaxed) != TTAS_FREE)
		return false;
	/* FREE -> TAKEN; acquire: what the holders before did, pairs with ttas_give. */
	return atomic_exchange_explicit(word, TTAS_TAKEN, memory_order_acquire) == TTAS_FREE;
}

static inline void ttas_give(_Atomic(uint32_t) *word)
{
	/* TAKEN -> FREE; release: what the holder did, pairs with ttas_take. */
	atomic_store_explicit(word, TTAS_FREE, memory_order_release);
}

#endif
