#include "sched/paper_queue.h"

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

static void slots_clear(void)
{
	struct hazard_slots *slots = &hazard_slots[processor_current()->index];
	/* release: behind the last use of the nodes. */
	atomic_store_explicit(&slots->first, NULL, memory_order_release);
	atomic_store_explicit(&slots->second, NULL, memory_order_release);
}

/* Figure 5. The slot holds the last node until the tail is set: the paper clears it before that. */
void paper_enqueue(struct queue *queue, struct queue_item *item)
{
	queue_append(queue, item, paper_acquire(item->node));
	slots_clear();
}

struct queue_item *paper_dequeue(struct queue *queue)
{
	struct queue_item *item = queue_dequeue(queue);
	slots_clear();
	return item;
}
