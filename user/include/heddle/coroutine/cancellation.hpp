/*
 * Coroutines by exchange (coroutine.hpp): waits that are ended from outside.
 *
 *     made --it must wait--> entered in the cancellation --request()--> taken out, its operation is cancelled
 *                            entered --it goes on, or is destroyed--> taken out
 *
 * It is taken out once. Afterwards the cancellation knows nothing of it, and may go.
 */
#ifndef HEDDLE_COROUTINE_CANCELLATION_HPP
#define HEDDLE_COROUTINE_CANCELLATION_HPP

#include <coroutine>
#include <type_traits>
#include <utility>

#include "heddle/coroutine/operation.hpp"

namespace heddle::coroutine
{

/* Ends waits from outside: co_await cancellable(cancellation, mutex.lock()). It must outlive them. (A
 * std::stop_token tells by the thread which code runs its callbacks, which is wrong where another task goes on
 * in the middle of one.) */
class cancellation : public object
{
	template <class> friend class cancellable;

	bool is_requested_ = false;

	/* An operation that can be cancelled, in the frame of its coroutine. */
	struct entry : waiter {
		void (*cancel)(entry &own, line &going) noexcept;

		explicit entry(void (*by)(entry &own, line &going) noexcept) noexcept : waiter(0), cancel(by)
		{
		}
	};

	void enter(entry &one) noexcept
	{
		line none; // it does not wait yet
		hold held(word_);
		if (is_requested_)
			one.cancel(one, none);
		else
			waiting_.put(one);
	}

	/* When this returns, request() does not come to it any more. */
	void leave(entry &one) noexcept
	{
		hold held(word_);
		if (one.is == waiter::state::waits)
			waiting_.remove(one);
	}

  public:
	/* Ends all waits that were made cancellable by it; later ones do not begin. */
	void request() noexcept
	{
		line going;
		{
			hold held(word_);
			is_requested_ = true;
			while (waiter *one = waiting_.take()) {
				one->is = waiter::state::goes;
				auto &own = static_cast<entry &>(*one);
				own.cancel(own, going);
			}
		}
		going.post_all();
	}

	bool is_requested() noexcept
	{
		hold held(word_);
		return is_requested_;
	}
};

/* What can be cancelled: an operation whose result can say that it was not done. A number cannot: 0 is a result. */
template <class Operation>
concept can_be_cancelled = requires(Operation &one, line &going)
{
	one.cancel(going);
};

template <class Result>
concept has_an_empty_value = std::is_void_v<Result> || std::is_same_v<Result, bool> ||
    (!std::is_arithmetic_v<Result> && std::is_constructible_v<bool, const Result &>);

/* Returns whether the operation was done. Where the operation itself returns something, returns that, which is empty or
 * false where it was not. */
template <class Operation> class [[nodiscard]] cancellable : cancellation::entry
{
	static_assert(can_be_cancelled<Operation>,
	              "cancellable() takes an operation of an object, as mutex.lock()");
	static_assert(
	    has_an_empty_value<decltype(std::declval<Operation &>().await_resume())>,
	    "cancellable() takes an operation whose result can be empty or false, to say that it was cancelled");

	cancellation &by_;
	Operation operation_;
	bool is_entered_ = false;

	static void cancel_own(cancellation::entry &own, line &going) noexcept
	{
		static_cast<cancellable &>(own).operation_.cancel(going);
	}

	void leave() noexcept
	{
		if (std::exchange(is_entered_, false))
			by_.leave(*this);
	}

  public:
	cancellable(cancellation &by, Operation operation) noexcept
	    : cancellation::entry(cancel_own), by_(by), operation_(std::move(operation))
	{
	}

	cancellable(cancellable &&) = delete;

	~cancellable()
	{
		leave();
	}

	bool await_ready() noexcept
	{
		return operation_.await_ready();
	}

	/* The request may come before the operation is in line: then it does not get there. */
	template <runs_on_executor Promise>
	[[gnu::noinline]] bool await_suspend(std::coroutine_handle<Promise> handle) noexcept
	{
		is_entered_ = true;
		by_.enter(*this);
		return operation_.await_suspend(handle);
	}

	auto await_resume() noexcept
	{
		leave();
		if constexpr (std::is_void_v<decltype(operation_.await_resume())>)
			return !operation_.is_cancelled();
		else
			return operation_.await_resume();
	}
};

} // namespace heddle::coroutine

#endif
