/*
 * How a fiber of Boost.Fiber goes to another thread together with a lock (exchange paper, sections 5 and 6.3), by
 * the library's interface for scheduling algorithms; the library itself is unchanged.
 *
 * A fiber belongs to the scheduler of one thread, and only that thread may let it go: the lists inside are not
 * for others. The library's work stealing lets a fiber go when it becomes ready (awakened()), so that a thief
 * may have it. A fiber that waits for a lock has to be free earlier, since the one that unlocks runs it at once:
 *
 *     belongs to thread 1 --leave(): pick_next() chooses what runs there next, then lets it go--> belongs to none
 *     belongs to none --exchange_to(), on thread 2: attach(), and resume() makes the unlocking fiber ready--> runs
 *
 * No other thread can reach a fiber that was let go before its registers are saved: only then resume(lock) unlocks.
 *
 * The first fiber of a thread is bound to it, and with another algorithm every fiber is. A bound fiber is resumed in
 * place only by its own thread; another thread makes it ready there, as boost::fibers::mutex does.
 */
#ifndef RUNTIMES_BOOST_FIBER_HAND_OVER_HPP
#define RUNTIMES_BOOST_FIBER_HAND_OVER_HPP

#include <boost/fiber/all.hpp>

namespace exchange
{

using boost::fibers::context;
using boost::fibers::detail::spinlock;
using boost::fibers::detail::spinlock_lock;

/* The library's work stealing, for threads on which fibers exchange:
 * use_scheduling_algorithm<exchange::work_stealing>(threads). */
class work_stealing : public boost::fibers::algo::work_stealing
{
	static inline thread_local bool is_used = false;
	static inline thread_local context *leaving = nullptr;

  public:
	explicit work_stealing(std::uint32_t threads, bool suspends = false)
	    : boost::fibers::algo::work_stealing(threads, suspends)
	{
		is_used = true;
	}

	/* Whether a fiber that runs here may go elsewhere. */
	static bool may_go(const context *fiber) noexcept
	{
		return is_used && !fiber->is_context(boost::fibers::type::pinned_context);
	}

	/* The next pick_next() lets it go, and any thread may take it. */
	static void let_go(context *fiber) noexcept
	{
		if (may_go(fiber))
			leaving = fiber;
	}

	context *pick_next() noexcept override
	{
		/* The library's function attaches what it finds by way of the running fiber, which must not be let go
		 * before that. */
		context *next = boost::fibers::algo::work_stealing::pick_next();
		if (leaving)
			leaving->get_scheduler()->detach_worker_context(leaving);
		leaving = nullptr;
		return next;
	}
};

/* The lock in a place that outlives the fiber: what unlocks it writes to it once more, and by then the fiber
 * may run on another thread. */
inline spinlock_lock &kept(spinlock_lock &&lock) noexcept
{
	static thread_local spinlock_lock place;
	return place = std::move(lock);
}

/* The calling fiber waits; `lock` is given up when its registers are saved. */
inline void leave(spinlock_lock &&lock) noexcept
{
	context *self = context::active();
	work_stealing::let_go(self);
	self->get_scheduler()->suspend(kept(std::move(lock)));
}

/* Whether `next`, which waits, can run on this thread; then it belongs to it. */
inline bool take_over(context *self, context *next) noexcept
{
	if (!next->get_scheduler())
		self->attach(next);
	return next->get_scheduler() == self->get_scheduler();
}

/* `next` is made ready, here or where it is bound. */
inline void dispatch(context *next) noexcept
{
	context *self = context::active();
	take_over(self, next);
	self->schedule(next);
}

/* `next`, which has the lock now, runs here and at once, and the calling fiber is made ready. */
inline void exchange_to(context *next) noexcept
{
	context *self = context::active();
	if (take_over(self, next))
		next->resume(self);
	else
		self->schedule(next);
}

/* The same where the calling fiber waits: as leave(), with `next` as what runs next. */
inline void leave_to(context *next, spinlock_lock &&lock) noexcept
{
	context *self = context::active();
	if (!take_over(self, next)) {
		self->schedule(next);
		leave(std::move(lock));
		return;
	}
	if (work_stealing::may_go(self))
		self->get_scheduler()->detach_worker_context(self);
	next->resume(kept(std::move(lock)));
}

} // namespace exchange

#endif
