/*
 * Coroutines by exchange (coroutine.hpp): what executors run, and what they are.
 *
 * An executor calls work::run(), which is a turn: coroutines run in it one after the other. One that suspends
 * names the next, and returns to the turn, which resumes that. So a chain of hand-overs, of tasks that are
 * awaited and of tasks that end takes no stack, however it is compiled; a compiler that resumes one coroutine
 * from another in the caller's place may or may not reuse the stack (GCC does from -O2 on, without sanitizers).
 *
 *     suspended --post()--> ready --run()--> runs --it suspends--> suspended
 *                 suspended --it is named next in a turn--> runs
 */
#ifndef HEDDLE_COROUTINE_EXECUTOR_HPP
#define HEDDLE_COROUTINE_EXECUTOR_HPP

#include <concepts>
#include <coroutine>
#include <type_traits>
#include <utility>

#include "heddle/coroutine/misuse.hpp"

namespace heddle::coroutine
{

class work;
class executor;

template <class Any>
concept posts_work = !std::same_as<std::remove_cv_t<Any>, executor> && requires(Any & any, work &one)
{
	any.post(one);
};

/* Any object with post(work &). */
class executor
{
  public:
	executor() = default;

	template <posts_work Any>
	executor(Any &any) noexcept
	    : object_(&any),
	      post_([](void *object, work &one) noexcept { static_cast<Any *>(object)->post(one); })
	{
	}

	void post(work &one) const noexcept
	{
		if (!object_)
			misuse(
			    "a coroutine has no executor: it was neither spawned nor run, nor awaited by one that was");
		post_(object_, one);
	}

	bool operator==(const executor &other) const noexcept
	{
		return object_ == other.object_ && post_ == other.post_;
	}

  private:
	void *object_ = nullptr;
	void (*post_)(void *, work &) noexcept = nullptr;
};

/* One call of work::run(), on the stack of its thread. */
class turn
{
	static constexpr unsigned CHAIN = 1000;

	std::coroutine_handle<> next_;
	unsigned hand_overs_ = 0;

  public:
	void run(work &first);

	/* When the coroutine that runs has suspended, `one` is resumed. */
	void resume_next(work &one) noexcept;

	/* Whether one more coroutine may follow by a hand-over, before what else is ready. */
	bool may_hand_over() noexcept
	{
		return ++hand_overs_ < CHAIN;
	}
};

/* A coroutine as executors know it. A promise of one's own that awaits what is here derives from it, and sets
 * `handle` and `executor`. It is resumed by run() alone: what an awaitable of another library lets go on is posted. */
class work
{
	friend class turn;

	turn *turn_ = nullptr; /* while it runs */
	bool is_ready_ = false;

  public:
	std::coroutine_handle<> handle;
	coroutine::executor executor;
	work *next = nullptr; /* the executor's, from post() to run() */

	work() = default;
	work(const work &) = delete;
	work &operator=(const work &) = delete;

	~work()
	{
		if (is_ready_)
			misuse("a coroutine is destroyed that is ready to run");
	}

	/* By its executor. */
	void run()
	{
		is_ready_ = false;
		turn().run(*this);
	}

	void post() noexcept
	{
		is_ready_ = true;
		executor.post(*this);
	}

	/* By the coroutine itself: the turn that it runs in. It may be destroyed as soon as others know that it waits; the
	 * turn stays. */
	turn &here() const noexcept
	{
		if (!turn_)
			misuse("a coroutine was resumed by a stranger: its executor has not run it");
		return *turn_;
	}
};

inline void turn::resume_next(work &one) noexcept
{
	one.turn_ = this;
	next_ = one.handle;
}

/* Not inlined: the compiler would warn of a pointer to the turn in a coroutine, which does not use it afterwards. */
[[gnu::noinline]] inline void turn::run(work &first)
{
	resume_next(first);
	while (next_)
		std::exchange(next_, nullptr).resume();
}

template <class Promise>
concept runs_on_executor = std::derived_from<Promise, work>;

/* An awaitable that always suspends and returns nothing. */
struct suspension {
	bool await_ready() const noexcept
	{
		return false;
	}

	void await_resume() const noexcept
	{
	}
};

} // namespace heddle::coroutine

#endif
