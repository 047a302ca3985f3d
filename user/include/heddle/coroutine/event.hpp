/*
 * Coroutines by exchange (coroutine.hpp): the event.
 *
 *     reset --set(): all that wait go on--> set --reset()--> reset
 */
#ifndef HEDDLE_COROUTINE_EVENT_HPP
#define HEDDLE_COROUTINE_EVENT_HPP

#include "heddle/coroutine/operation.hpp"

namespace heddle::coroutine
{

/* Set until it is reset. */
class event : public object
{
	bool is_set_;

	line *await(waiter &, line &) noexcept
	{
		return is_set_ ? nullptr : &waiting_;
	}

	line *change(waiter &, line &going) noexcept
	{
		is_set_ = true;
		going.let_all_go(waiting_);
		return nullptr;
	}

  public:
	explicit event(bool is_set = false) noexcept : is_set_(is_set)
	{
	}

	auto wait() noexcept
	{
		return operation<event, &event::await>(*this);
	}

	auto set() noexcept
	{
		return operation<event, &event::change>(*this);
	}

	void set_dispatch() noexcept
	{
		dispatch(*this, &event::change);
	}

	void reset() noexcept
	{
		hold held(word_);
		is_set_ = false;
	}

	bool is_set() noexcept
	{
		return dispatch(*this, &event::await);
	}
};

} // namespace heddle::coroutine

#endif
