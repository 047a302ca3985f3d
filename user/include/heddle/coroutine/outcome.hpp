/* Coroutines by exchange (coroutine.hpp): what a coroutine came to. */
#ifndef HEDDLE_COROUTINE_OUTCOME_HPP
#define HEDDLE_COROUTINE_OUTCOME_HPP

#include <exception>
#include <optional>
#include <utility>

namespace heddle::coroutine
{

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

} // namespace heddle::coroutine

#endif
