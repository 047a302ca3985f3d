/*
 * The three locks of the lock-algorithms paper for fibers of Boost.Fiber: TTAS, MCS (Listing 1) and the cohort
 * lock TTAS-MCS-N (section 3.2.2). As in the paper a lock is taken with a node of the caller's, which it needs
 * until it gives the lock up.
 */
#ifndef RUNTIMES_BOOST_FIBER_STRATEGY_LOCKS_HPP
#define RUNTIMES_BOOST_FIBER_STRATEGY_LOCKS_HPP

#include <sched.h>

#include <vector>

#include "runtimes/boost_fiber/backoff.hpp"

namespace locks
{

class ttas_lock
{
	std::atomic<bool> taken{false};
	strategy how;

  public:
	struct node {
	};

	explicit ttas_lock(const strategy &chosen) : how(chosen)
	{
	}

	bool try_lock() noexcept
	{
		/* acquire: pairs with unlock(). */
		return !taken.load(std::memory_order_relaxed) && !taken.exchange(true, std::memory_order_acquire);
	}

	void lock(node &)
	{
		backoff waiting(how);
		while (!try_lock())
			waiting.wait();
	}

	void unlock(node &) noexcept
	{
		/* release: what the holder did; pairs with try_lock(). */
		taken.store(false, std::memory_order_release);
	}
};

class mcs_lock
{
  public:
	struct node {
		std::atomic<node *> next{nullptr};
		locks::place place;
	};

	explicit mcs_lock(const strategy &chosen) : how(chosen)
	{
	}

	void lock(node &own)
	{
		/* acq_rel: the next one to come sees the node ready, and this one what the last holder did. Pairs with
		 * itself and unlock(). */
		node *before = tail.exchange(&own, std::memory_order_acq_rel);
		if (!before)
			return;
		/* release: pairs with unlock(). */
		before->next.store(&own, std::memory_order_release);
		backoff waiting(how, &own.place);
		while (!own.place.is_active())
			waiting.wait();
	}

	void unlock(node &own)
	{
		node *expected = &own;
		/* release: pairs with lock(). */
		if (!own.next.load(std::memory_order_acquire) &&
		    tail.compare_exchange_strong(expected, nullptr, std::memory_order_release,
		                                 std::memory_order_relaxed))
			return;
		/* Another is in the queue, but has not linked its node yet. */
		backoff waiting(how);
		node *next;
		while (!(next = own.next.load(std::memory_order_acquire)))
			waiting.wait();
		next->place.resume();
	}

  private:
	std::atomic<node *> tail{nullptr};
	strategy how;
};

class cohort_lock
{
	struct alignas(64) queue {
		mcs_lock lock;
	};

	ttas_lock outer;
	strategy how;
	std::vector<std::unique_ptr<queue>> queues;

  public:
	struct node {
		mcs_lock::node place;
		ttas_lock::node unused;
		queue *entered = nullptr;
	};

	cohort_lock(const strategy &chosen, unsigned count) : outer(chosen), how(chosen)
	{
		for (unsigned i = 0; i < count; i++)
			queues.push_back(std::unique_ptr<queue>(new queue{mcs_lock(chosen)}));
	}

	void lock(node &own)
	{
		if (outer.try_lock())
			return;
		own.entered = queues[static_cast<unsigned>(sched_getcpu()) % queues.size()].get();
		own.entered->lock.lock(own.place);
		backoff waiting(how);
		while (!outer.try_lock())
			waiting.wait();
	}

	void unlock(node &own)
	{
		outer.unlock(own.unused);
		if (own.entered)
			own.entered->lock.unlock(own.place);
	}
};

/* A mutex of a library, which needs no node. */
template <class Mutex> class plain_lock
{
	Mutex mutex;

  public:
	struct node {
	};

	void lock(node &)
	{
		mutex.lock();
	}

	void unlock(node &)
	{
		mutex.unlock();
	}
};

} // namespace locks

#endif
