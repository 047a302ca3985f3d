/*
 * A generator of C++20 coroutines as they are mostly written: its frame is allocated, and its resumer calls it.
 */
#ifndef PEERS_CPP20_GENERATOR_HPP
#define PEERS_CPP20_GENERATOR_HPP

#include <coroutine>
#include <cstdint>
#include <exception>
#include <utility>

namespace cpp20
{

class generator
{
  public:
	struct promise_type {
		uint64_t value;

		generator get_return_object()
		{
			return generator(std::coroutine_handle<promise_type>::from_promise(*this));
		}
		std::suspend_always initial_suspend() const noexcept
		{
			return {};
		}
		std::suspend_always final_suspend() const noexcept
		{
			return {};
		}
		std::suspend_always yield_value(uint64_t yielded) noexcept
		{
			value = yielded;
			return {};
		}
		void return_void() const noexcept
		{
		}
		[[noreturn]] void unhandled_exception() const
		{
			std::terminate();
		}
	};

	explicit generator(std::coroutine_handle<promise_type> handle) : handle(handle)
	{
	}
	generator(generator &&other) noexcept : handle(std::exchange(other.handle, nullptr))
	{
	}
	~generator()
	{
		if (handle)
			handle.destroy();
	}

	/* Run it until it yields; false: it has ended. */
	bool next()
	{
		handle.resume();
		return !handle.done();
	}

	uint64_t value() const
	{
		return handle.promise().value;
	}

  private:
	std::coroutine_handle<promise_type> handle;
};

} // namespace cpp20

#endif
