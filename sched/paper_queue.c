#include "sched/paper_queue.h"

#include "kernel/panic.h"

/* A node for each hazard slot. */
static struct paper_pool {
	_Atomic(struct queue_node *) first, second;
} __attribute__((aligned(CACHE_LINE))) paper_pools[PROCESSORS_MAXIMUM];

void paper_pool_create(unsigned index, struct queue_node *first, struct queue_node *second)
{
	atomic_store_explicit(&paper_pools[index].first, first, memory_order_relaxed);
	atomic_store_explicit(&paper_pools[index].second, second, memory_order_relaxed);
}

/* If the slot holds the node: swap it for the node that the slot's pool has. */
static bool swap_if_held(_Atomic(struct queue_node *) *slot, _Atomic(struct queue_node *) *pool,
                         struct queue_node **node)
{
	/* seq_cst: the node left its queue before; pairs with hazard_publish. */
	if (atomic_load_explicit(slot, memory_order_seq_cst) != *node)
		return false;
	/* A node -> another; acquire, release: what was done to both. */
	*node = atomic_exchange_explicit(pool, *node, memory_order_acq_rel);
	return true;
}

/* ACQUIRE (Figure 5): a node that no processor uses, in exchange for the item's. All nodes in pools differ, so one of
 * 2N + 1 is held by no slot; and a node that is in no queue gets into no slot. */
static struct queue_node *paper_acquire(struct queue_node *node)
{
	bool swapped;
	do {
		swapped = false;
		for (unsigned index = 0; index < processor_count; index++) {
			struct hazard_slots *slots = &hazard_slots[index];
			swapped |= swap_if_held(&slots->first, &paper_pools[index].first, &node);
			swapped |= swap_if_held(&slots->second, &paper_pools[index].second, &node);
		}
	} while (swapped);
	return node;
}

static void slots_clear(struct hazard_slots *slots)
{
	/* release: behind the last use of the nodes. */
	atomic_store_explicit(&slots->first, NULL, memory_order_release);
	atomic_store_explicit(&slots->second, NULL, memory_order_release);
}

/* Lines 8 to 17: link the node behind the last one, which is returned, protected. */
static struct queue_node *link_last(struct queue *queue, struct hazard_slots *slots, struct queue_node *node)
{
	for (;;) {
		struct queue_node *tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
		hazard_publish(slots, NULL, tail);
		if (atomic_load_explicit(&queue->tail, memory_order_seq_cst) != tail)
			continue;
		struct queue_node *next = atomic_load_explicit(&tail->next, memory_order_acquire);
		/* tail lags, tail -> next: help. Else NULL -> node; release: the item, pairs with the acquire of `next` in
		 * paper_dequeue. */
		if (next)
			atomic_compare_exchange_strong_explicit(&queue->tail, &tail, next, memory_order_seq_cst,
			                                        memory_order_relaxed);
		else if (atomic_compare_exchange_strong_explicit(&tail->next, &next, node, memory_order_seq_cst,
		                                                 memory_order_relaxed))
			return tail;
	}
}

void paper_enqueue(struct queue *queue, struct queue_item *item)
{
	struct hazard_slots *slots = &hazard_slots[processor_current()->index];
	struct queue_node *node = paper_acquire(item->node);
#ifdef HEDDLE_DEBUG
	if (atomic_exchange_explicit(&item->queued, true, memory_order_relaxed))
		panic("an item was enqueued that is in a queue already");
#endif
	atomic_store_explicit(&node->item, item, memory_order_relaxed);
	atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
	struct queue_node *tail = link_last(queue, slots, node);
	/* tail -> node; may fail if another has helped. The slot still holds `tail`: the paper has cleared it here. */
	atomic_compare_exchange_strong_explicit(&queue->tail, &tail, node, memory_order_seq_cst,
	                                        memory_order_relaxed);
	slots_clear(slots);
}

/* Lines 23 to 30: the sentinel and its successor as they stood together at one moment, both protected. */
static void protect_sentinel(struct queue *queue, struct hazard_slots *slots, struct queue_node **head,
                             struct queue_node **next)
{
	do {
		*head = atomic_load_explicit(&queue->head, memory_order_acquire);
		*next = atomic_load_explicit(&(*head)->next, memory_order_acquire);
		hazard_publish(slots, *head, *next);
	} while (atomic_load_explicit(&queue->head, memory_order_seq_cst) != *head ||
	         atomic_load_explicit(&(*head)->next, memory_order_acquire) != *next);
}

struct queue_item *paper_dequeue(struct queue *queue)
{
	struct hazard_slots *slots = &hazard_slots[processor_current()->index];
	struct queue_item *item = NULL;
	struct queue_node *head, *next, *tail;
	do {
		protect_sentinel(queue, slots, &head, &next);
		if (!next)
			break;
		/* tail lags, head -> next: head must not pass it. Fails if tail is ahead already. */
		tail = head;
		atomic_compare_exchange_strong_explicit(&queue->tail, &tail, next, memory_order_seq_cst,
		                                        memory_order_relaxed);
		item = atomic_load_explicit(&next->item, memory_order_relaxed);
		/* head -> next */
	} while (!atomic_compare_exchange_strong_explicit(&queue->head, &head, next, memory_order_seq_cst,
	                                                  memory_order_relaxed));
	slots_clear(slots);
	if (!next)
		return NULL;
	item->node = head; /* the old sentinel; `next` stays behind as the new one */
#ifdef HEDDLE_DEBUG
	atomic_store_explicit(&item->queued, false, memory_order_relaxed);
#endif
	return item;
}
