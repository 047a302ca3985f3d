/*
 * Coroutines by exchange (coroutine.hpp): what is waited for under a mutex.
 *
 *     has the mutex --wait()--> waits here --notify--> waits for the mutex --it gets it--> has the mutex
 *                               waits here --it is cancelled--> waits for the mutex
 *                               waits here --its coroutine is destroyed--> gone
 *          notified, waits for the mutex --its coroutine is destroyed--> gone; the next here is notified for it
 *
 * From wait() until it goes on, a coroutine does not hold the mutex, and a `held` of it is empty: whatever destroys
 * the coroutine then, gives nothing up that another has.
 */
#ifndef HEDDLE_COROUTINE_CONDITION_HPP
#define HEDDLE_COROUTINE_CONDITION_HPP

#include <coroutine>
#include <cstddef>

#include "heddle/coroutine/mutex.hpp"

namespace heddle::coroutine
{

/* A coroutine that is notified gets in line at its mutex, and need not run for that. If the mutex is free, it has
 * it and goes on (section 5.2). */
template <class Mutex> class basic_condition : public object
{
	static constexpr std::size_t ALL = static_cast<std::size_t>(-1);

	/* Waits for a notification, then for the mutex. */
	class [[nodiscard]] wait_operation : public waiter
	{
		friend class basic_condition;

		enum class news { none, for_one, for_all };

		basic_condition &condition_;
		Mutex &mutex_;
		held<Mutex> *scope_ = nullptr; // the coroutine's, empty for the time
		news came_ = news::none;

	  public:
		wait_operation(basic_condition &condition, Mutex &with) noexcept
		    : waiter(0), condition_(condition), mutex_(with)
		{
		}

		wait_operation(wait_operation &&other) noexcept : wait_operation(other.condition_, other.mutex_)
		{
		}

		wait_operation &operator=(wait_operation &&) = delete;

		/* Its coroutine is destroyed. */
		~wait_operation()
		{
			if (is != state::waits)
				return;
			line going;
			{
				hold held(condition_.word_);
				condition_.forget(*this, going);
			}
			going.post_all();
		}

		bool await_ready() const noexcept
		{
			if (is != state::comes)
				misuse("an operation is awaited twice");
			return false;
		}

		template <runs_on_executor Promise>
		[[gnu::noinline]] bool await_suspend(std::coroutine_handle<Promise> handle) noexcept
		{
			work &self = handle.promise();
			turn &here = self.here();
			executor on = self.executor;
			line going;
			Mutex &own = mutex_;
			{
				hold held(condition_.word_);
				if (is == state::cancelled)
					return false;
				coroutine = &self;
				scope_ = own.empty_scope();
				condition_.waiting_.put(*this);
			}
			/* From here on this operation may be notified, and get in the mutex's line: it is not touched any more. */
			{
				waiter caller(0);
				hold held(own.word_);
				own.pass(caller, going);
			}
			if (waiter *next = going.take())
				run_after(here, on, *next->coroutine);
			return true;
		}

		/* Whether it was notified; else it was cancelled. It has the mutex. */
		bool await_resume() const noexcept
		{
			if (scope_)
				mutex_.fill_scope(*scope_);
			return came_ != news::none;
		}

		/* A cancelled coroutine goes on when it has the mutex. */
		void cancel(line &going) noexcept
		{
			hold held(condition_.word_);
			if (came_ != news::none || is == state::cancelled)
				return;
			if (is == state::comes) {
				is = state::cancelled;
				return;
			}
			in->remove(*this);
			mutex_.accept(*this, going);
		}

	  private:
		static void run_after(turn &here, const executor &on, work &next) noexcept
		{
			if (next.executor == on && here.may_hand_over())
				here.resume_next(next);
			else
				next.post();
		}
	};

	/* As many as wait, up to the amount. */
	line *notify(waiter &one, line &going) noexcept
	{
		auto news = one.amount == ALL ? wait_operation::news::for_all : wait_operation::news::for_one;
		for (waiter *next; one.amount > 0 && (next = waiting_.take()); one.amount--) {
			auto &notified = static_cast<wait_operation &>(*next);
			notified.came_ = news;
			notified.mutex_.accept(notified, going);
		}
		return nullptr;
	}

	/* One that waits here or for its mutex is destroyed. What it was told alone, another is told. */
	void forget(wait_operation &one, line &going) noexcept
	{
		if (one.in == &waiting_) {
			withdraw(*this, one, going);
			return;
		}
		one.mutex_.dismiss(one, going);
		if (one.came_ != wait_operation::news::for_one)
			return;
		waiter next(1);
		notify(next, going);
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
