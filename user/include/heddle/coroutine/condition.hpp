/* Coroutines by exchange (coroutine.hpp): what is waited for under a mutex. */
#ifndef HEDDLE_COROUTINE_CONDITION_HPP
#define HEDDLE_COROUTINE_CONDITION_HPP

#include <coroutine>
#include <cstddef>
#include <utility>

#include "heddle/coroutine/mutex.hpp"

namespace heddle::coroutine
{

/* A coroutine that is notified gets in line at its mutex, and need not run for that. If the mutex is free, it has
 * it and goes on (section 5.2). */
template <class Mutex> class basic_condition : public object
{
	static constexpr std::size_t ALL = static_cast<std::size_t>(-1);

	/* Waits for a notification, then for the mutex. */
	class wait_operation : public waiter
	{
		basic_condition &condition_;
		bool was_notified_ = false;

		friend class basic_condition;

	  public:
		Mutex &mutex;

		wait_operation(basic_condition &condition, Mutex &with) noexcept
		    : waiter(0), condition_(condition), mutex(with)
		{
		}

		wait_operation(wait_operation &&other) noexcept : wait_operation(other.condition_, other.mutex)
		{
		}

		~wait_operation()
		{
			if (is != state::waits)
				return;
			hold held(in == &condition_.waiting_ ? condition_.word_ : mutex.word_);
			in->remove(*this);
		}

		bool await_ready() const noexcept
		{
			return false;
		}

		template <runs_on_executor Promise>
		[[gnu::noinline]] std::coroutine_handle<>
		await_suspend(std::coroutine_handle<Promise> handle) noexcept
		{
			work &self = handle.promise();
			work::place here{self.executor, self.chain};
			line going;
			Mutex &own = mutex;
			{
				hold held(condition_.word_);
				if (is == state::cancelled)
					return handle;
				coroutine = &self;
				condition_.waiting_.put(*this);
			}
			/* From here on this operation may be notified, and get in the mutex's line: it is not touched any more. */
			{
				waiter caller(0);
				hold held(own.word_);
				own.pass(caller, going);
			}
			waiter *next = going.take();
			return next ? next->coroutine->run_after(here) : std::noop_coroutine();
		}

		/* Whether it was notified; else it was cancelled. */
		bool await_resume() const noexcept
		{
			return was_notified_;
		}

		/* A cancelled coroutine goes on when it has the mutex. */
		void cancel(line &going) noexcept
		{
			hold held(condition_.word_);
			if (was_notified_)
				return;
			if (std::exchange(is, state::cancelled) != state::waits)
				return;
			in->remove(*this);
			mutex.accept(*this, going);
		}
	};

	/* As many as wait, up to the amount. */
	line *notify(waiter &one, line &going) noexcept
	{
		for (waiter *next; one.amount > 0 && (next = waiting_.take()); one.amount--) {
			auto &notified = static_cast<wait_operation &>(*next);
			notified.was_notified_ = true;
			notified.mutex.accept(notified, going);
		}
		return nullptr;
	}

  public:
	/* while (!there_is_something) co_await condition.wait(mutex); the mutex is the caller's before and after. */
	auto wait(Mutex &mutex) noexcept
	{
		return wait_operation(*this, mutex);
	}

	auto notify_one() noexcept
	{
		return operation<basic_condition, &basic_condition::notify>(*this, 1);
	}

	auto notify_all() noexcept
	{
		return operation<basic_condition, &basic_condition::notify>(*this, ALL);
	}

	void notify_one_dispatch() noexcept
	{
		object::dispatch(*this, &basic_condition::notify, 1);
	}

	void notify_all_dispatch() noexcept
	{
		object::dispatch(*this, &basic_condition::notify, ALL);
	}
};

using condition = basic_condition<mutex>;

} // namespace heddle::coroutine

#endif
