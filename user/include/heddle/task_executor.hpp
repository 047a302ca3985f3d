/*
 * An executor of coroutines (coroutine.hpp) on Heddle's tasks: each coroutine that is ready is a task, until it
 * waits or ends. So Heddle's scheduler queues, steals and switches them, and a coroutine may do what a task
 * may: wait at Heddle's own locks and channels, which keeps its task and no processor, and be switched away by
 * the compiler's checks. Compile all files with such coroutines alike, all with checks or all without: a task
 * may be switched away while it holds an object's word, and only a check ends the turn of one that waits for it.
 *
 *     heddle_start("processors=4");
 *     heddle::coroutine::task_executor executor;
 *     executor.run(some_task());                    by a thread of the program, or by a task
 *
 * post() does not fail: where there is no memory for a task, a task that was made with the executor runs the
 * coroutine. (Where stacks grow, a task whose stack finds no memory ends by a fault, as everywhere.) Destroy the
 * executor after its coroutines and before heddle_stop(), which counts that task among those that wait.
 *
 * | operation | progress                                    | takes effect                     |
 * |-----------|---------------------------------------------|----------------------------------|
 * | post      | as heddle_spawn() (host.h)                  | when the task is made            |
 * | run       | waits for the task's end: a thread blocks,  | when the coroutine is posted     |
 * |           | a task is suspended                         |                                  |
 */
#ifndef HEDDLE_TASK_EXECUTOR_HPP
#define HEDDLE_TASK_EXECUTOR_HPP

#include <chrono>
#include <memory>

#include "heddle/coroutine.hpp"
#include "heddle/host.h"

namespace heddle::coroutine
{

class task_executor
{
	/* Shared: the coroutine that sets it may be its last user. */
	struct ending {
		struct heddle::event is_over = HEDDLE_EVENT_INITIALIZER;
		std::atomic<bool> has_ended{false};

		void tell() noexcept
		{
			/* release: what the task came to; pairs with await(). */
			has_ended.store(true, std::memory_order_release);
			heddle::event_set(&is_over);
		}

		/* A thread of the program needs memory to wait; without memory it looks once a millisecond. */
		void await() noexcept
		{
			while (::heddle_event_wait(&is_over) != HEDDLE_OK && !has_ended.load(std::memory_order_acquire))
				std::this_thread::sleep_for(std::chrono::milliseconds(1));
		}
	};

	/* Shared with the task that was made with the executor, which may end later than that. */
	struct reserve {
		word guard;
		work *first = nullptr, *last = nullptr; /* work for which there was no memory */
		bool ends = false;
		struct heddle::event news = HEDDLE_EVENT_INITIALIZER;
	};

	std::shared_ptr<reserve> reserve_ = std::make_shared<reserve>();
	std::size_t stack_size_;

	static intptr_t serve(void *argument)
	{
		static_cast<work *>(argument)->run();
		return 0;
	}

	/* The oldest, or NULL. `ends`: whether the executor is destroyed. */
	static work *take(reserve &own, bool &ends) noexcept
	{
		hold held(own.guard);
		ends = own.ends;
		work *one = own.first;
		if (one)
			own.first = one->next;
		return one;
	}

	static intptr_t serve_late(void *argument)
	{
		std::unique_ptr<std::shared_ptr<reserve>> shared(static_cast<std::shared_ptr<reserve> *>(argument));
		reserve &own = **shared;
		for (bool ends = false; !ends;) {
			heddle::event_wait(&own.news);
			heddle::event_reset(&own.news);
			while (work *one = take(own, ends))
				one->run();
		}
		return 0;
	}

	heddle::task_options options(const char *name) const noexcept
	{
		heddle::task_options found = HEDDLE_TASK_OPTIONS;
		found.name = name;
		found.stack_size = stack_size_;
		return found;
	}

	/* In a task this cannot fail. A thread of the program needs memory for it, and tries until there is some. */
	static void tell(reserve &own) noexcept
	{
		while (::heddle_event_set(&own.news) == HEDDLE_NO_MEMORY)
			std::this_thread::yield();
	}

	void post_late(work &one) noexcept
	{
		std::shared_ptr<reserve> own = reserve_;
		{
			hold held(own->guard);
			one.next = nullptr;
			(own->first ? own->last->next : own->first) = &one;
			own->last = &one;
		}
		tell(*own);
	}

  public:
	/* `stack_size`: of its tasks, as in task_options; 0: the default. */
	explicit task_executor(std::size_t stack_size = 0) : stack_size_(stack_size)
	{
		auto shared = std::make_unique<std::shared_ptr<reserve>>(reserve_);
		heddle::task_options made = options("coroutine reserve");
		if (::heddle_spawn(serve_late, shared.get(), &made) != HEDDLE_OK)
			misuse("an executor on tasks: the machine does not run, or has no memory for a task");
		shared.release();
	}

	task_executor(const task_executor &) = delete;
	task_executor &operator=(const task_executor &) = delete;

	~task_executor()
	{
		{
			hold held(reserve_->guard);
			reserve_->ends = true;
		}
		tell(*reserve_);
	}

	void post(work &one) noexcept
	{
		heddle::task_options made = options("coroutine");
		enum ::heddle_error error = ::heddle_spawn(serve, &one, &made);
		if (error == HEDDLE_NO_MEMORY)
			post_late(one);
		else if (error != HEDDLE_OK)
			misuse("a coroutine is posted to tasks, and the machine does not run");
	}

	/* Run a task to its end. */
	template <class T> T run(task<T> own)
	{
		auto end = std::make_shared<ending>();
		start(*this, own, [end]() noexcept { end->tell(); });
		end->await();
		return own.take();
	}
};

} // namespace heddle::coroutine

#endif
