/*
 * Coroutines by exchange (coroutine.hpp): permits. It is fair: none is taken past one that waits.
 *
 *     p permits --acquire(a), a <= p and none waits--> p - a permits; else it waits in line
 *     p permits --release(a): those at the front that fit go on with theirs--> what is left of p + a
 */
#ifndef HEDDLE_COROUTINE_SEMAPHORE_HPP
#define HEDDLE_COROUTINE_SEMAPHORE_HPP

#include <cstddef>

#include "heddle/coroutine/operation.hpp"

namespace heddle::coroutine
{

class semaphore : public object
{
	friend object;

	std::size_t permits_;

	bool admit(std::size_t amount) noexcept
	{
		if (permits_ < amount)
			return false;
		permits_ -= amount;
		return true;
	}

	void advance(line &going) noexcept
	{
		while (!waiting_.is_empty() && admit(waiting_.first()->amount))
			going.let_go(*waiting_.take());
	}

	line *take(waiter &one, line &) noexcept
	{
		return waiting_.is_empty() && admit(one.amount) ? nullptr : &waiting_;
	}

	line *give(waiter &one, line &going) noexcept
	{
		if (permits_ + one.amount < permits_)
			misuse("a semaphore has more permits than can be counted");
		permits_ += one.amount;
		advance(going);
		return nullptr;
	}

  public:
	explicit semaphore(std::size_t permits) noexcept : permits_(permits)
	{
	}

	/* All of the permits at once. */
	auto acquire(std::size_t amount = 1) noexcept
	{
		return operation<semaphore, &semaphore::take>(*this, amount);
	}

	bool try_acquire(std::size_t amount = 1) noexcept
	{
		return dispatch(*this, &semaphore::take, amount);
	}

	auto release(std::size_t amount = 1) noexcept
	{
		return operation<semaphore, &semaphore::give>(*this, amount);
	}

	void release_dispatch(std::size_t amount = 1) noexcept
	{
		dispatch(*this, &semaphore::give, amount);
	}
};

} // namespace heddle::coroutine

#endif
