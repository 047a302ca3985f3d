/* Coroutines by exchange (coroutine.hpp): waits that are ended from outside. */
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

/* Returns whether the operation was done. Where the operation itself returns something, returns that, which is empty or
 * false where it was not. */
template <class Operation> class [[nodiscard]] cancellable : cancellation::entry
{
	cancellation &by_;
	Operation operation_;

	static void cancel_own(cancellation::entry &own, line &going) noexcept
	{
		static_cast<cancellable &>(own).operation_.cancel(going);
	}

  public:
	cancellable(cancellation &by, Operation operation) noexcept
	    : cancellation::entry(cancel_own), by_(by), operation_(std::move(operation))
	{
	}

	cancellable(cancellable &&) = delete;

	~cancellable()
	{
		if (is == state::waits)
			by_.leave(*this);
	}

	bool await_ready() noexcept
	{
		return operation_.await_ready();
	}

	/* The request may come before the operation is in line: then it does not get there. */
	template <runs_on_executor Promise>
	[[gnu::noinline]] std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> handle) noexcept
	{
		by_.enter(*this);
		return operation_.await_suspend(handle);
	}

	auto await_resume() noexcept
	{
		by_.leave(*this);
		if constexpr (std::is_void_v<decltype(operation_.await_resume())>)
			return operation_.is != waiter::state::cancelled;
		else
			return operation_.await_resume();
	}
};

} // namespace heddle::coroutine

#endif
