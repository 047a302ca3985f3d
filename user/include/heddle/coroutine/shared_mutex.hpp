/*
 * Coroutines by exchange (coroutine.hpp): the mutex that readers share.
 *
 *     free --lock_shared()--> read by 1 --lock_shared(), none waits--> read by 2 ...
 *     free --lock()--> written
 *     read by 1, written --unlock(): the first in line, and readers behind a reader--> written, read by n, free
 */
#ifndef HEDDLE_COROUTINE_SHARED_MUTEX_HPP
#define HEDDLE_COROUTINE_SHARED_MUTEX_HPP

#include <cstddef>

#include "heddle/coroutine/operation.hpp"

namespace heddle::coroutine
{

/* Many may read together. It is fair: while one waits, all that come get in line. The last that leaves lets in the
 * next writer, or all readers up to the next writer (section 5.2). */
template <class HandOver = by_exchange> class basic_shared_mutex : public object
{
	friend object;

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

	void advance(line &going) noexcept
	{
		while (!waiting_.is_empty() && admit(waiting_.first()->amount))
			going.let_go(*waiting_.take());
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
		advance(going);
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

} // namespace heddle::coroutine

#endif
