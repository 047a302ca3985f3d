/*
 * A generator of C++20 coroutines that may hand out all values of another generator, in one step each however deep
 * they are nested, as std::generator of C++23 does: the outermost knows the innermost and resumes it, and one that
 * ends passes control to the next outside it (symmetric transfer).
 */
#ifndef PEERS_CPP20_DELEGATING_HPP
#define PEERS_CPP20_DELEGATING_HPP

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

namespace cpp20
{

class delegating
{
  public:
	struct promise_type;
	using handle_type = std::coroutine_handle<promise_type>;

	struct end_awaiter {
		bool await_ready() const noexcept
		{
			return false;
		}
		std::coroutine_handle<> await_suspend(handle_type ended) const noexcept
		{
			promise_type &promise = ended.promise();
			if (!promise.outside)
				return std::noop_coroutine();
			promise.outermost->innermost = promise.outside;
			return promise.outside;
		}
		void await_resume() const noexcept
		{
		}
	};

	struct inside_awaiter {
		handle_type inside;

		bool await_ready() const noexcept
		{
			return false;
		}
		std::coroutine_handle<> await_suspend(handle_type outside) const noexcept
		{
			promise_type &promise = inside.promise();
			promise.outside = outside;
			promise.outermost = outside.promise().outermost;
			promise.outermost->innermost = inside;
			return inside;
		}
		void await_resume() const noexcept
		{
		}
	};

	struct promise_type {
		uint64_t value = 0;    /* of the outermost */
		handle_type innermost; /* of the outermost */
		promise_type *outermost = this;
		handle_type outside;

		delegating get_return_object()
		{
			innermost = handle_type::from_promise(*this);
			return delegating(innermost);
		}
		std::suspend_always initial_suspend() const noexcept
		{
			return {};
		}
		end_awaiter final_suspend() const noexcept
		{
			return {};
		}
		std::suspend_always yield_value(uint64_t yielded) noexcept
		{
			outermost->value = yielded;
			return {};
		}
		inside_awaiter yield_value(const delegating &inside) noexcept
		{
			return {inside.handle};
		}
		void return_void() const noexcept
		{
		}
		[[noreturn]] void unhandled_exception() const
		{
			std::terminate();
		}
	};

	explicit delegating(handle_type handle) : handle(handle)
	{
	}
	delegating(delegating &&other) noexcept : handle(std::exchange(other.handle, nullptr))
	{
	}
	~delegating()
	{
		if (handle)
			handle.destroy();
	}

	/* Run it until it, or one inside it, yields; false: it has ended. */
	bool next()
	{
		handle.promise().innermost.resume();
		return !handle.done();
	}

	uint64_t value() const
	{
		return handle.promise().value;
	}

  private:
	handle_type handle;
};

} // namespace cpp20

#endif
