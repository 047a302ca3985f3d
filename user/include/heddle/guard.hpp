/*
 * Guards: the constructor takes a lock, and the end of the block gives it back.
 *
 *     heddle::mutex_guard guard(mutex);
 *     if (!guard)
 *         return guard.error();             not held: a deadline, a cancellation, a misuse
 *     while (!there_is_something)
 *         guard.wait(condition);
 *
 * A guard belongs to the task that made it, and cannot be moved. Its constructor and its destructor may switch the
 * task.
 */
#ifndef HEDDLE_GUARD_HPP
#define HEDDLE_GUARD_HPP

#include "heddle/condition.h"
#include "heddle/hqd_lock.h"
#include "heddle/mrqd_lock.h"
#include "heddle/mutex.h"
#include "heddle/qd_lock.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"

namespace heddle
{

/* For each kind of lock: how to take it, with and without a deadline, and how to give it back. */
template <class Lock, heddle_error (*Take)(Lock *), heddle_error (*TakeUntil)(Lock *, uint64_t),
          heddle_error (*Give)(Lock *)>
class [[nodiscard]] lock_guard
{
  public:
	/* Waits; error() has the result. */
	HEDDLE_MAY_SWITCH explicit lock_guard(Lock &lock) : lock_(&lock), error_(Take(&lock))
	{
	}

	/* The same until `deadline` (heddle_clock()) at most. */
	HEDDLE_MAY_SWITCH lock_guard(Lock &lock, uint64_t deadline)
	    : lock_(&lock), error_(TakeUntil(&lock, deadline))
	{
	}

	lock_guard(const lock_guard &) = delete;
	lock_guard &operator=(const lock_guard &) = delete;

	HEDDLE_MAY_WAKE ~lock_guard()
	{
		unlock();
	}

	/* Give the lock back before the end of the block; again: no effect. Returns HEDDLE_OK, or why the lock is still
	 * held. */
	HEDDLE_MAY_WAKE heddle_error unlock()
	{
		if (!*this)
			return HEDDLE_OK;
		heddle_error error = Give(lock_);
		if (error == HEDDLE_OK)
			error_ = HEDDLE_NOT_OWNER;
		return error;
	}

	/* Whether the lock is held; also if its last holder ended without giving it up, which error() tells. */
	explicit operator bool() const
	{
		return error_ == HEDDLE_OK || error_ == HEDDLE_OWNER_DIED;
	}

	/* The result of taking it; HEDDLE_NOT_OWNER after unlock(). */
	heddle_error error() const
	{
		return error_;
	}

	Lock &lock() const
	{
		return *lock_;
	}

  private:
	Lock *lock_;
	heddle_error error_;
};

using read_guard = lock_guard<struct reader_writer_lock, reader_writer_lock_read,
                              reader_writer_lock_read_until, reader_writer_lock_read_unlock>;
using write_guard = lock_guard<struct reader_writer_lock, reader_writer_lock_write,
                               reader_writer_lock_write_until, reader_writer_lock_write_unlock>;

/* The destructor runs what was delegated meanwhile. */
using qd_guard = lock_guard<struct qd_lock, qd_lock, qd_lock_until, qd_unlock>;
using hqd_guard = lock_guard<struct hqd_lock, hqd_lock, hqd_lock_until, hqd_unlock>;
using mrqd_guard = lock_guard<struct mrqd_lock, mrqd_lock, mrqd_lock_until, mrqd_unlock>;
using mrqd_read_guard = lock_guard<struct mrqd_lock, mrqd_read_lock, mrqd_read_lock_until, mrqd_read_unlock>;

class [[nodiscard]] mutex_guard : public lock_guard<struct mutex, mutex_lock, mutex_lock_until, mutex_unlock>
{
  public:
	using lock_guard::lock_guard;

	/* Give up the mutex, wait for a notification, and hold the mutex again, whatever the result is: condition_wait()
	 * and condition_wait_until(). */
	HEDDLE_MAY_SWITCH heddle_error wait(struct condition &condition)
	{
		return condition_wait(&condition, &lock());
	}

	HEDDLE_MAY_SWITCH heddle_error wait_until(struct condition &condition, uint64_t deadline)
	{
		return condition_wait_until(&condition, &lock(), deadline);
	}

	/* Wait until holds() is true: HEDDLE_OK; or until a wait ends with an error while holds() is false. */
	template <class Holds> HEDDLE_MAY_SWITCH heddle_error wait(struct condition &condition, Holds &&holds)
	{
		return wait_until(condition, HEDDLE_NO_DEADLINE, holds);
	}

	template <class Holds>
	HEDDLE_MAY_SWITCH heddle_error wait_until(struct condition &condition, uint64_t deadline, Holds &&holds)
	{
		heddle_error error = HEDDLE_OK;
		while (!holds() && error == HEDDLE_OK)
			error = wait_until(condition, deadline);
		return error == HEDDLE_OK || holds() ? HEDDLE_OK : error;
	}
};

/* Permits of a semaphore. */
class [[nodiscard]] semaphore_guard
{
  public:
	HEDDLE_MAY_SWITCH explicit semaphore_guard(struct semaphore &semaphore, uint32_t count = 1,
	                                           uint64_t deadline = HEDDLE_NO_DEADLINE)
	    : semaphore_(&semaphore), count_(count), error_(semaphore_acquire_until(&semaphore, count, deadline))
	{
	}

	semaphore_guard(const semaphore_guard &) = delete;
	semaphore_guard &operator=(const semaphore_guard &) = delete;

	HEDDLE_MAY_WAKE ~semaphore_guard()
	{
		release();
	}

	/* Give them back before the end of the block; again: no effect. */
	HEDDLE_MAY_WAKE heddle_error release()
	{
		if (!*this)
			return HEDDLE_OK;
		error_ = HEDDLE_NOT_OWNER;
		return semaphore_release(semaphore_, count_);
	}

	/* Leave them taken: another task gives them back. */
	void keep()
	{
		error_ = HEDDLE_NOT_OWNER;
	}

	explicit operator bool() const
	{
		return error_ == HEDDLE_OK;
	}

	heddle_error error() const
	{
		return error_;
	}

  private:
	struct semaphore *semaphore_;
	uint32_t count_;
	heddle_error error_;
};

/* No check switches the task away in this block. Do not call anything in it that may switch. */
class [[nodiscard]] uncooperative_guard
{
  public:
	uncooperative_guard()
	{
		uncooperative_begin();
	}

	uncooperative_guard(const uncooperative_guard &) = delete;
	uncooperative_guard &operator=(const uncooperative_guard &) = delete;

	HEDDLE_MAY_WAKE ~uncooperative_guard()
	{
		uncooperative_end();
	}
};

} // namespace heddle

#endif
