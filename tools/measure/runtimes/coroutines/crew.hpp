/*
 * What the programs for coroutines share (user/include/heddle/coroutine.hpp): the executor, threads of their
 * own or, with ON_HEDDLE, Heddle's tasks; coroutines that start together, as in user/crew.h; and the third way
 * to hand over.
 */
#ifndef RUNTIMES_COROUTINES_CREW_HPP
#define RUNTIMES_COROUTINES_CREW_HPP

#ifdef ON_HEDDLE
#	include "heddle/task_executor.hpp"
#else
#	include "heddle/thread_executor.hpp"
#endif

#include "common/witness.hpp"
#include "common/work.hpp"

namespace co = heddle::coroutine;

/* All that go on are resumed here, nested in the unlock, whose caller goes on when they suspend (exchange
 * paper, Figure 2): as cppcoro and folly have it. */
struct by_inline {
	static co::work &hand_over(co::work &self, co::line going) noexcept
	{
		while (co::waiter *one = going.take())
			one->coroutine->run();
		return self;
	}
};

namespace runtime
{

#ifdef ON_HEDDLE
constexpr const char *name = "coroutines-heddle";
const std::vector<std::string> locks = {"exchange", "dispatch"}; // a task's stack is too small for `inline`
using executor = co::task_executor;

template <class Main> int run(uint64_t processors, Main main)
{
	std::string words = "processors=" + std::to_string(processors);
	if (heddle_start(words.c_str()) != HEDDLE_OK)
		bench::fail(std::string(name) + ": the machine did not start");
	int status;
	{
		executor tasks;
		status = main(tasks);
	}
	heddle_stop();
	return status;
}

template <class T> T wait_for(executor &tasks, co::task<T> task)
{
	return tasks.run(std::move(task));
}
#else
constexpr const char *name = "coroutines";
const std::vector<std::string> locks = {"exchange", "dispatch", "inline"};
using executor = co::thread_executor;

template <class Main> int run(uint64_t processors, Main main)
{
	executor threads(processors);
	return main(threads);
}

template <class T> T wait_for(executor &threads, co::task<T> task)
{
	return co::run(threads, std::move(task));
}
#endif

} // namespace runtime

template <class Member>
co::task<> crew_member(Member &member, uint64_t number, co::event &opens, co::latch &ended)
{
	co_await opens.wait();
	co_await member(number);
	ended.count_down_dispatch();
}

/* The nanoseconds from the start to the last end. */
template <class Member> co::task<uint64_t> crew(co::executor on, uint64_t count, Member &member)
{
	co::event opens;
	co::latch ended(count);
	for (uint64_t number = 0; number < count; number++)
		co::spawn(on, crew_member(member, number, opens, ended));
	uint64_t start = bench::clock();
	co_await opens.set();
	co_await ended.wait();
	co_return bench::clock() - start;
}

template <class Member> uint64_t crew_run(runtime::executor &on, uint64_t count, Member member)
{
	return runtime::wait_for(on, crew(on, count, member));
}

#endif
