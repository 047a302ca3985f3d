/* Two tasks hand a ball to and fro by two channels, as user/bench/pingpong.c with by=channel. */
#include "threads/crew.hpp"

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"rounds", 100000}});
	uint64_t rounds = given["rounds"];
	auto turn = [=] {
		boost::fibers::buffered_channel<uint64_t> there(2), back(2); // the smallest that there are
		uint64_t last = 0, wrong = 0;
		uint64_t nanoseconds = crew_run(2, [&](uint64_t number) {
			for (uint64_t i = 0; i < rounds; i++) {
				if (number == 0) {
					there.push(2 * i + 1);
					last = back.value_pop();
				} else {
					uint64_t ball = there.value_pop();
					wrong += ball != 2 * i + 1;
					back.push(ball + 1);
				}
			}
		});
		return last == 2 * rounds && wrong == 0 ? nanoseconds : 0;
	};
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("channel", runtime::name, 2 * rounds, turn); });
}
