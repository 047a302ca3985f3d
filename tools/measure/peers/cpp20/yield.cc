/* Coroutines that do nothing but yield, as user/bench/switch.c. */
#include <vector>

#include "common/bench.hpp"
#include "cpp20/task.hpp"

namespace
{

cpp20::task yield_repeatedly(cpp20::scheduler &scheduler, uint64_t rounds, uint64_t &yields)
{
	for (uint64_t i = 0; i < rounds; i++) {
		co_await scheduler.yield();
		yields++;
	}
}

} // namespace

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"tasks", 10}, {"rounds", 20000}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	if (given["processors"] != 1)
		bench::fail("processors: these coroutines run on 1");
	auto turn = [=] {
		cpp20::scheduler scheduler;
		std::vector<cpp20::task> made;
		uint64_t yields = 0;
		for (uint64_t i = 0; i < tasks; i++)
			made.push_back(yield_repeatedly(scheduler, rounds, yields));
		for (cpp20::task &task : made)
			scheduler.add(task.start());
		uint64_t start = bench::clock();
		scheduler.run();
		uint64_t nanoseconds = bench::clock() - start;
		return yields == tasks * rounds ? nanoseconds : 0;
	};
	return bench::measure("yield", cpp20::name, tasks * rounds, turn);
}
