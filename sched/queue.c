#include "sched/queue.h"

#include "kernel/panic.h"

/* The nodes of one processor that are in no queue: spare ones, which no processor uses, and retired ones, which
 * others may still use. Together they are always QUEUE_POOL_SIZE, except in the middle of queue_enqueue. */
struct queue_pool {
	struct queue_node **spare, **retired;
	size_t spare_count, retired_count;
	struct hazard_set hazards;
	uint64_t scans;
} __attribute__((aligned(CACHE_LINE)));

static struct queue_pool pools[PROCESSORS_MAXIMUM];

/* The arrays have room for one more: node_acquire retires a node before it takes one. */
size_t queue_pool_bytes(unsigned count)
{
	return 2 * (QUEUE_POOL_SIZE(count) + 1) * sizeof(struct queue_node *) + hazard_set_bytes(count);
}

void queue_processor_create(unsigned index, struct queue_node *nodes, void *memory)
{
	size_t size = QUEUE_POOL_SIZE(processor_count);
	struct queue_pool *pool = &pools[index];
	pool->spare = memory;
	pool->retired = pool->spare + size + 1;
	hazard_set_create(&pool->hazards, pool->retired + size + 1, processor_count);
	pool->retired_count = 0;
	pool->spare_count = size;
	pool->scans = 0;
	for (size_t i = 0; i < size; i++)
		pool->spare[i] = &nodes[i];
	atomic_store_explicit(&hazard_slots[index].first, NULL, memory_order_relaxed);
	atomic_store_explicit(&hazard_slots[index].second, NULL, memory_order_relaxed);
}

uint64_t queue_scan_count(unsigned index)
{
	return pools[index].scans;
}

void queue_item_create(struct queue_item *item, struct queue_node *node)
{
	item->node = node;
#ifdef HEDDLE_DEBUG
	atomic_store_explicit(&item->queued, false, memory_order_relaxed);
#endif
}

void queue_create(struct queue *queue, struct queue_node *sentinel)
{
	atomic_store_explicit(&sentinel->next, NULL, memory_order_relaxed);
	atomic_store_explicit(&sentinel->item, NULL, memory_order_relaxed);
	atomic_store_explicit(&queue->head, sentinel, memory_order_relaxed);
	atomic_store_explicit(&queue->tail, sentinel, memory_order_relaxed);
}

/* retired -> spare, for each node that no processor uses. All of them left their queues before the slots are read; a
 * processor that publishes one later notices when it re-reads head or tail. */
static void pool_scan(void *argument)
{
	struct queue_pool *pool = argument;
	size_t kept = 0;
	hazard_collect(&pool->hazards, (unsigned)(pool - pools));
	for (size_t i = 0; i < pool->retired_count; i++) {
		struct queue_node *node = pool->retired[i];
		if (hazard_contains(&pool->hazards, node))
			pool->retired[kept++] = node;
		else
			pool->spare[pool->spare_count++] = node;
	}
	pool->retired_count = kept;
	pool->scans++;
}

/* The paper's ACQUIRE (Figure 5): a node that may be linked, in exchange for the item's node. */
static struct queue_node *node_acquire(struct queue_item *item, unsigned index)
{
	struct queue_pool *pool = &pools[index];
	pool->retired[pool->retired_count++] = item->node;
	if (pool->spare_count == 0)
		arch_call_on_processor_stack(pool_scan, pool);
	ASSERT(pool->spare_count > 0);
	return pool->spare[--pool->spare_count];
}

/* Inline, so that an enqueue is one function. */
__attribute__((always_inline)) static inline bool append(struct queue *queue, struct queue_item *item,
                                                         struct queue_node *node, struct hazard_slots *slots)
{
	struct queue_node *tail;

#ifdef HEDDLE_DEBUG
	if (atomic_exchange_explicit(&item->queued, true, memory_order_relaxed))
		panic("an item was enqueued that is in a queue already");
#endif
	atomic_store_explicit(&node->item, item, memory_order_relaxed);
	atomic_store_explicit(&node->next, NULL, memory_order_relaxed);
	for (;;) {
		tail = atomic_load_explicit(&queue->tail, memory_order_acquire);
		hazard_publish(slots, NULL, tail);
		if (atomic_load_explicit(&queue->tail, memory_order_seq_cst) != tail)
			continue;
		struct queue_node *next = atomic_load_explicit(&tail->next, memory_order_acquire);
		if (next) {
			/* tail lags, tail -> next: help */
			atomic_compare_exchange_strong_explicit(&queue->tail, &tail, next, memory_order_seq_cst,
			                                        memory_order_relaxed);
			continue;
		}
		/* NULL -> node; release: the item, pairs with the acquire of `next` in queue_dequeue. seq_cst, as are
		 * the CAS of head and tail: a node has left for all before its new owner reads any hazard slot. */
		if (atomic_compare_exchange_strong_explicit(&tail->next, &next, node, memory_order_seq_cst,
		                                            memory_order_relaxed))
			break;
	}
	/* If head is still `tail`, nothing was before the item, or all of it was taken since. If head is past `tail`, the
	 * item itself was taken. */
	bool was_empty = atomic_load_explicit(&queue->head, memory_order_seq_cst) == tail;
	/* tail -> node; may fail if another has helped. The slot still holds `tail`, so that cannot have left and come
	 * back. */
	atomic_compare_exchange_strong_explicit(&queue->tail, &tail, node, memory_order_seq_cst,
	                                        memory_order_relaxed);
	return was_empty;
}

bool queue_enqueue(struct queue *queue, struct queue_item *item)
{
	unsigned index = processor_current()->index;
	return append(queue, item, node_acquire(item, index), &hazard_slots[index]);
}

bool queue_append(struct queue *queue, struct queue_item *item, struct queue_node *node)
{
	return append(queue, item, node, &hazard_slots[processor_current()->index]);
}

/* Set *head and *next to the sentinel and its successor as they stood together at one moment, both protected. */
static void protect_first(struct queue *queue, struct hazard_slots *slots, struct queue_node **head,
                          struct queue_node **next)
{
	for (;;) {
		*head = atomic_load_explicit(&queue->head, memory_order_acquire);
		/* This may read a node that was taken away: it is still a node, and what was read is checked below. */
		*next = atomic_load_explicit(&(*head)->next, memory_order_acquire);
		hazard_publish(slots, *head, *next);
		/* If this is still the head, it is protected, and its successor is in the queue (Michael). Comparing
		 * head->next alone, as the paper does for its second hazard pointer, says nothing once the head has left the
		 * queue. */
		if (atomic_load_explicit(&queue->head, memory_order_seq_cst) != *head)
			continue;
		if (atomic_load_explicit(&(*head)->next, memory_order_acquire) == *next)
			return;
	}
}

struct queue_item *queue_dequeue(struct queue *queue)
{
	struct hazard_slots *slots = &hazard_slots[processor_current()->index];
	struct queue_node *head, *next;
	struct queue_item *item;

	do {
		protect_first(queue, slots, &head, &next);
		if (!next)
			return NULL;
		struct queue_node *tail = head;
		/* tail lags, head -> next: head must not pass it. Fails if tail is ahead already. */
		if (atomic_load_explicit(&queue->tail, memory_order_acquire) == head)
			atomic_compare_exchange_strong_explicit(&queue->tail, &tail, next, memory_order_seq_cst,
			                                        memory_order_relaxed);
		item = atomic_load_explicit(&next->item, memory_order_relaxed);
		/* head -> next */
	} while (!atomic_compare_exchange_strong_explicit(&queue->head, &head, next, memory_order_seq_cst,
	                                                  memory_order_relaxed));
	item->node = head; /* the old sentinel; `next` stays behind as the new one */
#ifdef HEDDLE_DEBUG
	atomic_store_explicit(&item->queued, false, memory_order_relaxed);
#endif
	return item;
}

bool queue_is_empty(struct queue *queue)
{
	struct queue_node *head, *next;
	do {
		head = atomic_load_explicit(&queue->head, memory_order_seq_cst);
		next = atomic_load_explicit(&head->next, memory_order_seq_cst);
		/* If the head has changed, `next` may have been read when the node was already elsewhere. */
	} while (atomic_load_explicit(&queue->head, memory_order_seq_cst) != head);
	return !next;
}
