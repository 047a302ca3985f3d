/*
 * C++20 coroutines: a task that is resumed by a queue of those that are ready, one thread. A yield goes straight
 * to the next of the queue (symmetric transfer).
 */
#ifndef PEERS_CPP20_TASK_HPP
#define PEERS_CPP20_TASK_HPP

#include <coroutine>
#include <deque>
#include <exception>
#include <utility>

namespace cpp20
{

constexpr const char *name = "cpp20";

class scheduler
{
	std::deque<std::coroutine_handle<>> ready;

  public:
	void add(std::coroutine_handle<> handle)
	{
		ready.push_back(handle);
	}

	std::coroutine_handle<> next()
	{
		if (ready.empty())
			return std::noop_coroutine();
		std::coroutine_handle<> handle = ready.front();
		ready.pop_front();
		return handle;
	}

	/* Until no task is ready any more. */
	void run()
	{
		while (!ready.empty())
			next().resume();
	}

	struct yield_awaiter {
		scheduler &owner;

		bool await_ready() const noexcept
		{
			return false;
		}

		std::coroutine_handle<> await_suspend(std::coroutine_handle<> handle)
		{
			owner.add(handle);
			return owner.next();
		}

		void await_resume() const noexcept
		{
		}
	};

	yield_awaiter yield()
	{
		return {*this};
	}
};

/* Starts when it is resumed; its frame is gone with it. */
class task
{
  public:
	struct promise_type {
		task get_return_object()
		{
			return task(std::coroutine_handle<promise_type>::from_promise(*this));
		}

		std::suspend_always initial_suspend() noexcept
		{
			return {};
		}

		std::suspend_always final_suspend() noexcept
		{
			return {};
		}

		void return_void()
		{
		}

		void unhandled_exception()
		{
			std::terminate();
		}
	};

	explicit task(std::coroutine_handle<promise_type> own) : handle(own)
	{
	}

	task(task &&other) noexcept : handle(std::exchange(other.handle, nullptr))
	{
	}

	task &operator=(task &&) = delete;

	~task()
	{
		if (handle)
			handle.destroy();
	}

	std::coroutine_handle<> start() const
	{
		return handle;
	}

	bool is_done() const
	{
		return handle.done();
	}

  private:
	std::coroutine_handle<promise_type> handle;
};

} // namespace cpp20

#endif
