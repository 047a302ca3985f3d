/*
 * A mutex and a condition for fibers of Boost.Fiber by exchange (exchange paper, Figure 6 and section 5.2), in
 * the place of boost::fibers::mutex and boost::fibers::condition_variable: a fiber that unlocks while another
 * waits makes way for it, and is made ready itself.
 *
 *     boost::fibers::use_scheduling_algorithm<exchange::work_stealing>(threads);       on each thread
 *     exchange::mutex mutex;
 *     std::unique_lock<exchange::mutex> lock(mutex);
 *
 * With another algorithm the locks are right as well, and exchange between the fibers of one thread.
 *
 * Unlike with the library's mutex, a fiber that is woken owns the mutex: no other comes between. There are no waits
 * with a deadline. As with the library's, locking a mutex that the fiber holds, or unlocking one that it does not,
 * throws boost::fibers::lock_error.
 *
 * The state of a mutex, under its spin lock:
 *
 *     no owner --lock--> owner A --lock by B--> owner A, B in line --unlock--> owner B, which runs at once
 *     owner A, none in line --unlock--> no owner
 */
#ifndef RUNTIMES_BOOST_FIBER_EXCHANGE_MUTEX_HPP
#define RUNTIMES_BOOST_FIBER_EXCHANGE_MUTEX_HPP

#include <mutex>
#include <system_error>

#include "runtimes/boost_fiber/hand_over.hpp"

namespace exchange
{

class mutex;

/* A fiber in line, on its stack. */
struct waiting {
	context *fiber;
	class mutex *mutex; /* that it has when it goes on */
	waiting *next = nullptr;
};

/* First come, first served. */
class line
{
	waiting *first = nullptr, *last = nullptr;

  public:
	void put(waiting &one) noexcept
	{
		one.next = nullptr;
		(first ? last->next : first) = &one;
		last = &one;
	}

	waiting *take() noexcept
	{
		waiting *one = first;
		if (one)
			first = one->next;
		return one;
	}

	bool is_empty() const noexcept
	{
		return !first;
	}
};

class mutex
{
	friend class condition;

	mutable spinlock guard;
	context *owner = nullptr;
	line waiters;

	[[noreturn]] static void refuse(std::errc error, const char *sentence)
	{
		throw boost::fibers::lock_error(std::make_error_code(error), sentence);
	}

	/* With the guard. Returns the new owner, or nullptr. */
	context *pass() noexcept
	{
		waiting *next = waiters.take();
		owner = next ? next->fiber : nullptr;
		return owner;
	}

	/* For a fiber that was notified: whether it has the mutex; else it is in line. */
	bool take_or_wait(waiting &one) noexcept
	{
		spinlock_lock lock(guard);
		if (owner)
			waiters.put(one);
		else
			owner = one.fiber;
		return owner == one.fiber;
	}

	void check_owner() const
	{
		if (owner != context::active())
			refuse(std::errc::operation_not_permitted,
			       "exchange: a fiber unlocks a mutex that it does not hold");
	}

  public:
	mutex() = default;
	mutex(const mutex &) = delete;
	mutex &operator=(const mutex &) = delete;

	void lock()
	{
		context *self = context::active();
		spinlock_lock lock(guard);
		if (owner == self)
			refuse(std::errc::resource_deadlock_would_occur, "exchange: a fiber locks a mutex that it holds");
		if (!owner) {
			owner = self;
			return;
		}
		waiting place{self, this};
		waiters.put(place);
		leave(std::move(lock));
	}

	bool try_lock()
	{
		context *self = context::active();
		spinlock_lock lock(guard);
		if (owner == self)
			refuse(std::errc::resource_deadlock_would_occur, "exchange: a fiber locks a mutex that it holds");
		if (!owner)
			owner = self;
		return owner == self;
	}

	void unlock()
	{
		spinlock_lock lock(guard);
		check_owner();
		context *next = pass();
		lock.unlock();
		if (next)
			exchange_to(next);
	}
};

class condition
{
	spinlock guard;
	line waiters;

	waiting *take()
	{
		spinlock_lock lock(guard);
		return waiters.take();
	}

  public:
	condition() = default;
	condition(const condition &) = delete;
	condition &operator=(const condition &) = delete;

	/* Give the mutex up and wait for a notification; it is held again when this returns. */
	void wait(std::unique_lock<mutex> &held)
	{
		mutex &mutex = *held.mutex();
		waiting place{context::active(), &mutex};
		spinlock_lock lock(guard);
		{
			spinlock_lock mutex_lock(mutex.guard);
			mutex.check_owner();
			waiters.put(place);
			if (context *next = mutex.pass()) {
				mutex_lock.unlock();
				leave_to(next, std::move(lock));
				return;
			}
		}
		leave(std::move(lock));
	}

	template <class Holds> void wait(std::unique_lock<mutex> &held, Holds holds)
	{
		while (!holds())
			wait(held);
	}

	/* A notified fiber gets in line at the mutex; if that is free, the fiber runs here and at once. */
	void notify_one()
	{
		waiting *one = take();
		if (one && one->mutex->take_or_wait(*one))
			exchange_to(one->fiber);
	}

	void notify_all()
	{
		line notified;
		{
			spinlock_lock lock(guard);
			std::swap(notified, waiters);
		}
		context *next = nullptr;
		while (waiting *one = notified.take()) {
			context *fiber = one->fiber;
			/* At most one fiber finds a mutex free; but the fibers may wait for several mutexes. */
			if (!one->mutex->take_or_wait(*one))
				continue;
			if (next)
				dispatch(fiber);
			else
				next = fiber;
		}
		if (next)
			exchange_to(next);
	}
};

} // namespace exchange

#endif
