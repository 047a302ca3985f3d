/*
 * Futures in C++ (future.h): a value of type T that is set once, with two ends. An end can be moved, not copied, and
 * its destructor gives it up; the last one destroys the value.
 *
 *     heddle::promise<int> promise;
 *     heddle::future<int> future = promise.get_future();
 *     promise.set(42);                                    in any task
 *     if (future.wait() == HEDDLE_OK)
 *         use(future.value());
 *
 * The value is stored in the future itself, so it has at most HEDDLE_FUTURE_ROOM bytes. A future<void> has none. In
 * place of the value it may have the exception of a delegated section (heddle/exceptions.hpp).
 */
#ifndef HEDDLE_FUTURE_HPP
#define HEDDLE_FUTURE_HPP

#include "heddle/exceptions.hpp"
#include "heddle/future.h"

namespace heddle
{

template <class T> class promise;

namespace detail
{

/* What a future calls to destroy a T in its room; for an exception it also tells that there is one. */
template <class T> void destroy_in_room(void *room)
{
	static_cast<T *>(room)->~T();
}

} // namespace detail

/* The end that waits. */
template <class T> class [[nodiscard]] future
{
	static_assert(!std::is_reference_v<T>, "a future has no reference: let it have a pointer");

  public:
	/* A future without a promise: wait() returns this reason. */
	explicit future(heddle_error reason = HEDDLE_BROKEN) : reason_(reason)
	{
	}

	future(future &&other) noexcept : state_(other.state_), reason_(other.reason_)
	{
		other.state_ = nullptr;
	}

	future &operator=(future &&other) noexcept
	{
		c::future *state = other.state_;
		other.state_ = nullptr;
		future_release(state_);
		state_ = state;
		reason_ = other.reason_;
		return *this;
	}

	/* The value is dropped; its section runs nevertheless. */
	~future()
	{
		future_release(state_);
	}

	/* Whether it belongs to a promise: false after a move, or if there was no memory. */
	explicit operator bool() const
	{
		return state_ != nullptr;
	}

	/* Wait until it is set: HEDDLE_OK. HEDDLE_BROKEN: it never will be. Other errors as future_wait(). If its section
	 * has thrown, each wait throws the same. */
	HEDDLE_MAY_SWITCH heddle_error wait() const
	{
		return wait_until(HEDDLE_NO_DEADLINE);
	}

	HEDDLE_MAY_SWITCH heddle_error wait_until(uint64_t deadline) const
	{
		if (!state_)
			return reason_;
		heddle_error error = future_wait_until(state_, deadline);
		if constexpr (HEDDLE_EXCEPTIONS)
			if (error == HEDDLE_OK && state_->destroy == detail::destroy_in_room<detail::thrown>)
				std::launder(static_cast<detail::thrown *>(future_room(state_)))->rethrow();
		return error;
	}

	bool is_set() const
	{
		return state_ && future_is_set(state_);
	}

	/* After HEDDLE_OK from a wait: the value, which stays in the future. */
	template <class U = T> U &value() const
	{
		static_assert(!std::is_void_v<U>, "a future of void has no value: wait() tells all");
		return *std::launder(static_cast<U *>(future_room(state_)));
	}

	/* Wait without a deadline, and move the value out. A cancellation does not end this wait but the next one. If
	 * there will be no value, or the task must not wait, the task ends by a fault; wait() tells the reason. */
	HEDDLE_MAY_SWITCH T get()
	{
		bool cancelled = false;
		heddle_error error;
		while ((error = wait()) == HEDDLE_CANCELLED)
			cancelled = true;
		if (cancelled)
			task_cancel(task_current());
		if (error != HEDDLE_OK)
			__builtin_trap();
		if constexpr (!std::is_void_v<T>)
			return meta::move(value());
	}

  private:
	friend class promise<T>;
	c::future *state_ = nullptr;
	heddle_error reason_;
};

/* The end that sets the value. */
template <class T> class [[nodiscard]] promise
{
	static_assert(!std::is_reference_v<T>, "a promise has no reference: let it have a pointer");

  public:
	/* Without memory, it and its future are false. */
	promise()
	{
		static_assert(fits(),
		              "a future has room for HEDDLE_FUTURE_ROOM (64) bytes, aligned to 16: let it have a "
		              "pointer, or have the section write to a place that you keep");
		c::promise ends;
		if (promise_create(&ends, &waiting_) == HEDDLE_OK)
			state_ = ends.future;
		if constexpr (!std::is_void_v<T>)
			if (state_ && !std::is_trivially_destructible_v<T>)
				state_->destroy = detail::destroy_in_room<T>;
	}

	promise(promise &&other) noexcept : state_(other.state_), waiting_(other.waiting_)
	{
		other.state_ = other.waiting_ = nullptr;
	}

	promise &operator=(promise &&) = delete;

	/* If it is unset, its future is broken. */
	HEDDLE_MAY_WAKE ~promise()
	{
		c::promise ends = {state_};
		promise_release(&ends);
		future_release(waiting_);
	}

	explicit operator bool() const
	{
		return state_ != nullptr;
	}

	/* Returns the other end; the second time, a false future. */
	future<T> get_future()
	{
		future<T> end;
		end.state_ = waiting_;
		waiting_ = nullptr;
		return end;
	}

	/* Set the value, constructed from these arguments. HEDDLE_ALREADY_SET: nothing was changed. HEDDLE_NO_MEMORY: as
	 * future_publish(). HEDDLE_BROKEN: the promise is false. If the constructor may throw, the value is made before the
	 * future is claimed, and moved there; one that cannot be moved is made there, and must not throw. */
	template <class... Arguments> HEDDLE_MAY_WAKE heddle_error set(Arguments &&...arguments)
	{
		if (!state_)
			return HEDDLE_BROKEN;
		if constexpr (std::is_void_v<T>) {
			return put([](void *) noexcept {});
		} else if constexpr (detail::may_throw<T, Arguments...> && std::is_move_constructible_v<T>) {
			T value(meta::forward<Arguments>(arguments)...);
			return put([&](void *room) { detail::move_to(room, value); });
		} else {
			return put([&](void *room) noexcept { new (room) T(meta::forward<Arguments>(arguments)...); });
		}
	}

	/* The waits of the future throw it. Results as set(). */
	HEDDLE_MAY_WAKE heddle_error set_thrown(detail::thrown &thrown)
	{
		if (!state_)
			return HEDDLE_BROKEN;
		return put([&](void *room) {
			detail::move_to(room, thrown);
			state_->destroy = detail::destroy_in_room<detail::thrown>;
		});
	}

	/* The same with a function's result. */
	template <class Function> HEDDLE_MAY_WAKE heddle_error set_by(Function &&function)
	{
		if constexpr (std::is_void_v<T>) {
			function();
			return set();
		} else {
			return set(function());
		}
	}

  private:
	static constexpr bool fits()
	{
		if constexpr (std::is_void_v<T>)
			return true;
		else
			return sizeof(T) <= HEDDLE_FUTURE_ROOM && alignof(T) <= 16;
	}

	/* Claim the future, make what it has, and publish it. */
	template <class Make> HEDDLE_MAY_WAKE heddle_error put(Make &&make)
	{
		void *room = future_claim(state_);
		if (!room)
			return HEDDLE_ALREADY_SET;
		make(room);
		return future_publish(state_);
	}

	c::future *state_ = nullptr, *waiting_ = nullptr;
};

} // namespace heddle

#endif
