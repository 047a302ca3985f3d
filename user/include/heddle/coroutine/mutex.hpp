/*
 * Coroutines by exchange (coroutine.hpp): the mutex.
 *
 *     free --lock()--> locked --lock(): it waits in line--> locked
 *                      locked --unlock(), none waits--> free
 *                      locked --unlock(): the first in line has it--> locked
 *
 * `held` gives it up by itself. A mutex knows the `held` of the coroutine that has it: condition.wait() empties that
 * as it gives the mutex up, and fills it again.
 */
#ifndef HEDDLE_COROUTINE_MUTEX_HPP
#define HEDDLE_COROUTINE_MUTEX_HPP

#include <utility>

#include "heddle/coroutine/operation.hpp"

namespace heddle::coroutine
{

template <class Mutex> class held;
template <class Mutex> class basic_condition;

/* HandOver: what runs after an unlock with a waiter, to compare ways to do it (section 6.1). */
template <class HandOver = by_exchange> class basic_mutex : public object
{
	friend class basic_condition<basic_mutex>;
	friend class coroutine::held<basic_mutex>;

	bool is_locked_ = false;
	coroutine::held<basic_mutex> *scope_ =
	    nullptr; // of the coroutine that has the mutex, and that coroutine's to change

	line *take(waiter &, line &) noexcept
	{
		return std::exchange(is_locked_, true) ? &waiting_ : nullptr;
	}

	line *pass(waiter &, line &going) noexcept
	{
		if (!is_locked_)
			misuse("a mutex is unlocked that is not locked");
		if (scope_)
			misuse("a mutex is unlocked that a `held` holds, which would unlock it again");
		waiter *next = waiting_.take();
		if (next)
			going.let_go(*next);
		is_locked_ = next;
		return nullptr;
	}

	/* For conditions. A waiter that was notified gets the mutex, or gets in line for it. */
	void accept(waiter &one, line &going) noexcept
	{
		hold held(word_);
		if (line *place = take(one, going))
			place->put(one);
		else
			going.let_go(one);
	}

	void dismiss(waiter &one, line &going) noexcept
	{
		hold held(word_);
		withdraw(*this, one, going);
	}

	/* While its coroutine waits at a condition, the `held` is empty. */
	coroutine::held<basic_mutex> *empty_scope() noexcept
	{
		coroutine::held<basic_mutex> *scope = std::exchange(scope_, nullptr);
		if (scope)
			scope->mutex_ = nullptr;
		return scope;
	}

	void fill_scope(coroutine::held<basic_mutex> &scope) noexcept
	{
		scope_ = &scope;
		scope.mutex_ = this;
	}

	class scoped_operation : public operation<basic_mutex, &basic_mutex::take>
	{
		basic_mutex &mutex_;

	  public:
		explicit scoped_operation(basic_mutex &at) noexcept
		    : operation<basic_mutex, &basic_mutex::take>(at), mutex_(at)
		{
		}

		/* Empty: it was cancelled. */
		coroutine::held<basic_mutex> await_resume() const noexcept
		{
			return this->is_cancelled() ? coroutine::held<basic_mutex>()
			                            : coroutine::held<basic_mutex>(mutex_);
		}
	};

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

	/* auto held = co_await mutex.scoped(): it is unlocked by co_await held.unlock(), else at the end of the block.
	 * Cancelled, it is empty: auto held = co_await cancellable(by, mutex.scoped()); if (!held) ... */
	auto scoped() noexcept
	{
		return scoped_operation(*this);
	}
};

using mutex = basic_mutex<>;

/* A mutex that is held, or nothing. An exception, or the end of the coroutine, gives it up: the next waiter is
 * posted. */
template <class Mutex> class [[nodiscard]] held
{
	friend Mutex;

	Mutex *mutex_ = nullptr;

	Mutex *give_up() noexcept
	{
		mutex_->scope_ = nullptr;
		return std::exchange(mutex_, nullptr);
	}

  public:
	held() noexcept = default;

	/* The caller holds it. */
	explicit held(Mutex &own) noexcept : mutex_(&own)
	{
		own.scope_ = this;
	}

	held(held &&other) noexcept : mutex_(std::exchange(other.mutex_, nullptr))
	{
		if (mutex_)
			mutex_->scope_ = this;
	}

	held &operator=(held &&) = delete;

	~held()
	{
		if (mutex_)
			give_up()->unlock_dispatch();
	}

	/* Whether it holds its mutex. */
	explicit operator bool() const noexcept
	{
		return mutex_;
	}

	auto unlock() noexcept
	{
		if (!mutex_)
			misuse("a mutex is unlocked that was given up before");
		return give_up()->unlock();
	}
};

} // namespace heddle::coroutine

#endif
