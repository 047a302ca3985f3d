/* Coroutines by exchange (coroutine.hpp): what executors run, and what they are. */
#ifndef HEDDLE_COROUTINE_EXECUTOR_HPP
#define HEDDLE_COROUTINE_EXECUTOR_HPP

#include <concepts>
#include <coroutine>
#include <type_traits>

#include "heddle/coroutine/misuse.hpp"

namespace heddle::coroutine
{

class work;

/* Any object with post(work &). */
class executor
{
  public:
	executor() = default;

	template <class Any>
	requires(!std::same_as<std::remove_cvref_t<Any>, executor> &&
	         requires(Any & any, work &one) { any.post(one); }) executor(Any &any)
	noexcept
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
		return object_ == other.object_;
	}

  private:
	void *object_ = nullptr;
	void (*post_)(void *, work &) noexcept = nullptr;
};

/* A coroutine as executors know it. A promise of one's own that awaits what is here derives from it, and sets
 * `handle` and `executor`. */
class work
{
  public:
	std::coroutine_handle<> handle;
	coroutine::executor executor;
	work *next = nullptr; /* the executor's, from post() to run() */
	unsigned chain = 0;   /* hand-overs in a row, by which it runs */

	/* Where a coroutine runs: what another needs to know to run in its place. */
	struct place {
		coroutine::executor executor;
		unsigned chain;
	};

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
		chain = 0;
		handle.resume();
	}

	/* Whether it may run in the place of the work that runs there. */
	bool may_follow(const place &there) noexcept
	{
		chain = there.chain + 1;
		return executor == there.executor && chain < CHAIN;
	}

	/* Returns what runs next there: this, or nothing where it had to be posted. */
	std::coroutine_handle<> run_after(const place &there) noexcept
	{
		if (may_follow(there))
			return handle;
		post();
		return std::noop_coroutine();
	}

	void post() noexcept
	{
		is_ready_ = true;
		executor.post(*this);
	}

  private:
	static constexpr unsigned CHAIN = 1000;

	bool is_ready_ = false;
};

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
