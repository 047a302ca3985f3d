/* Tasks lock and unlock one mutex for all, as user/bench/locks.c with scope=global. */
#include "threads/crew.hpp"

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"tasks", 64}, {"rounds", 10000}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	auto turn = [=] {
		runtime::mutex mutex;
		witness inside;
		uint64_t nanoseconds = crew_run(tasks, [&](uint64_t) {
			for (uint64_t i = 0; i < rounds; i++) {
				guard lock(mutex);
				inside.leave(inside.enter());
			}
		});
		return inside.is_content(tasks * rounds) ? nanoseconds : 0;
	};
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("locks", runtime::name, tasks * rounds, turn); });
}
