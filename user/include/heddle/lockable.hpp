/*
 * Locks as the C++ standard requires them (its Lockable, TimedLockable and SharedLockable), for std::scoped_lock,
 * std::unique_lock, std::shared_lock and std::lock:
 *
 *     heddle::lockable::mutex first, second;
 *     std::scoped_lock both(first, second);
 *
 * Where the standard has no answer: a cancellation does not end lock(), and is kept for the next wait. If a holder
 * has ended without unlock(), that is reported, and the next one holds the lock. A misuse, such as relocking or
 * waiting in an uncooperative section, ends the task by a fault. Durations and times beyond the clock count as
 * never, or as past.
 */
#ifndef HEDDLE_LOCKABLE_HPP
#define HEDDLE_LOCKABLE_HPP

#include "heddle/mutex.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/system.h"

namespace heddle
{
namespace lockable
{

inline bool is_held(heddle_error error)
{
	return error == HEDDLE_OK || error == HEDDLE_OWNER_DIED;
}

/* Whether the lock is held; a fault if the call was a misuse. */
inline bool held_or(heddle_error error, heddle_error other)
{
	if (!is_held(error) && error != other)
		__builtin_trap();
	return is_held(error);
}

/* Wait until it is held. */
template <class Lock, heddle_error (*Take)(Lock *)> HEDDLE_MAY_SWITCH void take(Lock &lock)
{
	bool cancelled = false;
	while (!held_or(Take(&lock), HEDDLE_CANCELLED))
		cancelled = true;
	if (cancelled)
		task_cancel(task_current());
}

template <class Lock, heddle_error (*TakeUntil)(Lock *, uint64_t)>
HEDDLE_MAY_SWITCH bool take_until(Lock &lock, uint64_t deadline)
{
	bool cancelled = false;
	heddle_error error;
	while ((error = TakeUntil(&lock, deadline)) == HEDDLE_CANCELLED)
		cancelled = true;
	if (cancelled)
		task_cancel(task_current());
	return held_or(error, HEDDLE_TIMED_OUT);
}

/* The time at which a std::chrono::duration from now ends, rounded up; for a negative one, a time in the past. One that
 * is longer than the clock goes never ends. */
template <class Duration> uint64_t after(const Duration &duration)
{
	const double nanoseconds = static_cast<double>(duration.count()) *
	                           static_cast<double>(Duration::period::num) /
	                           static_cast<double>(Duration::period::den) * 1e9;
	if (!(nanoseconds > 0))
		return 1;
	return nanoseconds < 9e18 ? heddle_clock() + static_cast<uint64_t>(nanoseconds) + 1 : HEDDLE_NO_DEADLINE;
}

/* A std::chrono::duration in seconds, roughly: for one of any length. */
template <class Duration> double seconds_of(const Duration &duration)
{
	return static_cast<double>(duration.count()) * static_cast<double>(Duration::period::num) /
	       static_cast<double>(Duration::period::den);
}

/* The same as after() for a std::chrono::time_point. If it is more than 200 years away, its distance may be too large
 * for the type. */
template <class Time> uint64_t at(const Time &time)
{
	constexpr double far = 200 * 366 * 86400.0;
	const auto now = Time::clock::now();
	const double left = seconds_of(time.time_since_epoch()) - seconds_of(now.time_since_epoch());
	if (left > far)
		return HEDDLE_NO_DEADLINE;
	return left < -far ? 1 : after(time - now);
}

/* std::timed_mutex. */
class mutex
{
  public:
	mutex() = default;
	mutex(const mutex &) = delete;
	mutex &operator=(const mutex &) = delete;

	HEDDLE_MAY_SWITCH void lock()
	{
		take<heddle::mutex, mutex_lock>(mutex_);
	}

	bool try_lock()
	{
		return held_or(mutex_try_lock(&mutex_), HEDDLE_BUSY);
	}

	template <class Duration> HEDDLE_MAY_SWITCH bool try_lock_for(const Duration &duration)
	{
		return take_until<heddle::mutex, mutex_lock_until>(mutex_, after(duration));
	}

	template <class Time> HEDDLE_MAY_SWITCH bool try_lock_until(const Time &time)
	{
		return take_until<heddle::mutex, mutex_lock_until>(mutex_, at(time));
	}

	HEDDLE_MAY_WAKE void unlock()
	{
		held_or(mutex_unlock(&mutex_), HEDDLE_OK);
	}

	heddle::mutex &native()
	{
		return mutex_;
	}

  private:
	heddle::mutex mutex_ = HEDDLE_MUTEX_INITIALIZER;
};

/* std::shared_timed_mutex. */
class shared_mutex
{
  public:
	shared_mutex() = default;
	shared_mutex(const shared_mutex &) = delete;
	shared_mutex &operator=(const shared_mutex &) = delete;

	HEDDLE_MAY_SWITCH void lock()
	{
		take<struct reader_writer_lock, reader_writer_lock_write>(lock_);
	}

	bool try_lock()
	{
		return held_or(reader_writer_lock_try_write(&lock_), HEDDLE_BUSY);
	}

	template <class Duration> HEDDLE_MAY_SWITCH bool try_lock_for(const Duration &duration)
	{
		return take_until<struct reader_writer_lock, reader_writer_lock_write_until>(lock_, after(duration));
	}

	template <class Time> HEDDLE_MAY_SWITCH bool try_lock_until(const Time &time)
	{
		return take_until<struct reader_writer_lock, reader_writer_lock_write_until>(lock_, at(time));
	}

	HEDDLE_MAY_WAKE void unlock()
	{
		held_or(reader_writer_lock_write_unlock(&lock_), HEDDLE_OK);
	}

	HEDDLE_MAY_SWITCH void lock_shared()
	{
		take<struct reader_writer_lock, reader_writer_lock_read>(lock_);
	}

	bool try_lock_shared()
	{
		return held_or(reader_writer_lock_try_read(&lock_), HEDDLE_BUSY);
	}

	template <class Duration> HEDDLE_MAY_SWITCH bool try_lock_shared_for(const Duration &duration)
	{
		return take_until<struct reader_writer_lock, reader_writer_lock_read_until>(lock_, after(duration));
	}

	template <class Time> HEDDLE_MAY_SWITCH bool try_lock_shared_until(const Time &time)
	{
		return take_until<struct reader_writer_lock, reader_writer_lock_read_until>(lock_, at(time));
	}

	HEDDLE_MAY_WAKE void unlock_shared()
	{
		held_or(reader_writer_lock_read_unlock(&lock_), HEDDLE_OK);
	}

	struct reader_writer_lock &native()
	{
		return lock_;
	}

  private:
	struct reader_writer_lock lock_ = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
};

} // namespace lockable
} // namespace heddle

#endif
