/*
 * Hazard pointers, owned by processors: kernel code never switches in the middle of a queue operation, so at most one
 * operation is in progress on a processor, and two slots each are enough (scheduler paper, section 4.2).
 *
 * A slot keeps its last value after the operation. That saves the stores that would clear it, and it delays the reuse
 * of at most two nodes a processor, which the pools allow for. It also rules out clearing too early (Figure 6, line
 * 18).
 *
 * | operation      | progress  | takes effect                        |
 * |----------------|-----------|-------------------------------------|
 * | hazard_publish | wait-free | at the exchange of `second`         |
 * | hazard_collect | wait-free | slot by slot, at its load           |
 */
#ifndef SCHED_HAZARD_H
#define SCHED_HAZARD_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "kernel/processor.h"

#define HAZARDS_A_PROCESSOR 2

struct queue_node;

struct hazard_slots {
	_Atomic(struct queue_node *) first, second;
} __attribute__((aligned(CACHE_LINE)));

extern struct hazard_slots hazard_slots[PROCESSORS_MAXIMUM];

/*
 * Announce that this processor is about to use the nodes. Afterwards the caller must re-read the shared word from
 * which it had them. The exchange is the store-load fence between the two that the paper's figures lack: either the
 * re-read shows that the node was taken away, or the processor that took it away sees the slots.
 */
static inline void hazard_publish(struct hazard_slots *slots, struct queue_node *first,
                                  struct queue_node *second)
{
	atomic_store_explicit(&slots->first, first, memory_order_relaxed);
	/* seq_cst: ordered before the caller's re-read; its release half publishes `first`, and pairs with the
	 * load of `second` in hazard_collect. */
	atomic_exchange_explicit(&slots->second, second, memory_order_seq_cst);
}

/* The nodes that other processors may be using, as a hash set: a processor tests all its retired nodes against it. */
struct hazard_set {
	struct queue_node **table;
	size_t mask;
};

/* Bytes of memory for the table of a set, for `count` processors. */
size_t hazard_set_bytes(unsigned count);
void hazard_set_create(struct hazard_set *set, void *memory, unsigned count);

/* Fill the set from the slots of all processors but the caller's own, which has no operation in progress. The set is
 * conclusive only for nodes that were taken out of their queue before the call. */
void hazard_collect(struct hazard_set *set, unsigned own_index);

bool hazard_contains(const struct hazard_set *set, const struct queue_node *node);

#endif
