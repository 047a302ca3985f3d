/* Two tasks hand a ball to and fro by two semaphores, as user/bench/pingpong.c with by=semaphore. */
#include "threads/crew.hpp"

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"rounds", 100000}});
	uint64_t rounds = given["rounds"];
	auto turn = [=] {
		runtime::semaphore turns[2] = {runtime::semaphore(1), runtime::semaphore(0)};
		uint64_t ball = 0, wrong = 0; // of the one whose turn it is
		uint64_t nanoseconds = crew_run(2, [&](uint64_t number) {
			for (uint64_t i = 0; i < rounds; i++) {
				turns[number].acquire();
				wrong += ball++ != 2 * i + number;
				turns[1 - number].release();
			}
		});
		return ball == 2 * rounds && wrong == 0 ? nanoseconds : 0;
	};
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("semaphore", runtime::name, 2 * rounds, turn); });
}
