/*
 * What locks keep with each task: a part of struct task. With the list of its mutexes, which each end of a task reads
 * (`held`, sched/task.h), it is all of sync/ that sched/ knows. The scheduler asks only the two questions below. Only
 * the task itself touches this; but `delegated` is also written by the task that carries out its section
 * (delegation/help.c).
 */
#ifndef SYNC_TASK_LOCKS_H
#define SYNC_TASK_LOCKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct qd_lock;
struct qd_slot;
struct reader_writer_lock;
struct reads;
struct waiter;
struct waiting_lock;

#define TASK_READS 2

struct task_locks {
	struct reader_writer_lock *written; /* reader-writer locks that it writes under, the newest first, */
	const void *read[TASK_READS];       /* and those that it reads under, */
	struct reads *reads;                /* and more of these (reads.h) */
	struct waiting_lock *entered;       /* locks that spin, yield, then suspend, the newest first */
	struct waiter *waiter;       /* for its next wait at a mutex; a new task in this memory inherits it */
	struct waiter *abandoned;    /* still in mutexes' queues, of waits that were cancelled */
	struct qd_lock *serves;      /* it carries out a section that was delegated to this lock; NULL: none */
	struct qd_lock *buffer_lock; /* the lock of the buffer that it has open, or awaits at its end; */
	struct qd_slot *buffer;      /* and the former; NULL: none */
	_Atomic uint32_t delegated;  /* the state of the section that it waits for */
	uint32_t read_count;
	uint16_t delegates_to; /* the node to whose queues it delegates, + 1; 0: not chosen yet */
	uint16_t added;        /* in a function of a lock of one's own: its place in heddle_locks(), + 1 */
	uint16_t sections;     /* how many locks it holds that are in none of these lists */
	bool writes;           /* only for baseline/: it waits at a reader-writer lock to write */
};

/* 0: the task holds none of these. */
static inline uintptr_t task_locks_held(const struct task_locks *locks)
{
	return (uintptr_t)locks->written | (uintptr_t)locks->reads | (uintptr_t)locks->entered |
	       locks->read_count | locks->sections;
}

/* 0: there is nothing here that the end of the task must look at (sched/task.h). What there is has touched the task. */
static inline uintptr_t task_locks_left(const struct task_locks *locks)
{
	return task_locks_held(locks) | (uintptr_t)locks->abandoned | (uintptr_t)locks->buffer;
}

/* As a new task begins. */
static inline void task_locks_reset(struct task_locks *locks)
{
	*locks = (struct task_locks){.waiter = locks->waiter};
}

static inline bool task_locks_are_reset(const struct task_locks *locks)
{
	return task_locks_left(locks) == 0 && !locks->serves && locks->delegates_to == 0 && locks->added == 0;
}

#endif
