/* What the tests of heddle/coroutine.hpp share that destroy coroutines. */
#ifndef CHECKS_RUNTIMES_COROUTINE_SOLE_HPP
#define CHECKS_RUNTIMES_COROUTINE_SOLE_HPP

#include "coroutine_test.hpp"

/* A coroutine of another library, with a promise of its own, that the test may destroy. */
struct sole {
	struct promise_type : co::work {
		sole get_return_object()
		{
			handle = std::coroutine_handle<promise_type>::from_promise(*this);
			return sole{std::coroutine_handle<promise_type>::from_promise(*this)};
		}

		std::suspend_always initial_suspend() noexcept
		{
			return {};
		}

		std::suspend_always final_suspend() noexcept
		{
			return {};
		}

		void return_void()
		{
		}

		void unhandled_exception()
		{
			std::terminate();
		}
	};

	std::coroutine_handle<promise_type> coroutine;
};

static sole awaits(co::task<> task)
{
	co_await std::move(task);
}

/* Begun, and run until all wait. */
static sole started(by_hand &executor, co::task<> task)
{
	sole one = awaits(std::move(task));
	one.coroutine.promise().executor = co::executor(executor);
	one.coroutine.promise().post();
	executor.run_all();
	return one;
}

#endif
