/*
 * What the tests of heddle/coroutine.hpp share: checks, and executors. ON_HEDDLE: on tasks of Heddle; else on
 * threads.
 */
#ifndef CHECKS_RUNTIMES_COROUTINE_TEST_HPP
#define CHECKS_RUNTIMES_COROUTINE_TEST_HPP

#include <cstdint>
#include <string>

#ifdef ON_HEDDLE
#	include "heddle/task_executor.hpp"
#else
#	include "heddle/thread_executor.hpp"
#endif

namespace co = heddle::coroutine;

inline std::atomic<unsigned> failures{0};

inline void check(bool holds, const std::string &sentence)
{
	if (holds)
		return;
	std::fprintf(stderr, "%s\n", sentence.c_str());
	failures++;
}

/* Runs what is posted when it is told to, one by one, in the calling thread: so the order is known. */
class by_hand
{
	co::work *first = nullptr, *last = nullptr;

  public:
	void post(co::work &one) noexcept
	{
		one.next = nullptr;
		(first ? last->next : first) = &one;
		last = &one;
	}

	bool run_one()
	{
		co::work *one = first;
		if (!one)
			return false;
		first = one->next;
		one->run();
		return true;
	}

	void run_all()
	{
		while (run_one())
			;
	}
};

#ifdef ON_HEDDLE
using many = co::task_executor;

template <class T> T run(many &executor, co::task<T> task)
{
	return executor.run(std::move(task));
}

inline intptr_t test_on_tasks(void *test)
{
	many executor(std::size_t{64} << 10);
	reinterpret_cast<void (*)(many &)>(test)(executor);
	return 0;
}

/* The words are the machine's. With "inside" before them a task makes and uses the executor, else this thread. */
inline int test_on_many(void (*test)(many &), int argc, char **argv)
{
	bool is_inside = argc > 1 && argv[1] == std::string("inside");
	if (heddle_start(argc > 1 ? argv[argc - 1] : "processors=2") != HEDDLE_OK)
		return 1;
	if (!is_inside)
		test_on_tasks(reinterpret_cast<void *>(test));
	else
		check(heddle_run(test_on_tasks, reinterpret_cast<void *>(test), nullptr) == HEDDLE_OK,
		      "no task could be made");
	check(heddle_stop() == 0, "a task waits still");
	return failures ? 1 : 0;
}
#else
using many = co::thread_executor;

template <class T> T run(many &executor, co::task<T> task)
{
	return co::run(executor, std::move(task));
}

inline int test_on_many(void (*test)(many &), int, char **)
{
	for (std::size_t threads = 1; threads <= 3; threads++) {
		many executor(threads);
		test(executor);
	}
	return failures ? 1 : 0;
}
#endif

/* Stands inside what a lock protects, as user/bench/witness.h. */
class inside
{
	std::atomic<uint64_t> count{0}, complaints{0};

  public:
	void enter()
	{
		complaints += count.load(std::memory_order_relaxed) % 2;
		count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
	}

	void leave()
	{
		complaints += count.load(std::memory_order_relaxed) % 2 == 0;
		count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
	}

	/* For one of many that only look. */
	void look()
	{
		complaints += count.load(std::memory_order_relaxed) % 2;
	}

	bool saw(uint64_t sections) const
	{
		return complaints == 0 && count == 2 * sections;
	}
};

/* Run `count` tasks, made by member(number), to their ends. */
template <class Member> co::task<> all_of(co::executor executor, std::size_t count, Member member)
{
	co::latch ended(count);
	auto one = [](Member &made, std::size_t number, co::latch &left) -> co::task<> {
		co_await made(number);
		left.count_down_dispatch();
	};
	for (std::size_t number = 0; number < count; number++)
		co::spawn(executor, one(member, number, ended));
	co_await ended.wait();
}

#endif
