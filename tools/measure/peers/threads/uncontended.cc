/* One task locks and unlocks an uncontended mutex, as user/bench/uncontended.c. */
#include "threads/crew.hpp"

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"rounds", 1000000}});
	uint64_t rounds = given["rounds"];
	auto turn = [=] {
		runtime::mutex mutex;
		uint64_t sections = 0;
		uint64_t nanoseconds = crew_run(1, [&](uint64_t) {
			for (uint64_t i = 0; i < rounds; i++) {
				guard lock(mutex);
				sections++;
			}
		});
		return sections == rounds ? nanoseconds : 0;
	};
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("uncontended", runtime::name, rounds, turn); });
}
