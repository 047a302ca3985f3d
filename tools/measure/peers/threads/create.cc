/* Tasks that do nothing are made, and then all joined, as user/bench/create.c. */
#include "threads/crew.hpp"

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"tasks", 1000}, {"rounds", 10}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	auto turn = [=] {
		std::atomic<uint64_t> ran{0};
		uint64_t start = bench::clock();
		for (uint64_t round = 0; round < rounds; round++) {
			std::deque<runtime::task> made;
			for (uint64_t i = 0; i < tasks; i++)
				made.emplace_back([&] { ran.fetch_add(1, std::memory_order_relaxed); });
			for (runtime::task &task : made)
				task.join();
		}
		uint64_t nanoseconds = bench::clock() - start;
		return ran == tasks * rounds ? nanoseconds : 0;
	};
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("create", runtime::name, tasks * rounds, turn); });
}
