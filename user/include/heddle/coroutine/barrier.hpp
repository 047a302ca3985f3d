/*
 * Coroutines by exchange (coroutine.hpp): the barrier.
 *
 *     phase p, n have come --one comes, and waits--> phase p, n + 1 have come
 *     phase p, one is missing --it comes: all that wait go on--> phase p + 1, none has come
 */
#ifndef HEDDLE_COROUTINE_BARRIER_HPP
#define HEDDLE_COROUTINE_BARRIER_HPP

#include <cstddef>

#include "heddle/coroutine/operation.hpp"

namespace heddle::coroutine
{

/* So many meet, again and again. The last to arrive goes on: it is what the others have waited for, and they are
 * posted. An arrival counts, whether or not its wait is cancelled. */
class barrier : public object
{
	std::size_t expected_, arrived_ = 0, phase_ = 1;

	/* A waiter's amount: the phase in which it has arrived; 0: not yet. */
	line *arrive(waiter &one, line &going) noexcept
	{
		if (one.amount != 0)
			return one.amount == phase_ ? &waiting_ : nullptr;
		one.amount = phase_;
		if (++arrived_ < expected_)
			return &waiting_;
		arrived_ = 0;
		phase_ = phase_ + 1 == 0 ? 1 : phase_ + 1;
		going.let_all_go(waiting_);
		return nullptr;
	}

  public:
	explicit barrier(std::size_t expected) noexcept : expected_(expected)
	{
		if (expected == 0)
			misuse("a barrier is made for no coroutine");
	}

	auto arrive_and_wait() noexcept
	{
		return operation<barrier, &barrier::arrive, by_dispatch>(*this, 0);
	}
};

} // namespace heddle::coroutine

#endif
