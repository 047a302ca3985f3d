/*
 * A delegation lock (qd_lock.h, which says all that holds for both) that many readers can hold together (delegation
 * paper, section 2). A reader waits for all that was delegated before, and sees its effects. Other readers gather
 * meanwhile; the first that gets the lock lets in those that wait right behind it, and they read together.
 *
 * Readers are counted in groups by the number of the task, each group on a cache line of its own. So a task that
 * moves to another processor leaves the group that it came to. A task that gets the lock waits until all groups are
 * empty.
 *
 * Fair: readers that cannot go in at once, tasks that lock, and tasks whose delegation found no room wait in one
 * queue, first come, first served.
 *
 * A reader must not lock the same lock, delegate to it or read it again, or it would wait for itself:
 * HEDDLE_RELOCKED. When a reader ends, that is reported, and its share is given back.
 *
 * | operation        | progress                    | takes effect                |
 * |------------------|-----------------------------|-----------------------------|
 * | mrqd_read_lock   | wait-free while no task     | when it finds the mutex     |
 * |                  | holds the lock, else as     | free, with its count added; |
 * |                  | qd_lock                     | or when it gets it, or is   |
 * |                  |                             | let in by one that got it   |
 * | mrqd_read_unlock | lock-free                   | at its subtraction          |
 */
#ifndef HEDDLE_MRQD_LOCK_H
#define HEDDLE_MRQD_LOCK_H

#include "heddle/qd_lock.h"

HEDDLE_BEGIN

#define HEDDLE_MRQD_GROUPS 16

struct mrqd_group {
	HEDDLE_ATOMIC(uint64_t) readers __attribute__((aligned(64)));
};

struct mrqd_lock {
	struct qd_lock lock;
	HEDDLE_ATOMIC(struct task *)
	waiting __attribute__((aligned(64))); /* the holder that awaits the readers */
	HEDDLE_ATOMIC(uint64_t) ticket;       /* of its wait */
	HEDDLE_ATOMIC(uint32_t) calm; /* how seldom its holders have much to do (sync/delegation/readers.c); */
	uint64_t sections;            /* those carried out before the last holder */
	struct mrqd_group groups[HEDDLE_MRQD_GROUPS];
};

#define HEDDLE_MRQD_LOCK_INITIALIZER(memory, slots_in_memory, help_limit) \
	{                                                                     \
		.lock = {                                                         \
			.mutex = {.owner_ends = qd_owner_ends},                       \
			.slots = (memory),                                            \
			.count = (slots_in_memory),                                   \
			.limit = (help_limit),                                        \
			.kind = HEDDLE_QD_READERS                                     \
		}                                                                 \
	}

/* As the functions in qd_lock.h. */
enum heddle_error mrqd_lock_create(struct mrqd_lock *lock, struct qd_slot *slots, size_t count,
                                   uint32_t limit);

/* HEDDLE_IN_USE: also if a task reads. */
enum heddle_error mrqd_lock_destroy(struct mrqd_lock *lock);

/* Read, together with other readers. HEDDLE_RELOCKED: the caller reads or holds the lock, or is one of its sections.
 * HEDDLE_NO_MEMORY: also if there is none to record that it reads more than two locks. HEDDLE_OWNER_DIED: it reads,
 * as after mutex_lock(), until mutex_repair(&lock->lock.mutex). Other errors as mutex_lock(). */
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error mrqd_read_lock(struct mrqd_lock *lock);
HEDDLE_DEEP HEDDLE_MAY_SWITCH enum heddle_error mrqd_read_lock_until(struct mrqd_lock *lock,
                                                                     uint64_t deadline);

/* The same without waiting; HEDDLE_BUSY, HEDDLE_OWNER_DIED. */
enum heddle_error mrqd_read_try_lock(struct mrqd_lock *lock);

/* HEDDLE_NOT_OWNER: the caller does not read; nothing was changed. */
HEDDLE_MAY_WAKE enum heddle_error mrqd_read_unlock(struct mrqd_lock *lock);

HEDDLE_MAY_WAKE static inline enum heddle_error mrqd_delegate(struct mrqd_lock *lock, qd_section section,
                                                              size_t size, const void *message)
{
	return qd_delegate(&lock->lock, section, size, message);
}

HEDDLE_MAY_SWITCH static inline enum heddle_error
mrqd_delegate_wait(struct mrqd_lock *lock, qd_section section, size_t size, void *message)
{
	return qd_delegate_wait(&lock->lock, section, size, message);
}

HEDDLE_MAY_WAKE static inline enum heddle_error mrqd_delegate_or_lock(struct mrqd_lock *lock, size_t size,
                                                                      void **buffer)
{
	return qd_delegate_or_lock(&lock->lock, size, buffer);
}

HEDDLE_MAY_WAKE static inline enum heddle_error mrqd_close_buffer(struct mrqd_lock *lock, void *buffer,
                                                                  qd_section section)
{
	return qd_close_buffer(&lock->lock, buffer, section);
}

HEDDLE_MAY_WAKE static inline enum heddle_error mrqd_delegate_unlock(struct mrqd_lock *lock)
{
	return qd_unlock(&lock->lock);
}

HEDDLE_MAY_SWITCH static inline enum heddle_error mrqd_lock(struct mrqd_lock *lock)
{
	return qd_lock(&lock->lock);
}

HEDDLE_MAY_SWITCH static inline enum heddle_error mrqd_lock_until(struct mrqd_lock *lock, uint64_t deadline)
{
	return qd_lock_until(&lock->lock, deadline);
}

static inline enum heddle_error mrqd_try_lock(struct mrqd_lock *lock)
{
	return qd_try_lock(&lock->lock);
}

HEDDLE_MAY_WAKE static inline enum heddle_error mrqd_unlock(struct mrqd_lock *lock)
{
	return qd_unlock(&lock->lock);
}

HEDDLE_END

#endif
