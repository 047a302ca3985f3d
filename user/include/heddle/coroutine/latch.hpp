/*
 * Coroutines by exchange (coroutine.hpp): the latch.
 *
 *     n to come --count_down(a), a < n--> n - a to come ... --the last: all that wait go on--> 0, for good
 */
#ifndef HEDDLE_COROUTINE_LATCH_HPP
#define HEDDLE_COROUTINE_LATCH_HPP

#include <cstddef>
#include <utility>

#include "heddle/coroutine/operation.hpp"

namespace heddle::coroutine
{

/* Counts down to 0, once. */
class latch : public object
{
	std::size_t count_;

	line *count(waiter &one, line &going) noexcept
	{
		std::size_t amount = std::exchange(one.amount, 0); // once, though this may be called twice
		if (amount > count_)
			misuse("a latch is counted below 0");
		count_ -= amount;
		if (count_ == 0)
			going.let_all_go(waiting_);
		return nullptr;
	}

	line *count_and_await(waiter &one, line &going) noexcept
	{
		count(one, going);
		return count_ == 0 ? nullptr : &waiting_;
	}

  public:
	explicit latch(std::size_t count) noexcept : count_(count)
	{
	}

	auto count_down(std::size_t amount = 1) noexcept
	{
		return operation<latch, &latch::count>(*this, amount);
	}

	void count_down_dispatch(std::size_t amount = 1) noexcept
	{
		dispatch(*this, &latch::count, amount);
	}

	auto wait() noexcept
	{
		return operation<latch, &latch::count_and_await>(*this, 0);
	}

	auto arrive_and_wait(std::size_t amount = 1) noexcept
	{
		return operation<latch, &latch::count_and_await>(*this, amount);
	}
};

} // namespace heddle::coroutine

#endif
