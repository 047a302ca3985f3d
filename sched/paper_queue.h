/*
 * The queue of the scheduler paper with the paper's own reuse of nodes (Figures 4 to 6), for sched=paper. All else is
 * that of queue.h; a node may go from a queue of one kind to one of the other.
 *
 *     pools: N times two nodes that are in no queue
 *     a node of an item --paper_enqueue: no slot holds it--> in a queue
 *                       --paper_enqueue: a slot holds it--> in the pool of that slot, whose node takes its place
 *
 * So there are never more than T + 2N nodes, with T tasks and N processors, and one for each queue; all are there
 * before they are needed. Each enqueue looks at all slots of all processors, again after each swap. What differs from
 * the paper's figures are corrections alone: slots are published with a fence; Figure 6 clears hp1 before it sets the
 * tail, and compares next with head.next after the head may have gone; ACQUIRE looks at the processors that there are.
 * And a dequeue sets the tail only where that lags.
 *
 * | operation     | progress                                   | takes effect                       |
 * |---------------|--------------------------------------------|------------------------------------|
 * | paper_enqueue | lock-free; getting a node is wait-free     | at the CAS of the last node's next |
 * | paper_dequeue | lock-free                                  | as queue_dequeue (queue.h)         |
 *
 * Only processors may call these, never in an interrupt or fault handler.
 */
#ifndef SCHED_PAPER_QUEUE_H
#define SCHED_PAPER_QUEUE_H

#include "sched/queue.h"

/* Two nodes for the pools of processor `index`, neither of which is in use. Before its first operation. */
void paper_pool_create(unsigned index, struct queue_node *first, struct queue_node *second);

/* Append. Allocates nothing. */
void paper_enqueue(struct queue *queue, struct queue_item *item);

/* Take the oldest item; NULL if there is none. */
struct queue_item *paper_dequeue(struct queue *queue);

#endif
