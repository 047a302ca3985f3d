/*
 * The tasks of one priority that are ready on one processor, under sched=local; first in, first out. Their
 * oldest and their newest are the processor's own: it takes from the one list and puts to the other by plain
 * loads and stores. What lies between is shared, in blocks of up to LOCAL_BLOCK tasks, from which everybody
 * takes:
 *
 *     own, the oldest         shared                               own, the newest
 *     first --> A --> B       [C D E ..] [F G ..] | [H ..]         last --> X --> Y <-- end
 *                             ring                | overflow, while the ring was full
 *
 * The owner shares its newest tasks when they are a block, and when another processor has none: it then asks
 * (local_queue_has_own(), `wanted` of the scheduler), and the owner shares all that it has at its next look,
 * one by one. So 2 * LOCAL_BLOCK tasks at most are out of reach of the others, and only until then; where the
 * owner runs a task that does not come to the scheduler in READY_PATIENCE, it is interrupted (ready.h). Blocks are as
 * in BWoS (Wang et al., OSDI 2023), whose owner has two blocks to itself without end.
 *
 * A task that comes to an empty queue is its oldest at once.
 *
 * Others look at what is shared, then at `first`, then at `room`. A yield moves a task that way, from the
 * oldest to the newest, so they find it. A refill and a block that is shared move tasks the other way, or by
 * the owner's hands, and so past a look that is under way: after each the owner looks who has come to rest
 * (ready_share_moved()), and if it sees nobody, those who come to rest later see what was moved.
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
	/* The owner's; others only look whether there is anything. */
	_Atomic(struct task *) first; /* linked by ready_next, to NULL */
	_Atomic uint32_t room;        /* how many more tasks make the newest a block */
	bool shared;                  /* something may be, here below */
	bool overflowed;              /* `overflow` may hold blocks */
	struct task *last, **end;     /* linked to where `end` is; empty: that is at `last` */

	/* Shared; the first task of a block stands for it. */
	struct ring ring;
	struct queue overflow; /* what found the ring full, in order behind it */
};

void local_queue_create(struct local_queue *queue);

/* Share the newest tasks, which are a block. Owner only, as all that follows but the hints and
 * local_queue_steal(). */
void local_queue_share_newest(struct local_queue *queue);

/* Share all that is its own, task by task, in their order, unless something is shared already. False: nothing
 * was nor is. The tasks are shared before the caller's look at who is idle. */
bool local_queue_share(struct local_queue *queue);

/* Share the newest, task by task, behind what is shared; and before them the oldest, where nothing is. The same
 * order. */
void local_queue_share_each(struct local_queue *queue);

/* Where `first` is empty: the oldest shared block, or else the newest, become the oldest of its own. False:
 * there was none. */
bool local_queue_refill(struct local_queue *queue);

/* About how many tasks there are. Owner only. */
uint32_t local_queue_count(const struct local_queue *queue);

/* Take up to `most` of the oldest, linked by ready_next, to NULL; NULL: there are none. May move others, as a refill
 * does. Owner only. */
struct task *local_queue_cut(struct local_queue *queue, uint32_t most);

/* Whether one more can be put without a block to be shared. */
static inline bool local_queue_has_room(const struct local_queue *queue)
{
	return atomic_load_explicit(&queue->room, memory_order_relaxed) > 1;
}

/* Whether there may be others before the newest. Owner only. */
static inline bool local_queue_has_older(const struct local_queue *queue)
{
	return atomic_load_explicit(&queue->first, memory_order_relaxed) || queue->shared;
}

/* Whether nothing is here; that is found late, by a refill, where others have taken what was shared. Owner only. */
static inline bool local_queue_is_empty(const struct local_queue *queue)
{
	return atomic_load_explicit(&queue->room, memory_order_relaxed) == LOCAL_BLOCK &&
	       !local_queue_has_older(queue);
}

/* Behind all others, its own: nobody else can have it yet. Where there is room. */
static inline void local_queue_append(struct local_queue *queue, struct task *task)
{
	uint32_t room = atomic_load_explicit(&queue->room, memory_order_relaxed);
	if (room == LOCAL_BLOCK && !local_queue_has_older(queue)) {
		task->ready_next = NULL;
		atomic_store_explicit(&queue->first, task, memory_order_relaxed);
		return;
	}
	*queue->end = task;
	queue->end = &task->ready_next;
	atomic_store_explicit(&queue->room, room - 1, memory_order_relaxed);
}

/* Behind all others; where that completes a block, for everybody. */
static inline void local_queue_put(struct local_queue *queue, struct task *task)
{
	local_queue_append(queue, task);
	if (__builtin_expect(atomic_load_explicit(&queue->room, memory_order_relaxed) == 0, 0))
		local_queue_share_newest(queue);
}

/* The oldest of its own; NULL: there is none, but may be after local_queue_refill(). */
static inline struct task *local_queue_own(const struct local_queue *queue)
{
	return atomic_load_explicit(&queue->first, memory_order_relaxed);
}

static inline struct task *local_queue_take_own(struct local_queue *queue)
{
	struct task *task = local_queue_own(queue);
	if (__builtin_expect(task != NULL, 1))
		atomic_store_explicit(&queue->first, task->ready_next, memory_order_relaxed);
	return task;
}

/* The oldest; NULL: none. */
static inline struct task *local_queue_take(struct local_queue *queue)
{
	struct task *task = local_queue_take_own(queue);
	return task || !local_queue_refill(queue) ? task : local_queue_take_own(queue);
}

/* Take the oldest, where another of its own comes after that, and put `task` behind all others. `room`: that of the
 * queue, more than 1. */
static inline void local_queue_turn(struct local_queue *queue, const struct task *oldest, struct task *task,
                                    uint32_t room)
{
	atomic_store_explicit(&queue->first, oldest->ready_next, memory_order_relaxed);
	*queue->end = task;
	queue->end = &task->ready_next;
	atomic_store_explicit(&queue->room, room - 1, memory_order_relaxed);
}

/* Hints, for any processor: outdated at once. */
static inline bool local_queue_has_own(const struct local_queue *queue)
{
	/* acquire: first, then `room`; a yield takes from the one before it puts to the other. */
	return atomic_load_explicit(&queue->first, memory_order_acquire) ||
	       atomic_load_explicit(&queue->room, memory_order_relaxed) < LOCAL_BLOCK;
}

static inline bool local_queue_has_shared(struct local_queue *queue)
{
	return !ring_is_empty(&queue->ring) || !queue_is_empty(&queue->overflow);
}

/* Take half of another processor's shared blocks, one at least. Their oldest task is returned, all others are
 * put to the caller's queue and shared. NULL: nothing was shared. *count: how many tasks that were. */
struct task *local_queue_steal(struct local_queue *victim, struct local_queue *own, uint64_t *count);

#endif
