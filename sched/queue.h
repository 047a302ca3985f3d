/*
 * The unbounded lock-free FIFO queue of the scheduler paper (section 4, Figures 4 to 6) with its corrections,
 * and with another way to reuse nodes.
 *
 * A queue is a list of nodes from `head`, whose item is of no interest (the sentinel), to `tail` or one node
 * beyond:
 *
 *      head                    tail
 *       |                       |
 *       v                       v
 *     [ - ]-->[ A ]-->[ B ]-->[ C ]--> NULL          items A, B, C; C is the newest
 *
 * States of a node, as all processors see them:
 *
 *     spare (in the pool of one processor) --queue_enqueue: linked--> in a queue, its item waiting
 *     in a queue --queue_dequeue: head moves to it, its item taken--> sentinel
 *     sentinel --queue_dequeue: head moves past it--> belongs to the item just dequeued
 *     belongs to an item --queue_enqueue of that item--> retired (in the pool of that processor)
 *     retired --no hazard slot holds it, seen by a scan after it left its queue--> spare
 *
 * Reuse: the paper compares the item's node with every hazard slot at every ENQUEUE. Here ENQUEUE swaps the
 * item's node for a spare one of this processor, and one scan turns all retired nodes that are not in use into
 * spare ones. With N processors at most 2(N-1) nodes are in use by others, and a processor's pool always
 * holds 2N + QUEUE_POOL_SLACK, so a scan yields at least QUEUE_POOL_SLACK spare nodes: one look at the slots
 * for at least that many operations, no shared pool, wait-free, and never empty-handed. With one processor no
 * scan ever looks at anything.
 *
 * Locked instructions: enqueue 3 (publish, link, tail), dequeue 2 (publish, head); the paper's code needs 6
 * together.
 *
 * | operation      | progress                     | takes effect                            |
 * |----------------|------------------------------|-----------------------------------------|
 * | queue_enqueue  | lock-free; getting a node is | at the CAS of the last node's next      |
 * |                | wait-free                    |                                         |
 * | queue_dequeue  | lock-free                    | at the CAS of head; empty: at the load  |
 * |                |                              | of head->next that found NULL           |
 * | queue_is_empty | lock-free                    | a hint: it may be outdated at once, and |
 * |                |                              | looks at no hazard                      |
 *
 * Only processors may call these, never in an interrupt or fault handler.
 */
#ifndef SCHED_QUEUE_H
#define SCHED_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "kernel/processor.h"
#include "sched/hazard.h"

#define QUEUE_POOL_SLACK 64

/* Nodes in the pool of each processor; at least HAZARDS_A_PROCESSOR * (count - 1). */
#ifndef QUEUE_POOL_SIZE
#	define QUEUE_POOL_SIZE(count) ((size_t)HAZARDS_A_PROCESSOR * (count) + QUEUE_POOL_SLACK)
#endif

struct queue_item;

/* Memory that was a node stays a node while the machine runs: a processor may read `next` of one that was
 * taken away. */
struct queue_node {
	_Atomic(struct queue_node *) next;
	_Atomic(struct queue_item *) item;
};

/* What is queued; first member of the structure that holds it. Owned by its user or by one queue. The node
 * changes from one item to another with every operation, so it is never part of the item. */
struct queue_item {
	struct queue_node *node;
#ifdef HEDDLE_DEBUG
	atomic_bool queued; /* an item may not be enqueued twice */
#endif
};

struct queue {
	_Alignas(CACHE_LINE) _Atomic(struct queue_node *) head;
	_Alignas(CACHE_LINE) _Atomic(struct queue_node *) tail;
};

/* Bytes of working memory that queue_processor_create() needs, with `count` processors. */
size_t queue_pool_bytes(unsigned count);

/* Give processor `index` its nodes (QUEUE_POOL_SIZE(processor_count) of them) and working memory. Before its
 * first operation. */
void queue_processor_create(unsigned index, struct queue_node *nodes, void *memory);

/* An item gets its node; before it is first enqueued. */
void queue_item_create(struct queue_item *item, struct queue_node *node);

/* An empty queue; the sentinel belongs to it from then on. */
void queue_create(struct queue *queue, struct queue_node *sentinel);

/* Append. Allocates nothing. Returns whether all that was before the item has been taken; false also if the
 * item itself has been taken already. */
bool queue_enqueue(struct queue *queue, struct queue_item *item);

/* The same with this node, which no processor uses, in place of the item's. For those that reuse nodes in another way.
 * Until the calling processor publishes another, its second hazard slot holds the node that was the last. */
bool queue_append(struct queue *queue, struct queue_item *item, struct queue_node *node);

/* Take the oldest item; NULL if there is none. */
struct queue_item *queue_dequeue(struct queue *queue);

bool queue_is_empty(struct queue *queue);

/* How often processor `index` has looked at the hazard slots. */
uint64_t queue_scan_count(unsigned index);

#endif
