/* Players in a ring hand on a token, as user/bench/tokenring.c. Each waits at a semaphore of its own. */
#include "threads/crew.hpp"

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"tasks", 100}, {"rounds", 200}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	auto turn = [=] {
		std::deque<runtime::semaphore> turns;
		for (uint64_t i = 0; i < tasks; i++)
			turns.emplace_back(i == 0);
		uint64_t moves = 0, wrong = 0; // of the one that has the token
		uint64_t nanoseconds = crew_run(tasks, [&](uint64_t number) {
			for (uint64_t i = 0; i < rounds; i++) {
				turns[number].acquire();
				wrong += moves++ != i * tasks + number;
				turns[(number + 1) % tasks].release();
			}
		});
		return moves == tasks * rounds && wrong == 0 ? nanoseconds : 0;
	};
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("tokenring", runtime::name, tasks * rounds, turn); });
}
