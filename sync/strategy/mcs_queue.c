#include "sync/strategy/mcs_queue.h"

#include "sync/strategy/awake.h"

#define LEFT ((struct mcs_place *)1)

bool mcs_queue_try(struct mcs_queue *queue)
{
	struct mcs_place *expected = NULL;
	/* NULL -> own; acquire: what those before did, pairs with mcs_queue_leave. */
	return atomic_compare_exchange_strong_explicit(&queue->tail, &expected, &queue->first,
	                                               memory_order_acquire, memory_order_relaxed);
}

/* The calling task is the first, and its place is about to go: move what is behind it. */
static void move_to_own(struct mcs_queue *queue, struct mcs_place *place,
                        const struct waiting_strategy *strategy)
{
	struct backoff backoff;
	/* acquire: the place behind, from mcs_queue_enter. */
	struct mcs_place *next = atomic_load_explicit(&place->next, memory_order_acquire);
	if (!next) {
		struct mcs_place *expected = place;
		atomic_store_explicit(&queue->first.next, NULL, memory_order_relaxed);
		/* place -> own; release: own.next, for the one that comes behind. */
		if (atomic_compare_exchange_strong_explicit(&queue->tail, &expected, &queue->first,
		                                            memory_order_release, memory_order_relaxed))
			return;
	}
	backoff_start(&backoff, strategy, NULL, NULL);
	while (!(next = atomic_load_explicit(&place->next, memory_order_acquire)))
		backoff_wait(&backoff);
	atomic_store_explicit(&queue->first.next, next, memory_order_relaxed);
}

enum waiting_stage mcs_queue_enter(struct mcs_queue *queue, const struct waiting_strategy *strategy,
                                   const struct wait_object *object)
{
	struct mcs_place place = {0};
	struct backoff backoff;
	uint64_t arrived = strategy->adapts ? arch_clock() : 0;
	backoff_start(&backoff, strategy, object, &place.resume_handle);
	if (strategy->adapts)
		awake_arrive(queue, &place, &backoff);
	/* anything -> place; release: the place; acquire: the place before, or what those before did. */
	struct mcs_place *before = atomic_exchange_explicit(&queue->tail, &place, memory_order_acq_rel);
	/* NULL, LEFT -> place; release: the place, for the one that looks at `next`; acquire: what the one that left
	 * did. */
	if (before && atomic_exchange_explicit(&before->next, &place, memory_order_acq_rel) != LEFT)
		while (!resume_handle_is_active(&place.resume_handle))
			backoff_wait(&backoff);
	move_to_own(queue, &place, strategy);
	if (strategy->adapts)
		awake_enter(queue, &place, arrived, &backoff);
	return backoff.stage;
}

void mcs_queue_leave(struct mcs_queue *queue)
{
	/* acquire: the place behind, from mcs_queue_enter. */
	struct mcs_place *next = atomic_load_explicit(&queue->first.next, memory_order_acquire);
	if (!next) {
		struct mcs_place *expected = &queue->first;
		/* own -> NULL; release: what this one did, pairs with mcs_queue_try and mcs_queue_enter. */
		if (atomic_compare_exchange_strong_explicit(&queue->tail, &expected, NULL, memory_order_release,
		                                            memory_order_relaxed))
			return;
		/* NULL -> LEFT; release: the same, pairs with mcs_queue_enter; acquire: as above. */
		next = atomic_exchange_explicit(&queue->first.next, LEFT, memory_order_acq_rel);
		if (!next)
			return;
	}
	resume_handle_resume(&next->resume_handle);
}
