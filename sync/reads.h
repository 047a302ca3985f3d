/*
 * The shares under which a task reads: one each time that it has locked a lock to read. A share is the address of a
 * reader-writer lock, or that of an mrqd lock, marked (mrqd_share()). So the end of a task gives all of them back,
 * and giving back a share that the task does not have is noticed. The newest TASK_READS are in the task itself, with
 * the newest of all found at once. When they are full, all of them move to a block. Only the task itself touches any
 * of this.
 */
#ifndef SYNC_READS_H
#define SYNC_READS_H

#include "kernel/pool.h"
#include "sched/task.h"

struct reads {
	struct pool_object pooled;
	struct reads *older;
	const void *shares[TASK_READS];
};

void reads_start(void);

/* The next four, when they cannot be done inline. */
bool reads_spill(struct task *task);
bool reads_remove_anywhere(struct task *task, const void *share);
bool reads_has_anywhere(struct task *task, const void *share);

static inline bool reads_have_room(const struct task *task)
{
	return __builtin_expect(task->locks.read_count < TASK_READS, 1);
}

/* Make room for one more; false: no memory. */
static inline bool reads_reserve(struct task *task)
{
	return reads_have_room(task) || reads_spill(task);
}

/* There must be room. */
static inline void reads_add(struct task *task, const void *share)
{
	task_touch(task);
	task->locks.read[task->locks.read_count++] = share;
}

/* Whether this share is the newest of all. Also false if that is in a block. */
static inline bool reads_is_newest(const struct task *task, const void *share)
{
	return __builtin_expect(
	    task->locks.read_count > 0 && task->locks.read[task->locks.read_count - 1] == share, 1);
}

static inline void reads_remove_newest(struct task *task)
{
	task->locks.read_count--;
}

/* False: the task has no such share. Takes time in proportion to the shares that came since. */
static inline bool reads_remove(struct task *task, const void *share)
{
	if (!reads_is_newest(task, share))
		return reads_remove_anywhere(task, share);
	reads_remove_newest(task);
	return true;
}

static inline bool reads_has(struct task *task, const void *share)
{
	return __builtin_expect(task->locks.read_count > 0 || task->locks.reads, 0) &&
	       reads_has_anywhere(task, share);
}

/* Take any one of them; NULL: none is left. */
const void *reads_take(struct task *task);

#endif
