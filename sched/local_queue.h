/*
 * The ready tasks of one priority on one processor, under sched=local; first in, first out. The oldest and the newest
 * are the processor's own: it takes from the one list and puts to the other by plain loads and stores. What lies
 * between is shared, in blocks of up to LOCAL_BLOCK tasks, from which any processor takes:
 *
 *     own, the oldest         shared                               own, the newest
 *     first --> A --> B       [C D E ..] [F G ..] | [H ..]         last --> X --> Y <-- end
 *                             ring                | overflow, while the ring was full
 *
 * The owner shares its newest tasks when they fill a block. Another processor that has none asks for more
 * (local_queue_has_own(), `wanted` of the scheduler); then the owner shares all that it has at its next look, one by
 * one. So at most 2 * LOCAL_BLOCK tasks are out of reach of the others, and only until then. If the owner runs a task
 * that does not come to the scheduler in READY_PATIENCE, it is interrupted (ready.h). BWoS has such blocks, too, but
 * its owner keeps the one that it takes from to itself for good (bwos_queue.h).
 *
 * A task that is put to an empty queue is at once its oldest.
 *
 * Others look at what is shared, then at `first`, then at `room`. A yield moves a task in that direction, from the
 * oldest to the newest, so they find it. A refill, or sharing a block, moves tasks in the other direction or through
 * the owner's registers, and so may pass a look that is in progress. After each of these the owner looks which
 * processors have come to rest (ready_share_moved()); if it sees none, those that come to rest later see what was
 * moved.
 *
 * | operation            | together with               | progress  | takes effect                           |
 * |----------------------|-----------------------------|-----------|----------------------------------------|
 * | local_queue_put      | all but the owner's others  | wait-free | for the owner at once; for others      |
 * |                      |                             |           | where the block is shared              |
 * | local_queue_share    | the same                    | lock-free | where ring_put or queue_enqueue does   |
 * | local_queue_take     | the same                    | lock-free | own: at once; shared: where ring_take  |
 * |                      |                             |           | or queue_dequeue does                  |
 * | local_queue_steal    | everything                  | lock-free | where ring_take_half or queue_dequeue  |
 * |                      |                             |           | does                                   |
 */
#ifndef SCHED_LOCAL_QUEUE_H
#define SCHED_LOCAL_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>

#include "sched/queue.h"
#include "sched/ring.h"
#include "sched/task.h"

#define LOCAL_BLOCK 32

struct local_queue {
	/* The owner's; others only look whether it is empty. */
	_Atomic(struct task *) first; /* linked by ready_next, to NULL */
	_Atomic uint32_t room;        /* how many more tasks fill the newest block */
	bool shared;                  /* something may be shared, below */
	bool overflowed;              /* `overflow` may hold blocks */
	struct task *last, **end;     /* the list ends where `end` points; if it is empty, that is `last` */

	/* Shared; a block is known by its first task. */
	struct ring ring;
	struct queue overflow; /* blocks that found the ring full; they come behind the ring's */
};

void local_queue_create(struct local_queue *queue);

/* Share the newest tasks, which fill a block. Owner only, as are all functions that follow, except the hints and
 * local_queue_steal(). */
void local_queue_share_newest(struct local_queue *queue);

/* Share all of the owner's tasks, one by one, in their order, unless something is shared already. False: nothing was
 * shared, and nothing is. The tasks are shared before the caller looks which processors are idle. */
bool local_queue_share(struct local_queue *queue);

/* Share the newest, one by one, behind what is shared; if nothing is, share the oldest before them. The order
 * stays. Others may see them later than what the caller does next. */
void local_queue_share_each(struct local_queue *queue);

/* What is shared comes before what the caller does next. */
void local_queue_order(struct local_queue *queue);

/* Whether anything is still shared. Then it is ordered so. */
bool local_queue_still_shared(struct local_queue *queue);

/* If `first` is empty, make the oldest shared block, or else the newest tasks, the owner's oldest. False: there was
 * none. */
bool local_queue_refill(struct local_queue *queue);

/* About how many tasks there are. Owner only. */
uint32_t local_queue_count(const struct local_queue *queue);

/* Take up to `most` of the oldest, linked by ready_next, to NULL; NULL: there are none. May move others, as a refill
 * does. Owner only. */
struct task *local_queue_cut(struct local_queue *queue, uint32_t most);

/* How many more tasks fill the newest block. */
static inline uint32_t local_queue_room(const struct local_queue *queue)
{
	return atomic_load_explicit(&queue->room, memory_order_relaxed);
}

/* Whether one more can be put without sharing a block. */
static inline bool local_queue_has_room(const struct local_queue *queue)
{
	return local_queue_room(queue) > 1;
}

/* Whether there may be tasks before the newest. Owner only. */
static inline bool local_queue_has_older(const struct local_queue *queue)
{
	return atomic_load_explicit(&queue->first, memory_order_relaxed) || queue->shared;
}

/* Whether it is empty. If others have taken what was shared, only a refill notices. Owner only. */
static inline bool local_queue_is_empty(const struct local_queue *queue)
{
	return local_queue_room(queue) == LOCAL_BLOCK && !local_queue_has_older(queue);
}

/* Put the only task, which is the owner's oldest. */
static inline void local_queue_put_only(struct local_queue *queue, struct task *task)
{
	task->ready_next = NULL;
	atomic_store_explicit(&queue->first, task, memory_order_relaxed);
}

/* Put it behind the newest, which leave that room. */
static inline void local_queue_put_newest(struct local_queue *queue, struct task *task, uint32_t room)
{
	*queue->end = task;
	queue->end = &task->ready_next;
	atomic_store_explicit(&queue->room, room - 1, memory_order_relaxed);
}

/* Put it behind all others, as the owner's: no other can take it yet. `room`: that of the queue, which is not 0. */
static inline void local_queue_append(struct local_queue *queue, struct task *task, uint32_t room)
{
	if (room == LOCAL_BLOCK && !local_queue_has_older(queue))
		local_queue_put_only(queue, task);
	else
		local_queue_put_newest(queue, task, room);
}

/* The same, unless it would fill a block, which must be shared; then false. */
static inline bool local_queue_try_append(struct local_queue *queue, struct task *task)
{
	uint32_t room = local_queue_room(queue);
	if (room == LOCAL_BLOCK && !local_queue_has_older(queue))
		local_queue_put_only(queue, task);
	else if (__builtin_expect(room <= 1, 0))
		return false;
	else
		local_queue_put_newest(queue, task, room);
	return true;
}

/* Put it behind all others; if that fills a block, share it. */
static inline void local_queue_put(struct local_queue *queue, struct task *task)
{
	local_queue_append(queue, task, local_queue_room(queue));
	if (__builtin_expect(local_queue_room(queue) == 0, 0))
		local_queue_share_newest(queue);
}

/* Take the owner's oldest; NULL: there is none, but there may be after local_queue_refill(). */
static inline struct task *local_queue_own(const struct local_queue *queue)
{
	return atomic_load_explicit(&queue->first, memory_order_relaxed);
}

/* The first of the newest tasks, linked by ready_next, to NULL; NULL: there are none. Owner only. */
static inline struct task *local_queue_newest(struct local_queue *queue)
{
	*queue->end = NULL;
	return queue->last;
}

/* Take what local_queue_own() has found. */
static inline void local_queue_take_oldest(struct local_queue *queue, const struct task *oldest)
{
	atomic_store_explicit(&queue->first, oldest->ready_next, memory_order_relaxed);
}

static inline struct task *local_queue_take_own(struct local_queue *queue)
{
	struct task *task = local_queue_own(queue);
	if (__builtin_expect(task != NULL, 1))
		local_queue_take_oldest(queue, task);
	return task;
}

/* Take the oldest; NULL: none. */
static inline struct task *local_queue_take(struct local_queue *queue)
{
	struct task *task = local_queue_take_own(queue);
	return task || !local_queue_refill(queue) ? task : local_queue_take_own(queue);
}

/* Take the oldest, if the owner has another one behind it, and put `task` behind all others. `room`: that of the
 * queue, more than 1. */
static inline void local_queue_turn(struct local_queue *queue, const struct task *oldest, struct task *task,
                                    uint32_t room)
{
	local_queue_take_oldest(queue, oldest);
	local_queue_put_newest(queue, task, room);
}

/* Take the only task, which is the owner's oldest, and put `task`. Others never see the queue empty. */
static inline void local_queue_replace(struct local_queue *queue, struct task *task)
{
	local_queue_put_only(queue, task);
}

/* Hints, for any processor: outdated at once. */
static inline bool local_queue_has_own(const struct local_queue *queue)
{
	/* acquire: first, then `room`; a yield takes from the one before it puts to the other. */
	return atomic_load_explicit(&queue->first, memory_order_acquire) || local_queue_room(queue) < LOCAL_BLOCK;
}

static inline bool local_queue_has_shared(struct local_queue *queue)
{
	return !ring_is_empty(&queue->ring) || !queue_is_empty(&queue->overflow);
}

/* Take half of another processor's shared blocks, at least one. Returns their oldest task, and puts and shares all
 * others in the caller's queue. NULL: nothing was shared. *count: how many tasks were taken. */
struct task *local_queue_steal(struct local_queue *victim, struct local_queue *own, uint64_t *count);

#endif
