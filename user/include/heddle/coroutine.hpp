/*
 * C++20 coroutines that synchronize by exchange (exchange paper, section 5): tasks, and what they wait at. This
 * file needs nothing but the standard library, so it can be copied into programs without Heddle.
 *
 *     namespace co = heddle::coroutine;
 *
 *     co::task<int> insert(co::mutex &mutex, std::map<int, int> &map, int key)
 *     {
 *         co_await mutex.lock();
 *         map[key]++;
 *         int found = map[key];
 *         co_await mutex.unlock();            a coroutine that waits runs here, and at once
 *         co_return found;
 *     }
 *
 *     co::thread_executor executor(4);        heddle/thread_executor.hpp; on Heddle: heddle/task_executor.hpp
 *     int found = co::run(executor, insert(mutex, map, 7));
 *
 * Order. An operation that lets others go on (unlock(), release(), set() ...) is awaited. The first coroutine
 * that may go on is resumed in the caller's place, by symmetric transfer; the caller and the others are posted
 * to their executors. So critical sections follow each other on one thread without a queue between them.
 * An operation named ..._dispatch() is an ordinary function, for destructors too: it posts all that may go on,
 * and the caller continues (Figure 3).
 *
 * Executors. An executor is anything with `void post(co::work &) noexcept`. It calls work.run() once, soon, on
 * a thread of its choice, and not in post() itself. A coroutine belongs to one executor and runs only there:
 * the one given to spawn() or run(), or that of the task that awaits it. resume_on() changes it. Where a
 * coroutine lets one of another executor go on, that one is posted to its own.
 *
 * Memory. Only a coroutine's frame and a channel's ring are allocated: no unlock can fail.
 *
 * Fairness. Waiting is first come, first served, and suspends. A lock is handed over, so that no third
 * coroutine can take it between. After 1,000 hand-overs in a row the next coroutine is posted, which gives what
 * else is ready on that thread its turn. (GCC resumes in the caller's place without more stack from -O2 on, and
 * not with sanitizers; clang always. Without that, each coroutine of a chain has its frame on that of the one
 * before it, until one of them waits.)
 *
 * Progress. Each operation holds its object's test-and-set word for a bounded number of instructions, as in the
 * paper's library (section 5.1), and takes effect there; threads wait for each other that long.
 *
 * | operation                                   | progress                   | takes effect               |
 * |---------------------------------------------|----------------------------|----------------------------|
 * | lock, acquire, wait, receive, send, arrive  | waits for the word, then   | in the word's section that |
 * |                                             | suspends until it may go   | grants it, maybe another's |
 * | unlock, release, set, notify, close, ...    | waits for the word         | in the word's section      |
 * | try_..., ..._dispatch, is_set, reset        | waits for the word         | in the word's section      |
 * | cancellation::request                       | waits for the words of all | with its own word, then in |
 * |                                             | waits that it ends         | the section of each wait   |
 *
 * Exceptions. What a task throws comes out where the task is awaited, or of run(). An exception that leaves a
 * task of spawn() ends the process (std::terminate()). A channel's messages must move without exceptions.
 *
 * Cancellation. cancellable(cancellation, operation) ends a wait when that is requested, and says so. A
 * condition's wait still returns with its mutex.
 *
 * Destruction. A coroutine that waits may be destroyed by the task that owns it. It leaves its line, and what
 * it waited for goes to the next. Nothing may let it go on meanwhile, so its executor must stand still or run
 * on the destroying thread. What the coroutine holds must be given up in destructors, as co::held does. A
 * coroutine that is ready or runs must not be destroyed.
 *
 * Misuse ends the process with a sentence on standard error: to unlock what is not locked, to destroy an object
 * that is locked or waited for, to destroy a coroutine that is ready, to count a latch below 0, to await a task
 * twice. Two kinds are not seen: to unlock what another coroutine holds, and to lock what the caller holds,
 * which waits for ever.
 *
 * Any number of threads and coroutines may use an object. Its last user may destroy it when that user's last
 * operation has returned. An event, a latch or a barrier must stay until all that waited have gone on.
 */
#ifndef HEDDLE_COROUTINE_HPP
#define HEDDLE_COROUTINE_HPP

#include <atomic>
#include <concepts>
#include <condition_variable>
#include <coroutine>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

namespace heddle::coroutine
{

[[noreturn]] inline void misuse(const char *sentence) noexcept
{
	std::fprintf(stderr, "heddle/coroutine.hpp: %s\n", sentence);
	std::abort();
}

/* ---------------------------------------------------------------------------------- coroutines, executors -- */

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

/* ------------------------------------------------------------------------------------------ waiters -- */

/* A test-and-set lock for some instructions. A thread that waits for it looks LOOKS times, then lets other
 * threads run. */
class word
{
	std::atomic<bool> taken_{false};
	static constexpr unsigned LOOKS = 100;

  public:
	void lock() noexcept
	{
		/* acquire: pairs with unlock(). */
		for (unsigned looks = 0; taken_.exchange(true, std::memory_order_acquire);)
			while (taken_.load(std::memory_order_relaxed))
				if (++looks % LOOKS == 0)
					std::this_thread::yield();
	}

	void unlock() noexcept
	{
		/* release: what was done meanwhile; pairs with lock(). */
		taken_.store(false, std::memory_order_release);
	}
};

using hold = std::lock_guard<word>;

class line;

/* A coroutine at an object, in the frame of that coroutine, under the object's word:
 *
 *     comes --it is put in a line--> waits --it is let go on--> goes
 *     comes, waits --it is cancelled--> cancelled
 */
class waiter
{
	friend class line;
	waiter *previous_ = nullptr, *next_ = nullptr;

  public:
	enum class state { comes, waits, goes, cancelled };

	work *coroutine = nullptr;
	line *in = nullptr; /* where it waits */
	std::size_t amount; /* of what it wants */
	state is = state::comes;

	explicit waiter(std::size_t wanted) noexcept : amount(wanted)
	{
	}
};

/* First come, first served. */
class line
{
	waiter *first_ = nullptr, *last_ = nullptr;

  public:
	bool is_empty() const noexcept
	{
		return !first_;
	}

	waiter *first() const noexcept
	{
		return first_;
	}

	void put(waiter &one) noexcept
	{
		one.previous_ = last_;
		one.next_ = nullptr;
		(last_ ? last_->next_ : first_) = &one;
		last_ = &one;
		one.in = this;
		one.is = waiter::state::waits;
	}

	void remove(waiter &one) noexcept
	{
		(one.previous_ ? one.previous_->next_ : first_) = one.next_;
		(one.next_ ? one.next_->previous_ : last_) = one.previous_;
	}

	waiter *take() noexcept
	{
		waiter *one = first_;
		if (one)
			remove(*one);
		return one;
	}

	/* One that waited, or was taken from another line, goes on. */
	void let_go(waiter &one) noexcept
	{
		put(one);
		one.is = waiter::state::goes;
	}

	void let_all_go(line &waiting) noexcept
	{
		while (waiter *one = waiting.take())
			let_go(*one);
	}

	void post_all() noexcept
	{
		while (waiter *one = take())
			one->coroutine->post();
	}
};

/* The first that goes on is resumed here, the caller and the others are posted (Figure 6). Each of these gives
 * back what runs next. */
struct by_exchange {
	static std::coroutine_handle<> hand_over(work &self, line going) noexcept
	{
		waiter *first = going.take();
		going.post_all();
		if (!first)
			return self.handle;
		work &next = *first->coroutine;
		if (next.may_follow({self.executor, self.chain})) {
			self.post();
			return next.handle;
		}
		next.post();
		return self.handle;
	}
};

/* All are posted, the caller goes on (Figure 3). */
struct by_dispatch {
	static std::coroutine_handle<> hand_over(work &self, line going) noexcept
	{
		going.post_all();
		return self.handle;
	}
};

/* What coroutines wait at. A step is a member function of an object, called while its word is held. Where it can
 * be done, it is done, the waiters that may go on by it are put into `going`, and nullptr is returned. Where it
 * cannot, the line to wait in is returned. It may be called twice before its coroutine waits. */
class object
{
	template <class, auto, class> friend class operation;

  public:
	object(const object &) = delete;
	object &operator=(const object &) = delete;

  protected:
	word word_;
	line waiting_;

	object() = default;

	~object()
	{
		if (!waiting_.is_empty())
			misuse("an object is destroyed while a coroutine waits for it");
	}

	/* Does a step from anywhere, and posts what may go on. Whether it could be done. */
	template <class Own>
	static bool dispatch(Own &own, line *(Own::*step)(waiter &, line &) noexcept,
	                     std::size_t amount = 0) noexcept
	{
		waiter caller(amount);
		line going;
		bool is_done;
		{
			hold held(own.word_);
			is_done = !(own.*step)(caller, going);
		}
		going.post_all();
		return is_done;
	}
};

/* A step of an object, awaited. */
template <class Object, auto Step, class HandOver = by_exchange>
class [[nodiscard("it is to be awaited")]] operation : public waiter
{
	Object &object_;
	line going_;
	bool is_done_ = false;

  public:
	explicit operation(Object & at, std::size_t wanted = 0) noexcept : waiter(wanted), object_(at)
	{
	}

	/* Before it is awaited, when there is nothing else to take over. */
	operation(operation && other) noexcept : waiter(other.amount), object_(other.object_)
	{
	}

	operation &operator=(operation &&) = delete;

	/* Its coroutine is destroyed. */
	~operation()
	{
		if (is != state::waits)
			return;
		hold held(object_.word_);
		in->remove(*this);
	}

	bool await_ready() noexcept
	{
		hold held(object_.word_);
		is_done_ = !(object_.*Step)(*this, going_);
		return is_done_ && going_.is_empty();
	}

	/* Not inlined: another thread may run the coroutine before this returns, and the locals of what is inlined may be
	 * kept in the coroutine's frame. */
	template <runs_on_executor Promise>
	[[gnu::noinline]] std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> handle) noexcept
	{
		work &self = handle.promise();
		if (!is_done_ && is_waiting(self))
			return std::noop_coroutine();
		return HandOver::hand_over(self, std::exchange(going_, line()));
	}

	void await_resume() const noexcept
	{
	}

	/* By cancellable(). */
	void cancel(line & going) noexcept
	{
		hold held(object_.word_);
		if (is == state::goes || is_done_)
			return;
		if (is == state::waits) {
			in->remove(*this);
			going.let_go(*this);
		}
		is = state::cancelled;
	}

  private:
	bool is_waiting(work & self) noexcept
	{
		hold held(object_.word_);
		if (is == state::cancelled)
			return false;
		coroutine = &self;
		line *place = (object_.*Step)(*this, going_);
		is_done_ = !place;
		if (place)
			place->put(*this);
		return place;
	}
};

/* Ends waits from outside: co_await cancellable(cancellation, mutex.lock()). It must outlive them. (A
 * std::stop_token tells by the thread which code runs its callbacks, which is wrong where another task goes on
 * in the middle of one.) */
class cancellation : public object
{
	template <class> friend class cancellable;

	bool is_requested_ = false;

	/* An operation that can be cancelled, in the frame of its coroutine. */
	struct entry : waiter {
		void (*cancel)(entry &own, line &going) noexcept;

		explicit entry(void (*by)(entry &own, line &going) noexcept) noexcept : waiter(0), cancel(by)
		{
		}
	};

	void enter(entry &one) noexcept
	{
		line none; // it does not wait yet
		hold held(word_);
		if (is_requested_)
			one.cancel(one, none);
		else
			waiting_.put(one);
	}

	/* When this returns, request() does not come to it any more. */
	void leave(entry &one) noexcept
	{
		hold held(word_);
		if (one.is == waiter::state::waits)
			waiting_.remove(one);
	}

  public:
	/* Ends all waits that were made cancellable by it; later ones do not begin. */
	void request() noexcept
	{
		line going;
		{
			hold held(word_);
			is_requested_ = true;
			while (waiter *one = waiting_.take()) {
				one->is = waiter::state::goes;
				auto &own = static_cast<entry &>(*one);
				own.cancel(own, going);
			}
		}
		going.post_all();
	}

	bool is_requested() noexcept
	{
		hold held(word_);
		return is_requested_;
	}
};

/* Returns whether the operation was done. Where the operation itself returns something, returns that, which is empty or
 * false where it was not. */
template <class Operation> class [[nodiscard("it is to be awaited")]] cancellable : cancellation::entry
{
	cancellation &by_;
	Operation operation_;

	static void cancel_own(cancellation::entry & own, line & going) noexcept
	{
		static_cast<cancellable &>(own).operation_.cancel(going);
	}

  public:
	cancellable(cancellation & by, Operation operation) noexcept
	    : cancellation::entry(cancel_own), by_(by), operation_(std::move(operation))
	{
	}

	cancellable(cancellable &&) = delete;

	~cancellable()
	{
		if (is == state::waits)
			by_.leave(*this);
	}

	bool await_ready() noexcept
	{
		return operation_.await_ready();
	}

	/* The request may come before the operation is in line: then it does not get there. */
	template <runs_on_executor Promise>
	[[gnu::noinline]] std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> handle) noexcept
	{
		by_.enter(*this);
		return operation_.await_suspend(handle);
	}

	auto await_resume() noexcept
	{
		by_.leave(*this);
		if constexpr (std::is_void_v<decltype(operation_.await_resume())>)
			return operation_.is != waiter::state::cancelled;
		else
			return operation_.await_resume();
	}
};

/* --------------------------------------------------------------------------------------------------- tasks -- */

/* The result of a coroutine: a value or an exception. */
class failure
{
	std::exception_ptr error_;

  public:
	void unhandled_exception() noexcept
	{
		error_ = std::current_exception();
	}

	void rethrow() const
	{
		if (error_)
			std::rethrow_exception(error_);
	}
};

template <class T> class outcome : public failure
{
	std::optional<T> value_;

  public:
	template <class From = T> void return_value(From &&from)
	{
		value_.emplace(std::forward<From>(from));
	}

	T take()
	{
		this->rethrow();
		return std::move(*value_);
	}
};

template <class T> class outcome<T &> : public failure
{
	T *value_ = nullptr;

  public:
	void return_value(T &value) noexcept
	{
		value_ = &value;
	}

	T &take() const
	{
		this->rethrow();
		return *value_;
	}
};

template <> class outcome<void> : public failure
{
  public:
	void return_void() noexcept
	{
	}

	void take() const
	{
		rethrow();
	}
};

/* Begins when it is awaited: co_await call(), or co_await std::move(task). Destroying it destroys the coroutine. */
template <class T = void> class [[nodiscard("it does nothing until it is awaited")]] task
{
  public:
	class promise_type : public work, public outcome<T>
	{
	  public:
		work *awaited_by = nullptr;

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
			[[gnu::noinline]] std::coroutine_handle<>
			await_suspend(std::coroutine_handle<promise_type> handle) noexcept
			{
				work &next = *handle.promise().awaited_by;
				next.chain = handle.promise().chain;
				if (next.executor == handle.promise().executor)
					return next.handle;
				next.post();
				return std::noop_coroutine();
			}
		};

		end final_suspend() noexcept
		{
			return {};
		}
	};

	task(task && other) noexcept : promise_(std::exchange(other.promise_, nullptr))
	{
	}

	task &operator=(task &&other) noexcept
	{
		std::swap(promise_, other.promise_);
		return *this;
	}

	~task()
	{
		if (promise_)
			promise_->handle.destroy();
	}

	/* Awaits the task and leaves its result in it, for take(). */
	struct settled : suspension {
		promise_type *promise;

		explicit settled(promise_type *of) noexcept : promise(of)
		{
		}

		template <runs_on_executor Promise>
		std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> handle) noexcept
		{
			if (!promise || promise->awaited_by)
				misuse("a task is awaited twice, or was moved elsewhere");
			promise->awaited_by = &handle.promise();
			promise->executor = promise->awaited_by->executor;
			promise->chain = promise->awaited_by->chain;
			return promise->handle;
		}
	};

	settled settle() &noexcept
	{
		return settled(promise_);
	}

	/* After it was settled. */
	T take()
	{
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
	explicit task(promise_type & promise) noexcept : promise_(&promise)
	{
	}

	promise_type *promise_;
};

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
 * executor. */
template <class T, class Done> void start(executor on, task<T> &own, Done done)
{
	work &made = [](task<T> &awaited, Done then) -> detached {
		co_await awaited.settle();
		then();
	}(own, std::move(done))
	                                                    .coroutine;
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
class [[nodiscard("it is to be awaited")]] resume_on : public suspension
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
struct [[nodiscard("it is to be awaited")]] yield
    : suspension{template <class Promise> [[gnu::noinline]] void await_suspend(
          std::coroutine_handle<Promise> handle) noexcept {handle.promise().post();
} // namespace heddle::coroutine
}
;

/* --------------------------------------------------------------------------------------------------- mutex -- */

template <class Mutex> class held;
template <class Mutex> class basic_condition;

/* HandOver: what runs after an unlock with a waiter, to compare ways to do it (section 6.1). */
template <class HandOver = by_exchange> class basic_mutex : public object
{
	friend class basic_condition<basic_mutex>;

	bool is_locked_ = false;

	line *take(waiter &, line &) noexcept
	{
		return std::exchange(is_locked_, true) ? &waiting_ : nullptr;
	}

	line *pass(waiter &, line &going) noexcept
	{
		if (!is_locked_)
			misuse("a mutex is unlocked that is not locked");
		waiter *next = waiting_.take();
		if (next)
			going.let_go(*next);
		is_locked_ = next;
		return nullptr;
	}

	/* A waiter that was notified gets the mutex, or gets in line for it. */
	void accept(waiter &one, line &going) noexcept
	{
		hold held(word_);
		if (line *place = take(one, going))
			place->put(one);
		else
			going.let_go(one);
	}

  public:
	~basic_mutex()
	{
		if (is_locked_)
			misuse("a mutex is destroyed that is locked");
	}

	auto lock() noexcept
	{
		return operation<basic_mutex, &basic_mutex::take>(*this);
	}

	bool try_lock() noexcept
	{
		return object::dispatch(*this, &basic_mutex::take);
	}

	auto unlock() noexcept
	{
		return operation<basic_mutex, &basic_mutex::pass, HandOver>(*this);
	}

	void unlock_dispatch() noexcept
	{
		object::dispatch(*this, &basic_mutex::pass);
	}

	/* auto held = co_await mutex.scoped(): it is unlocked by co_await held.unlock(), else at the end of the block. */
	auto scoped() noexcept
	{
		struct scoped_operation : operation<basic_mutex, &basic_mutex::take> {
			basic_mutex &mutex;

			explicit scoped_operation(basic_mutex &at) noexcept
			    : operation<basic_mutex, &basic_mutex::take>(at), mutex(at)
			{
			}

			coroutine::held<basic_mutex> await_resume() const noexcept
			{
				return coroutine::held<basic_mutex>(mutex);
			}
		};
		return scoped_operation(*this);
	}
};

using mutex = basic_mutex<>;

/* A mutex that is held. An exception, or the end of the coroutine, gives it up: the next waiter is posted. */
template <class Mutex> class [[nodiscard]] held
{
	Mutex *mutex_;

  public:
	/* The caller holds it. */
	explicit held(Mutex &own) noexcept : mutex_(&own)
	{
	}

	held(held &&other) noexcept : mutex_(std::exchange(other.mutex_, nullptr))
	{
	}

	held &operator=(held &&) = delete;

	~held()
	{
		if (mutex_)
			mutex_->unlock_dispatch();
	}

	auto unlock() noexcept
	{
		if (!mutex_)
			misuse("a mutex is unlocked that was given up before");
		return std::exchange(mutex_, nullptr)->unlock();
	}
};

/* -------------------------------------------------------------------------------------------- shared mutex -- */

/* Many may read together. It is fair: while one waits, all that come get in line. The last that leaves lets in the
 * next writer, or all readers up to the next writer (section 5.2). */
template <class HandOver = by_exchange> class basic_shared_mutex : public object
{
	static constexpr std::size_t WRITES = 0, READS = 1; /* a waiter's amount: the readers that it adds */

	std::size_t readers_ = 0;
	bool is_written_ = false;

	bool admit(std::size_t amount) noexcept
	{
		if (is_written_ || (amount == WRITES && readers_ > 0))
			return false;
		readers_ += amount;
		is_written_ = amount == WRITES;
		return true;
	}

	line *take(waiter &one, line &) noexcept
	{
		return waiting_.is_empty() && admit(one.amount) ? nullptr : &waiting_;
	}

	line *pass(waiter &one, line &going) noexcept
	{
		if (one.amount == READS ? readers_ == 0 : !is_written_)
			misuse("a shared mutex is unlocked that is not locked so");
		readers_ -= one.amount;
		is_written_ = false;
		while (!waiting_.is_empty() && admit(waiting_.first()->amount))
			going.let_go(*waiting_.take());
		return nullptr;
	}

  public:
	~basic_shared_mutex()
	{
		if (is_written_ || readers_ > 0)
			misuse("a shared mutex is destroyed that is locked");
	}

	auto lock() noexcept
	{
		return operation<basic_shared_mutex, &basic_shared_mutex::take>(*this, WRITES);
	}

	auto lock_shared() noexcept
	{
		return operation<basic_shared_mutex, &basic_shared_mutex::take>(*this, READS);
	}

	bool try_lock() noexcept
	{
		return object::dispatch(*this, &basic_shared_mutex::take, WRITES);
	}

	bool try_lock_shared() noexcept
	{
		return object::dispatch(*this, &basic_shared_mutex::take, READS);
	}

	auto unlock() noexcept
	{
		return operation<basic_shared_mutex, &basic_shared_mutex::pass, HandOver>(*this, WRITES);
	}

	auto unlock_shared() noexcept
	{
		return operation<basic_shared_mutex, &basic_shared_mutex::pass, HandOver>(*this, READS);
	}

	void unlock_dispatch() noexcept
	{
		object::dispatch(*this, &basic_shared_mutex::pass, WRITES);
	}

	void unlock_shared_dispatch() noexcept
	{
		object::dispatch(*this, &basic_shared_mutex::pass, READS);
	}
};

using shared_mutex = basic_shared_mutex<>;

/* ----------------------------------------------------------------------------------------------- semaphore -- */

class semaphore : public object
{
	std::size_t permits_;

	bool admit(std::size_t amount) noexcept
	{
		if (permits_ < amount)
			return false;
		permits_ -= amount;
		return true;
	}

	line *take(waiter &one, line &) noexcept
	{
		return waiting_.is_empty() && admit(one.amount) ? nullptr : &waiting_;
	}

	line *give(waiter &one, line &going) noexcept
	{
		if (permits_ + one.amount < permits_)
			misuse("a semaphore has more permits than can be counted");
		permits_ += one.amount;
		while (!waiting_.is_empty() && admit(waiting_.first()->amount))
			going.let_go(*waiting_.take());
		return nullptr;
	}

  public:
	explicit semaphore(std::size_t permits) noexcept : permits_(permits)
	{
	}

	/* All of the permits at once. */
	auto acquire(std::size_t amount = 1) noexcept
	{
		return operation<semaphore, &semaphore::take>(*this, amount);
	}

	bool try_acquire(std::size_t amount = 1) noexcept
	{
		return dispatch(*this, &semaphore::take, amount);
	}

	auto release(std::size_t amount = 1) noexcept
	{
		return operation<semaphore, &semaphore::give>(*this, amount);
	}

	void release_dispatch(std::size_t amount = 1) noexcept
	{
		dispatch(*this, &semaphore::give, amount);
	}
};

/* ----------------------------------------------------------------------------------------------- condition -- */

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

/* ------------------------------------------------------------------------------------ event, latch, barrier -- */

/* Set until it is reset. */
class event : public object
{
	bool is_set_;

	line *await(waiter &, line &) noexcept
	{
		return is_set_ ? nullptr : &waiting_;
	}

	line *change(waiter &, line &going) noexcept
	{
		is_set_ = true;
		going.let_all_go(waiting_);
		return nullptr;
	}

  public:
	explicit event(bool is_set = false) noexcept : is_set_(is_set)
	{
	}

	auto wait() noexcept
	{
		return operation<event, &event::await>(*this);
	}

	auto set() noexcept
	{
		return operation<event, &event::change>(*this);
	}

	void set_dispatch() noexcept
	{
		dispatch(*this, &event::change);
	}

	void reset() noexcept
	{
		hold held(word_);
		is_set_ = false;
	}

	bool is_set() noexcept
	{
		return dispatch(*this, &event::await);
	}
};

/* Counts down to 0, once. */
class latch : public object
{
	std::size_t count_;

	line *count(waiter &one, line &going) noexcept
	{
		std::size_t amount = std::exchange(one.amount, 0); // once, though this may be called twice
		if (amount > count_)
			misuse("a latch is counted below 0");
		count_ -= amount;
		if (count_ == 0)
			going.let_all_go(waiting_);
		return nullptr;
	}

	line *count_and_await(waiter &one, line &going) noexcept
	{
		count(one, going);
		return count_ == 0 ? nullptr : &waiting_;
	}

  public:
	explicit latch(std::size_t count) noexcept : count_(count)
	{
	}

	auto count_down(std::size_t amount = 1) noexcept
	{
		return operation<latch, &latch::count>(*this, amount);
	}

	void count_down_dispatch(std::size_t amount = 1) noexcept
	{
		dispatch(*this, &latch::count, amount);
	}

	auto wait() noexcept
	{
		return operation<latch, &latch::count_and_await>(*this, 0);
	}

	auto arrive_and_wait(std::size_t amount = 1) noexcept
	{
		return operation<latch, &latch::count_and_await>(*this, amount);
	}
};

/* So many meet, again and again. The last to arrive goes on: it is what the others have waited for, and they are
 * posted. An arrival counts, whether or not its wait is cancelled. */
class barrier : public object
{
	std::size_t expected_, arrived_ = 0, phase_ = 1;

	/* A waiter's amount: the phase in which it has arrived; 0: not yet. */
	line *arrive(waiter &one, line &going) noexcept
	{
		if (one.amount != 0)
			return one.amount == phase_ ? &waiting_ : nullptr;
		one.amount = phase_;
		if (++arrived_ < expected_)
			return &waiting_;
		arrived_ = 0;
		phase_ = phase_ + 1 == 0 ? 1 : phase_ + 1;
		going.let_all_go(waiting_);
		return nullptr;
	}

  public:
	explicit barrier(std::size_t expected) noexcept : expected_(expected)
	{
		if (expected == 0)
			misuse("a barrier is made for no coroutine");
	}

	auto arrive_and_wait() noexcept
	{
		return operation<barrier, &barrier::arrive, by_dispatch>(*this, 0);
	}
};

/* ------------------------------------------------------------------------------------------------- channel -- */

/* A bounded queue of messages; without room, a message goes from sender to receiver. A receiver that waits runs
 * with its message in the place of the sender. A sender that waits for room is posted when its message has it. */
template <class T> class channel : public object
{
	static_assert(std::is_nothrow_move_constructible_v<T> && std::is_nothrow_move_assignable_v<T>,
	              "a message is moved under the channel's word: that must not throw");

	std::vector<std::optional<T>> ring_;
	std::size_t first_ = 0, count_ = 0;
	bool is_closed_ = false;
	line senders_; // those in waiting_ wait for messages

	line *put(waiter &one, line &going) noexcept
	{
		auto &own = static_cast<send_operation &>(one);
		if (is_closed_)
			return nullptr;
		own.is_sent = place(own.message, going);
		return own.is_sent ? nullptr : &senders_;
	}

	line *get(waiter &one, line &going) noexcept
	{
		auto &own = static_cast<receive_operation &>(one);
		fetch(own.message, going);
		return own.message || is_closed_ ? nullptr : &waiting_;
	}

	line *end(waiter &, line &going) noexcept
	{
		is_closed_ = true;
		going.let_all_go(waiting_);
		going.let_all_go(senders_);
		return nullptr;
	}

	class send_operation : public operation<channel, &channel::put>
	{
	  public:
		std::optional<T> message;
		bool is_sent = false;

		send_operation(channel &at, T &&sent) noexcept
		    : operation<channel, &channel::put>(at), message(std::move(sent))
		{
		}

		/* False: it is closed. */
		bool await_resume() const noexcept
		{
			return is_sent;
		}
	};

	class receive_operation : public operation<channel, &channel::get, by_dispatch>
	{
	  public:
		std::optional<T> message;

		explicit receive_operation(channel &at) noexcept : operation<channel, &channel::get, by_dispatch>(at)
		{
		}

		/* Empty: it is closed, and nothing is left in it. */
		std::optional<T> await_resume() noexcept
		{
			return std::move(message);
		}
	};

	static void hand(std::optional<T> &from, std::optional<T> &to) noexcept
	{
		to.emplace(std::move(*from));
		from.reset();
	}

	std::optional<T> &slot(std::size_t number) noexcept
	{
		return ring_[(first_ + number) % ring_.size()];
	}

	/* Whether the message was taken. */
	bool place(std::optional<T> &message, line &going) noexcept
	{
		if (waiter *one = waiting_.take()) {
			hand(message, static_cast<receive_operation &>(*one).message);
			going.let_go(*one);
			return true;
		}
		if (count_ == ring_.size())
			return false;
		hand(message, slot(count_++));
		return true;
	}

	void fetch(std::optional<T> &message, line &going) noexcept
	{
		if (count_ > 0) {
			hand(slot(0), message);
			first_ = (first_ + 1) % ring_.size();
			count_--;
		}
		waiter *one = senders_.take();
		if (!one)
			return;
		auto &sender = static_cast<send_operation &>(*one);
		hand(sender.message, ring_.empty() ? message : slot(count_++));
		sender.is_sent = true;
		going.let_go(*one);
	}

  public:
	explicit channel(std::size_t room) : ring_(room)
	{
	}

	~channel()
	{
		if (!senders_.is_empty())
			misuse("a channel is destroyed while a coroutine waits for it");
	}

	/* bool is_sent = co_await channel.send(message); not: it was closed. */
	auto send(T message) noexcept
	{
		return send_operation(*this, std::move(message));
	}

	/* while (auto message = co_await channel.receive()) ... until it is closed and empty. */
	auto receive() noexcept
	{
		return receive_operation(*this);
	}

	/* Without waiting; a message that is not sent is left as it was. */
	bool try_send(T &message) noexcept
	{
		std::optional<T> sent(std::move(message));
		line going;
		bool is_sent;
		{
			hold held(word_);
			is_sent = !is_closed_ && place(sent, going);
		}
		going.post_all();
		if (!is_sent)
			message = std::move(*sent);
		return is_sent;
	}

	std::optional<T> try_receive() noexcept
	{
		std::optional<T> message;
		line going;
		{
			hold held(word_);
			fetch(message, going);
		}
		going.post_all();
		return message;
	}

	/* Nothing more can be sent; what is in it can be received. */
	auto close() noexcept
	{
		return operation<channel, &channel::end>(*this);
	}

	void close_dispatch() noexcept
	{
		object::dispatch(*this, &channel::end);
	}
};

} // namespace heddle::coroutine

#endif
