/*
 * What C++ exceptions may cross, in code that is compiled with them:
 *   - Of a delegated section (heddle/delegation.hpp) they go to the task that waits for it: they come out of
 *     delegate_wait(), and of wait() and get() of its future. They never reach the task that carried the section out.
 *   - No caller is left for those of a section of delegate_n(), nor may they leave the function of a task or of a
 *     generator, or a section of the C functions: the process ends there (std::terminate()), and a sentence says why.
 *   - A constructor or function that a promise calls (heddle/future.hpp) may throw: its caller gets the exception, and
 *     the promise is as before. So may the copies that a delegation makes: nothing was delegated then.
 *   - Moving a value into its future, and a section with its arguments into a queue, must not throw: the process ends.
 *   - A guard gives its lock back (heddle/guard.hpp).
 * No other function of Heddle throws. In code that is compiled with -fno-exceptions all of this costs nothing.
 */
#ifndef HEDDLE_EXCEPTIONS_HPP
#define HEDDLE_EXCEPTIONS_HPP

#include "heddle/meta.hpp"

#ifdef __cpp_exceptions
#	include <cstdio>
#	include <exception>
#endif

namespace heddle::detail
{

#ifdef __cpp_exceptions
#	define HEDDLE_EXCEPTIONS true

/* An exception on its way to the task that waits for it. */
class thrown
{
  public:
	/* Call a function, and keep what it throws. */
	template <class Function> void caught_in(Function &&function) noexcept
	{
		try {
			function();
		} catch (...) {
			exception_ = std::current_exception();
		}
	}

	void rethrow() const
	{
		if (exception_)
			std::rethrow_exception(exception_);
	}

	explicit operator bool() const
	{
		return exception_ != nullptr;
	}

  private:
	std::exception_ptr exception_;
};

/* Call a function that no exception may leave: the process ends, with this sentence. */
template <class Function> void must_return(const char *sentence, Function &&function) noexcept
{
	try {
		function();
	} catch (...) {
		std::fprintf(stderr, "heddle: %s\n", sentence);
		std::terminate();
	}
}
#else
#	define HEDDLE_EXCEPTIONS false

class thrown
{
  public:
	template <class Function> void caught_in(Function &&function)
	{
		function();
	}

	void rethrow() const
	{
	}

	explicit operator bool() const
	{
		return false;
	}
};

template <class Function> void must_return(const char *, Function &&function)
{
	function();
}
#endif

/* Whether making a T from these may leave it unmade. */
template <class T, class... Arguments>
inline constexpr bool may_throw = HEDDLE_EXCEPTIONS && !std::is_nothrow_constructible_v<T, Arguments...>;

/* Make a T at that place by moving it there. */
template <class T> T *move_to(void *place, T &value) noexcept
{
	return new (place) T(meta::move(value));
}

} // namespace heddle::detail

#endif
