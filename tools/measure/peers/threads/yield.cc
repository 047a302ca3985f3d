/* Tasks that do nothing but yield, as user/bench/switch.c. */
#include "threads/crew.hpp"

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"tasks", 10}, {"rounds", 20000}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	auto turn = [=] {
		std::atomic<uint64_t> yields{0};
		uint64_t nanoseconds = crew_run(tasks, [&](uint64_t) {
			for (uint64_t i = 0; i < rounds; i++)
				runtime::yield();
			yields += rounds;
		});
		return yields == tasks * rounds ? nanoseconds : 0;
	};
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("yield", runtime::name, tasks * rounds, turn); });
}
