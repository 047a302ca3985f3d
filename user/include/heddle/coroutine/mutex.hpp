/* Coroutines by exchange (coroutine.hpp): the mutex. */
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

} // namespace heddle::coroutine

#endif
