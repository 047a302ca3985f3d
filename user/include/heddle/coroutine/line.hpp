/*
 * Coroutines by exchange (coroutine.hpp): coroutines that wait at an object, in a line.
 *
 * Whatever leaves a line before it was let go on, because it is cancelled or destroyed, lets those behind it try
 * again (object::withdraw()). Whatever was notified and leaves passes the notification on.
 */
#ifndef HEDDLE_COROUTINE_LINE_HPP
#define HEDDLE_COROUTINE_LINE_HPP

#include <cstddef>

#include "heddle/coroutine/executor.hpp"

namespace heddle::coroutine
{

class line;

/* A coroutine at an object, in the frame of that coroutine, under the object's word:
 *
 *     comes --it is put in a line--> waits --it is let go on--> goes
 *     comes, waits --it is cancelled--> cancelled
 */
class waiter
{
	friend class line;
	waiter *previous_ = nullptr, *next_ = nullptr;

  public:
	enum class state { comes, waits, goes, cancelled };

	work *coroutine = nullptr;
	line *in = nullptr; /* where it waits */
	std::size_t amount; /* of what it wants */
	state is = state::comes;

	explicit waiter(std::size_t wanted) noexcept : amount(wanted)
	{
	}
};

/* First come, first served. */
class line
{
	waiter *first_ = nullptr, *last_ = nullptr;

  public:
	bool is_empty() const noexcept
	{
		return !first_;
	}

	waiter *first() const noexcept
	{
		return first_;
	}

	void put(waiter &one) noexcept
	{
		one.previous_ = last_;
		one.next_ = nullptr;
		(last_ ? last_->next_ : first_) = &one;
		last_ = &one;
		one.in = this;
		one.is = waiter::state::waits;
	}

	void remove(waiter &one) noexcept
	{
		(one.previous_ ? one.previous_->next_ : first_) = one.next_;
		(one.next_ ? one.next_->previous_ : last_) = one.previous_;
	}

	waiter *take() noexcept
	{
		waiter *one = first_;
		if (one)
			remove(*one);
		return one;
	}

	/* One that waited, or was taken from another line, goes on. */
	void let_go(waiter &one) noexcept
	{
		put(one);
		one.is = waiter::state::goes;
	}

	void let_all_go(line &waiting) noexcept
	{
		while (waiter *one = waiting.take())
			let_go(*one);
	}

	void post_all() noexcept
	{
		while (waiter *one = take())
			one->coroutine->post();
	}
};

} // namespace heddle::coroutine

#endif
