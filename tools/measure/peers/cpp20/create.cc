/* Coroutines that do nothing are made, and then all run and destroyed, as
 * user/bench/create.c. */
#include <deque>

#include "common/bench.hpp"
#include "cpp20/task.hpp"

namespace
{

/* Not inlined: the compiler could leave out the whole coroutine. */
[[gnu::noinline]] cpp20::task count(uint64_t &ran)
{
	ran++;
	co_return;
}

} // namespace

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"tasks", 1000}, {"rounds", 10}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	if (given["processors"] != 1)
		bench::fail("processors: these coroutines run on 1");
	auto turn = [=] {
		uint64_t ran = 0, ended = 0;
		uint64_t start = bench::clock();
		for (uint64_t round = 0; round < rounds; round++) {
			cpp20::scheduler scheduler;
			std::deque<cpp20::task> made;
			for (uint64_t i = 0; i < tasks; i++)
				scheduler.add(made.emplace_back(count(ran)).start());
			scheduler.run();
			for (cpp20::task &task : made)
				ended += task.is_done();
		}
		uint64_t nanoseconds = bench::clock() - start;
		return ran == tasks * rounds && ended == ran ? nanoseconds : 0;
	};
	return bench::measure("create", cpp20::name, tasks * rounds, turn);
}
