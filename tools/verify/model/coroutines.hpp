/*
 * What the cases of coroutine.hpp have in common. Virtual processors serve executors. The ready coroutines of one are
 * a list; putting to it or taking from it is one step. A case is a few coroutines, which are spawned in the set-up in
 * their order, and maybe a thread outside of all executors.
 *
 * Frames, and whatever else is allocated, come from one array of the explored memory. A freed one is not used again in
 * the same run, so each later access to it is found.
 */
#ifndef MODEL_COROUTINES_HPP
#define MODEL_COROUTINES_HPP

#include <new>
#include <type_traits>
#include <utility>

#include "explorer.h"

#include "heddle/coroutine/operation.hpp"
#include "heddle/coroutine/start.hpp"

namespace model
{

namespace co = heddle::coroutine;

constexpr unsigned COROUTINES = 4;

/* Its virtual processors take the oldest. */
class executor
{
	co::work *ready_[2 * COROUTINES];
	unsigned count_;

	friend bool may_take(void *own);

  public:
	void post(co::work &one) noexcept;
	co::work *take() noexcept;
};

extern executor executors[2];

struct script {
	unsigned processors; /* that serve executors: the first serves the first, and so on in turn */
	unsigned executors;
	void (*prepare)();                      /* in the set-up; may be nullptr */
	void (*finish)();                       /* when nothing is ready and nothing runs; may be nullptr */
	co::task<> (*coroutines[COROUTINES])(); /* each of the executor in turn */
	void (*outside)() = nullptr;            /* the thread of one more virtual processor */
	bool is_watched = false;                /* accesses to frames are steps, too */
};

/* Fails unless it holds. */
inline void expect(bool holds, const char *otherwise)
{
	if (!holds)
		explore_fail("%s", otherwise);
}

/* An object of the case: made in the set-up, destroyed by its last user or at the end. What coroutines wait at begins
 * with its word; two processors must not come to the rest at once. */
template <class Object> class made
{
	alignas(Object) unsigned char bytes_[sizeof(Object)];

  public:
	template <class... Values> void make(const char *name, Values &&...values)
	{
		::new (bytes_) Object(std::forward<Values>(values)...);
		explore_name(bytes_, sizeof bytes_, "%s", name);
		if (std::is_base_of_v<co::object, Object>)
			explore_watch(bytes_ + sizeof(co::word), sizeof bytes_ - sizeof(co::word));
	}

	Object &operator*() noexcept
	{
		return *std::launder(reinterpret_cast<Object *>(bytes_));
	}

	Object *operator->() noexcept
	{
		return &**this;
	}

	/* What the caller has stored in it reaches memory before. */
	void destroy()
	{
		(**this).~Object();
		explore_drain();
		explore_free(bytes_, sizeof bytes_);
	}
};

/* The calling coroutine runs on a processor of that executor. */
void expect_on(const executor &one);

/* Fails where more coroutines than that have called it in one turn of the processor. */
void expect_in_turn(unsigned at_most);

/* The calling coroutine is alone here, and others may come meanwhile. */
class alone
{
	static unsigned there_;

  public:
	alone()
	{
		expect(there_++ == 0, "two coroutines are where only one may be");
		explore_pause();
	}

	~alone()
	{
		there_--;
	}
};

/* The calling coroutine may be here with others that are. */
class shared
{
	static unsigned there_;

  public:
	shared()
	{
		there_++;
	}

	~shared()
	{
		there_--;
	}

	static unsigned count()
	{
		return there_;
	}
};

/* A coroutine that its owner destroys, wherever it is. It begins in the set-up, and runs there until it waits. */
class owned
{
  public:
	struct promise_type : co::work {
		owned get_return_object() noexcept
		{
			handle = std::coroutine_handle<promise_type>::from_promise(*this);
			return owned(*this);
		}

		std::suspend_always initial_suspend() noexcept
		{
			return {};
		}

		std::suspend_always final_suspend() noexcept
		{
			return {};
		}

		void return_void() noexcept
		{
		}

		void unhandled_exception() noexcept
		{
			explore_fail("an exception leaves a coroutine that is owned");
		}
	};

	explicit owned(promise_type &promise) noexcept : promise_(&promise)
	{
	}

	owned(owned &&other) noexcept : promise_(std::exchange(other.promise_, nullptr))
	{
	}

	void begin(co::executor on)
	{
		promise_->executor = on;
		promise_->run();
	}

	/* Or it begins when an executor runs it. */
	void post(co::executor on)
	{
		promise_->executor = on;
		promise_->post();
	}

	~owned()
	{
		if (promise_)
			promise_->handle.destroy();
	}

  private:
	promise_type *promise_;
};

void set_up(const explore_case *explored);
void program(const explore_case *explored, unsigned processor);
const char *check(const explore_case *explored);

template <auto make_script> inline constexpr script kept = make_script();

template <auto make_script> constexpr explore_case explored(const char *name, bool longer)
{
	constexpr script own = make_script();
	return {.name = name,
	        .processors = own.processors + (own.outside ? 1u : 0u),
	        .long_run = longer,
	        .switches = 0,
	        .script = &kept<make_script>,
	        .set_up = set_up,
	        .program = program,
	        .check = check};
}

} // namespace model

/* A row of explore_cases. */
#define COROUTINES(title, longer, ...) \
	model::explored<[] { return model::script{__VA_ARGS__}; }>(title, longer)

#endif
