/*
 * Coroutines by exchange (coroutine.hpp): tasks.
 *
 *     made --it is awaited: it belongs to the executor of what awaits it--> runs, waits ... --it ends--> ended
 *
 * At its end, what awaits it goes on in its place, or on its own executor.
 */
#ifndef HEDDLE_COROUTINE_TASK_HPP
#define HEDDLE_COROUTINE_TASK_HPP

#include <coroutine>
#include <utility>

#include "heddle/coroutine/executor.hpp"
#include "heddle/coroutine/outcome.hpp"

namespace heddle::coroutine
{

template <class T> class task;
template <class T, class Done> void start(executor on, task<T> &own, Done done);

/* Begins when it is awaited: co_await call(), or co_await std::move(task). Destroying it destroys the coroutine. */
template <class T = void> class [[nodiscard]] task
{
	template <class U, class Done> friend void start(executor on, task<U> &own, Done done);

  public:
	class promise_type : public work, public outcome<T>
	{
	  public:
		work *awaited_by = nullptr;
		std::coroutine_handle<> started_by; /* of start(): only this task can resume it */

		task get_return_object() noexcept
		{
			handle = std::coroutine_handle<promise_type>::from_promise(*this);
			return task(*this);
		}

		std::suspend_always initial_suspend() noexcept
		{
			return {};
		}

		struct end : suspension {
			/* The awaiting coroutine goes on here, or, where it belongs to another executor, there. */
			[[gnu::noinline]] void await_suspend(std::coroutine_handle<promise_type> handle) noexcept
			{
				work &self = handle.promise(), &next = *handle.promise().awaited_by;
				if (next.executor == self.executor)
					self.here().resume_next(next);
				else
					next.post();
			}
		};

		end final_suspend() noexcept
		{
			return {};
		}
	};

	task(task &&other) noexcept : promise_(std::exchange(other.promise_, nullptr))
	{
	}

	task &operator=(task &&other) noexcept
	{
		std::swap(promise_, other.promise_);
		return *this;
	}

	~task()
	{
		if (!promise_)
			return;
		if (promise_->started_by && !promise_->handle.done())
			promise_->started_by.destroy();
		promise_->handle.destroy();
	}

	/* Awaits the task and leaves its result in it, for take(). */
	struct settled : suspension {
		promise_type *promise;

		explicit settled(promise_type *of) noexcept : promise(of)
		{
		}

		template <runs_on_executor Promise> void await_suspend(std::coroutine_handle<Promise> handle) noexcept
		{
			if (!promise || promise->awaited_by)
				misuse("a task is awaited twice, or was moved elsewhere");
			work &self = handle.promise();
			promise->awaited_by = &self;
			promise->executor = self.executor;
			self.here().resume_next(*promise);
		}
	};

	settled settle() &noexcept
	{
		return settled(promise_);
	}

	/* After it was settled. */
	T take()
	{
		if (!promise_ || !promise_->handle.done())
			misuse("a task's result is taken before it has ended");
		return promise_->take();
	}

	auto operator co_await() &&noexcept
	{
		struct awaiter : settled {
			using settled::settled;

			T await_resume() const
			{
				return this->promise->take();
			}
		};
		return awaiter(promise_);
	}

  private:
	explicit task(promise_type &promise) noexcept : promise_(&promise)
	{
	}

	promise_type *promise_;
};

} // namespace heddle::coroutine

#endif
