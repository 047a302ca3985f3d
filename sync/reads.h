/*
 * What a task reads under: a share of a reader-writer lock each time that it has locked it to read. So its
 * end gives all of them back, and a share that it does not have is missed. The newest TASK_READS are in the
 * task, where the newest of all is found at once; when they are full all go to a block behind them. Only the
 * task itself touches any of it.
 */
#ifndef SYNC_READS_H
#define SYNC_READS_H

#include "kernel/pool.h"
#include "sched/task.h"

struct reads {
	struct pool_object pooled;
	struct reads *older;
	struct reader_writer_lock *locks[TASK_READS];
};

void reads_start(void);

/* As the next three where they are not inline. */
bool reads_spill(struct task *task);
bool reads_remove_slowly(struct task *task, const struct reader_writer_lock *lock);

/* Whether there is room for one more; false: no memory. */
static inline bool reads_reserve(struct task *task)
{
	return __builtin_expect(task->read_count < TASK_READS, 1) || reads_spill(task);
}

/* Where there is room. */
static inline void reads_add(struct task *task, struct reader_writer_lock *lock)
{
	task->read[task->read_count++] = lock;
}

/* False: the task does not read under this lock. Takes time in proportion to those that came since. */
static inline bool reads_remove(struct task *task, const struct reader_writer_lock *lock)
{
	if (__builtin_expect(task->read_count == 0 || task->read[task->read_count - 1] != lock, 0))
		return reads_remove_slowly(task, lock);
	task->read_count--;
	return true;
}

bool reads_has(struct task *task, const struct reader_writer_lock *lock);

/* Any one of them; NULL: none is left. */
struct reader_writer_lock *reads_any(struct task *task);

#endif
