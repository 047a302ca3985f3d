/* Coroutines by exchange (coroutine.hpp): how tasks begin, and where they run. */
#ifndef HEDDLE_COROUTINE_START_HPP
#define HEDDLE_COROUTINE_START_HPP

#include <condition_variable>
#include <coroutine>
#include <exception>
#include <mutex>
#include <utility>

#include "heddle/coroutine/task.hpp"

namespace heddle::coroutine
{

/* A coroutine that is not awaited: it ends by itself. */
struct detached {
	struct promise_type : work {
		detached get_return_object() noexcept
		{
			handle = std::coroutine_handle<promise_type>::from_promise(*this);
			return {*this};
		}

		std::suspend_always initial_suspend() noexcept
		{
			return {};
		}

		std::suspend_never final_suspend() noexcept
		{
			return {};
		}

		void return_void() noexcept
		{
		}

		void unhandled_exception() noexcept
		{
			std::terminate();
		}
	};

	work &coroutine;
};

/* Let a task run on an executor, without waiting for it. */
inline void spawn(executor on, task<> own)
{
	work &made = [](task<> alone) -> detached { co_await std::move(alone); }(std::move(own)).coroutine;
	made.executor = on;
	made.post();
}

/* The same for a task that the caller keeps: its result is left in it, and done() is called at its end, on the
 * executor. Where the caller destroys the task before its end, done() is not called. */
template <class T, class Done> void start(executor on, task<T> &own, Done done)
{
	auto settles = [](task<T> &awaited, Done then) -> detached {
		co_await awaited.settle();
		then();
	};
	work &made = settles(own, std::move(done)).coroutine;
	own.promise_->started_by = made.handle;
	made.executor = on;
	made.post();
}

/* Run a task on an executor, and block the calling thread, which is none of the executor's, until it has ended. */
template <class T> T run(executor on, task<T> own)
{
	std::mutex mutex;
	std::condition_variable ended;
	bool has_ended = false;
	start(on, own, [&]() noexcept {
		std::lock_guard<std::mutex> held(mutex);
		has_ended = true;
		ended.notify_one();
	});
	std::unique_lock<std::mutex> held(mutex);
	ended.wait(held, [&] { return has_ended; });
	return own.take();
}

/* co_await resume_on(executor): the coroutine belongs to that executor from here on. */
class [[nodiscard]] resume_on : public suspension
{
	executor to_;

  public:
	explicit resume_on(executor to) noexcept : to_(to)
	{
	}

	template <runs_on_executor Promise>
	[[gnu::noinline]] void await_suspend(std::coroutine_handle<Promise> handle) noexcept
	{
		handle.promise().executor = to_;
		handle.promise().post();
	}
};

/* co_await yield(): behind what is ready on the executor. */
struct [[nodiscard]] yield : suspension {
	template <runs_on_executor Promise>
	[[gnu::noinline]] void await_suspend(std::coroutine_handle<Promise> handle) noexcept
	{
		handle.promise().post();
	}
};

} // namespace heddle::coroutine

#endif
