/*
 * How a fiber waits for a lock: it spins, then yields, then is suspended until it is resumed (lock-algorithms
 * paper, section 3.2 and Listing 2), as ../../../../sync/strategy/backoff.h does for Heddle's tasks.
 *
 *     place: READY_FOR_SUSPEND --the waiting fiber, with the guard held until its registers are saved--> the fiber
 *            READY_FOR_SUSPEND, the fiber --resume()--> KEEP_ACTIVE
 *
 * As there, and unlike in the paper, KEEP_ACTIVE itself ends the wait: a flag beside it would let the waiting
 * fiber go while resume() still has to come to its place.
 */
#ifndef RUNTIMES_BOOST_FIBER_BACKOFF_HPP
#define RUNTIMES_BOOST_FIBER_BACKOFF_HPP

#include <algorithm>
#include <atomic>
#include <string>

#include "runtimes/boost_fiber/hand_over.hpp"

namespace locks
{

/* Which of the stages there are, and how long they last; the limits are those of user/include/heddle/waiting.h. */
struct strategy {
	bool spins = true, yields = true, suspends = true;
	unsigned spin_limit = 2, spin_longest = 16, yield_limit = 4;
};

/* Three letters, S or *, Y or *, S or *, as in section 5.1. */
inline strategy strategy_of(const std::string &letters)
{
	strategy found;
	found.spins = letters[0] == 'S';
	found.yields = letters[1] == 'Y';
	found.suspends = letters[2] == 'S';
	return found;
}

/* Where a fiber waits until it is resumed. */
class place
{
	enum : std::uintptr_t { READY_FOR_SUSPEND, KEEP_ACTIVE };
	std::atomic<std::uintptr_t> handle{READY_FOR_SUSPEND};
	exchange::spinlock guard;

  public:
	bool is_active() const noexcept
	{
		/* acquire: what was done before it was resumed, from resume() */
		return handle.load(std::memory_order_acquire) == KEEP_ACTIVE;
	}

	/* READY_FOR_SUSPEND -> the fiber; if it is KEEP_ACTIVE by now, nothing. */
	void try_suspend() noexcept
	{
		exchange::context *self = exchange::context::active();
		exchange::spinlock_lock lock(guard);
		std::uintptr_t expected = READY_FOR_SUSPEND;
		/* relaxed: the guard orders it. */
		if (handle.compare_exchange_strong(expected, reinterpret_cast<std::uintptr_t>(self),
		                                   std::memory_order_relaxed))
			self->get_scheduler()->suspend(exchange::kept(std::move(lock)));
	}

	/* Any -> KEEP_ACTIVE: the last touch, unless a fiber is suspended here. */
	void resume() noexcept
	{
		/* release: what was done before; pairs with is_active(). acquire: the fiber. */
		std::uintptr_t found = handle.exchange(KEEP_ACTIVE, std::memory_order_acq_rel);
		if (found <= KEEP_ACTIVE)
			return;
		{
			exchange::spinlock_lock saved(guard); // its registers are
		}
		exchange::context::active()->schedule(reinterpret_cast<exchange::context *>(found));
	}
};

/* One wait: each turn is heavier than the one before. */
class backoff
{
	const strategy &how;
	place *suspends_at;
	unsigned turns = 0;

	void spin() const noexcept
	{
		for (unsigned pauses = std::min(1u << turns, how.spin_longest); pauses > 0; pauses--)
			cpu_relax();
	}

  public:
	/* Without a place it never suspends, and yields instead. */
	explicit backoff(const strategy &chosen, place *at = nullptr)
	    : how(chosen), suspends_at(chosen.suspends ? at : nullptr)
	{
	}

	void wait()
	{
		turns++;
		unsigned spins = how.spins ? how.spin_limit : 0, yields = how.yields ? how.yield_limit : 0;
		if (turns <= spins)
			spin();
		else if (turns <= spins + yields || !suspends_at)
			boost::this_fiber::yield();
		else
			suspends_at->try_suspend();
	}
};

} // namespace locks

#endif
