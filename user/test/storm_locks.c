/*
 * The storm's locks: the list of them, and their implementations of the common interface.
 */
#include "user/test/storm_lock.h"

#include <string.h>

#include "sched/task.h"
#include "user/test/mutex_plain.h"

struct storm_lock *storm_locks;

/* ------------------------------------------------------------------------------------- the interface -- */

#define PLAIN(name, call)                                  \
	static enum heddle_error name(struct storm_lock *lock) \
	{                                                      \
		return call;                                       \
	}
#define UNTIL(name, call)                                                     \
	static enum heddle_error name(struct storm_lock *lock, uint64_t deadline) \
	{                                                                         \
		return call;                                                          \
	}

/* Often plain, so that many tasks turn it (sync/mutex_plain.h). */
PLAIN(mutex_take, (make_plain(&lock->mutex), mutex_lock(&lock->mutex)))
UNTIL(mutex_take_until, mutex_lock_until(&lock->mutex, deadline))
PLAIN(mutex_try, mutex_try_lock(&lock->mutex))
PLAIN(mutex_give, mutex_unlock(&lock->mutex))
PLAIN(mutex_mend, mutex_repair(&lock->mutex))
PLAIN(mutex_end, mutex_destroy(&lock->mutex))

PLAIN(writer_take, reader_writer_lock_write(&lock->reader_writer))
UNTIL(writer_take_until, reader_writer_lock_write_until(&lock->reader_writer, deadline))
PLAIN(writer_try, reader_writer_lock_try_write(&lock->reader_writer))
PLAIN(writer_give, reader_writer_lock_write_unlock(&lock->reader_writer))
PLAIN(writer_mend, reader_writer_lock_repair(&lock->reader_writer))
PLAIN(reader_writer_end, reader_writer_lock_destroy(&lock->reader_writer))
UNTIL(reader_take_until, reader_writer_lock_read_until(&lock->reader_writer, deadline))
PLAIN(reader_try, reader_writer_lock_try_read(&lock->reader_writer))
PLAIN(reader_give, reader_writer_lock_read_unlock(&lock->reader_writer))

PLAIN(permit_take, semaphore_acquire(&lock->semaphore, 1))
UNTIL(permit_take_until, semaphore_acquire_until(&lock->semaphore, 1, deadline))
PLAIN(permit_try, semaphore_try_acquire(&lock->semaphore, 1))
PLAIN(permit_give, semaphore_release(&lock->semaphore, 1))
PLAIN(semaphore_end, semaphore_destroy(&lock->semaphore))

PLAIN(ttas_take, ttas_lock_lock(&lock->ttas))
UNTIL(ttas_take_until, ttas_lock_lock_until(&lock->ttas, deadline))
PLAIN(ttas_try, ttas_lock_try_lock(&lock->ttas))
PLAIN(ttas_give, ttas_lock_unlock(&lock->ttas))
PLAIN(ttas_end, ttas_lock_destroy(&lock->ttas))

PLAIN(mcs_take, mcs_lock_lock(&lock->mcs))
PLAIN(mcs_try, mcs_lock_try_lock(&lock->mcs))
PLAIN(mcs_give, mcs_lock_unlock(&lock->mcs))
PLAIN(mcs_end, mcs_lock_destroy(&lock->mcs))

PLAIN(cohort_take, ttas_mcs_lock_lock(&lock->cohort))
PLAIN(cohort_try, ttas_mcs_lock_try_lock(&lock->cohort))
PLAIN(cohort_give, ttas_mcs_lock_unlock(&lock->cohort))
PLAIN(cohort_end, ttas_mcs_lock_destroy(&lock->cohort))

#define DELEGATION(prefix, place)                                                                      \
	PLAIN(prefix##_take, prefix##_lock(place))                                                         \
	UNTIL(prefix##_take_until, prefix##_lock_until(place, deadline))                                   \
	PLAIN(prefix##_try, prefix##_try_lock(place))                                                      \
	PLAIN(prefix##_give, prefix##_unlock(place))                                                       \
	PLAIN(prefix##_end, prefix##_lock_destroy(place))                                                  \
	static enum heddle_error prefix##_leave(struct storm_lock *lock, qd_section section, size_t size,  \
	                                        const void *message)                                       \
	{                                                                                                  \
		return prefix##_delegate(place, section, size, message);                                       \
	}                                                                                                  \
	static enum heddle_error prefix##_await(struct storm_lock *lock, qd_section section, size_t size,  \
	                                        void *message)                                             \
	{                                                                                                  \
		return prefix##_delegate_wait(place, section, size, message);                                  \
	}                                                                                                  \
	static enum heddle_error prefix##_open(struct storm_lock *lock, size_t size, void **buffer)        \
	{                                                                                                  \
		return prefix##_delegate_or_lock(place, size, buffer);                                         \
	}                                                                                                  \
	static enum heddle_error prefix##_close(struct storm_lock *lock, void *buffer, qd_section section) \
	{                                                                                                  \
		return prefix##_close_buffer(place, buffer, section);                                          \
	}

DELEGATION(qd, &lock->qd)
DELEGATION(mrqd, &lock->mrqd)
DELEGATION(hqd, &lock->hqd)
PLAIN(qd_mend, mutex_repair(&lock->qd.mutex))
PLAIN(mrqd_mend, mutex_repair(&lock->mrqd.lock.mutex))
UNTIL(mrqd_read_until, mrqd_read_lock_until(&lock->mrqd, deadline))
PLAIN(mrqd_read_try, mrqd_read_try_lock(&lock->mrqd))
PLAIN(mrqd_read_give, mrqd_read_unlock(&lock->mrqd))

/* ------------------------------------------------------------------------------------------- the kinds -- */

/* With a queue for each node; this uses the one of the task's node. */
static enum heddle_error hqd_mend(struct storm_lock *lock)
{
	return mutex_repair(&lock->hqd.node[(task_current()->locks.delegates_to - 1) % lock->hqd.nodes].mutex);
}

static bool zeroed(struct storm_lock *lock)
{
	(void)lock;
	return true;
}

static bool permit_create(struct storm_lock *lock)
{
	lock->semaphore = (struct semaphore)HEDDLE_SEMAPHORE_INITIALIZER(1);
	return true;
}

static bool mcs_create(struct storm_lock *lock)
{
	return waiting_parse("adaptive", &lock->strategy) == HEDDLE_OK &&
	       mcs_lock_create(&lock->mcs, &lock->strategy) == HEDDLE_OK;
}

static bool cohort_create(struct storm_lock *lock)
{
	return ttas_mcs_lock_create(&lock->cohort, NULL, lock->queues, STORM_COHORTS, HEDDLE_TTAS_MCS_RANDOM) ==
	       HEDDLE_OK;
}

/* Four slots and little help, so that waiting for room and leftover sections are frequent. */
static bool qd_create_small(struct storm_lock *lock)
{
	return qd_lock_create(&lock->qd, lock->slots, STORM_SLOTS_FEWEST, 3) == HEDDLE_OK;
}

static bool qd_create_large(struct storm_lock *lock)
{
	return qd_lock_create(&lock->qd, lock->slots, STORM_SLOTS, HEDDLE_QD_LIMIT) == HEDDLE_OK;
}

static bool mrqd_create(struct storm_lock *lock)
{
	return mrqd_lock_create(&lock->mrqd, lock->slots, 8, 5) == HEDDLE_OK;
}

static bool hqd_create(struct storm_lock *lock)
{
	return hqd_lock_create(&lock->hqd, STORM_NODES, lock->slots, 8, 4) == HEDDLE_OK;
}

#define DELEGATES(prefix)                                                                                  \
	.lock = prefix##_take, .lock_until = prefix##_take_until, .try_lock = prefix##_try,                    \
	.unlock = prefix##_give, .repair = prefix##_mend, .destroy = prefix##_end, .delegate = prefix##_leave, \
	.delegate_wait = prefix##_await, .delegate_or_lock = prefix##_open, .close_buffer = prefix##_close,    \
	.cancels = true, .dies = true

static const struct storm_lock_kind mutex_kind = {
    .name = "mutex",
    .cancels = true,
    .dies = true,
    .create = zeroed,
    .lock = mutex_take,
    .lock_until = mutex_take_until,
    .try_lock = mutex_try,
    .unlock = mutex_give,
    .repair = mutex_mend,
    .destroy = mutex_end,
};
static const struct storm_lock_kind reader_writer_kind = {
    .name = "reader-writer lock",
    .cancels = true,
    .dies = true,
    .create = zeroed,
    .lock = writer_take,
    .lock_until = writer_take_until,
    .try_lock = writer_try,
    .unlock = writer_give,
    .repair = writer_mend,
    .destroy = reader_writer_end,
    .read_lock_until = reader_take_until,
    .read_try_lock = reader_try,
    .read_unlock = reader_give,
};
static const struct storm_lock_kind permit_kind = {
    .name = "semaphore",
    .cancels = true,
    .create = permit_create,
    .lock = permit_take,
    .lock_until = permit_take_until,
    .try_lock = permit_try,
    .unlock = permit_give,
    .destroy = semaphore_end,
};
static const struct storm_lock_kind ttas_kind = {
    .name = "TTAS lock",
    .create = zeroed,
    .lock = ttas_take,
    .lock_until = ttas_take_until,
    .try_lock = ttas_try,
    .unlock = ttas_give,
    .destroy = ttas_end,
};
static const struct storm_lock_kind mcs_kind = {
    .name = "MCS lock",
    .create = mcs_create,
    .lock = mcs_take,
    .try_lock = mcs_try,
    .unlock = mcs_give,
    .destroy = mcs_end,
};
static const struct storm_lock_kind cohort_kind = {
    .name = "cohort lock",
    .create = cohort_create,
    .lock = cohort_take,
    .try_lock = cohort_try,
    .unlock = cohort_give,
    .destroy = cohort_end,
};
static const struct storm_lock_kind qd_small_kind = {
    .name = "small qd lock", .create = qd_create_small, DELEGATES(qd)};
static const struct storm_lock_kind qd_large_kind = {
    .name = "large qd lock", .create = qd_create_large, DELEGATES(qd)};
static const struct storm_lock_kind mrqd_kind = {
    .name = "mrqd lock",
    .create = mrqd_create,
    .read_lock_until = mrqd_read_until,
    .read_try_lock = mrqd_read_try,
    .read_unlock = mrqd_read_give,
    DELEGATES(mrqd),
};
static const struct storm_lock_kind hqd_kind = {
    .name = "hqd lock", .partly_told = true, .create = hqd_create, DELEGATES(hqd)};

static const struct storm_lock_kind *const kinds[STORM_LOCKS] = {
    &mutex_kind,         &mutex_kind,         &mutex_kind,         &mutex_kind,
    &reader_writer_kind, &reader_writer_kind, &reader_writer_kind, &reader_writer_kind,
    &permit_kind,        &ttas_kind,          &mcs_kind,           &cohort_kind,
    &qd_small_kind,      &qd_large_kind,      &mrqd_kind,          &hqd_kind,
};

/* ----------------------------------------------------------------------------------- begin and end -- */

#define LOCKS_SIZE (STORM_LOCKS * sizeof(struct storm_lock))

bool storm_locks_prepare(void)
{
	storm_locks = heddle_allocate(LOCKS_SIZE);
	if (!storm_locks)
		return false;
	memset(storm_locks, 0, LOCKS_SIZE);
	for (unsigned i = 0; i < STORM_LOCKS; i++) {
		storm_locks[i].kind = kinds[i];
		STORM_CHECK(kinds[i]->create(&storm_locks[i]));
	}
	return true;
}

void storm_node_choose(unsigned number)
{
	task_touch(task_current());
	task_current()->locks.delegates_to = 1 + number % STORM_NODES;
}

/* The last delegated sections run when the lock is given up. */
static void lock_finish(struct storm_lock *lock)
{
	struct storm_guarded *guarded = &lock->guarded;
	for (unsigned node = 0; node < STORM_NODES; node++) {
		storm_node_choose(node);
		STORM_GIVES(lock->kind->lock(lock), STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_OWNER_DIED));
		STORM_OK(lock->kind->unlock(lock));
	}
	STORM_CHECK(guarded->broken || (guarded->inside == NULL && guarded->count == guarded->visits));
	STORM_CHECK(guarded->readers == 0);
	for (unsigned i = 0; i < STORM_WORKERS_MAXIMUM; i++)
		STORM_CHECK(lock->carried_out[i] == lock->told[i]);
	STORM_CHECK(lock->nested_carried_out == lock->nested_told);
	STORM_OK(lock->kind->destroy(lock));
}

void storm_locks_finish(void)
{
	for (unsigned i = 0; i < STORM_LOCKS; i++)
		lock_finish(&storm_locks[i]);
	heddle_free(storm_locks, LOCKS_SIZE);
}
