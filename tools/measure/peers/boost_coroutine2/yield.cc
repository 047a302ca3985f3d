/*
 * Coroutines of Boost.Coroutine2 that do nothing but yield, as user/bench/switch.c. They are asymmetric: main()
 * resumes each in turn, so a yield is two switches.
 */
#include <boost/coroutine2/all.hpp>

#include <vector>

#include "common/bench.hpp"

int main(int argc, char **argv)
{
	using coroutine = boost::coroutines2::coroutine<void>;
	bench::parameters given(argc, argv, {{"tasks", 10}, {"rounds", 20000}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	if (given["processors"] != 1)
		bench::fail("processors: these coroutines run on 1");
	auto turn = [=] {
		uint64_t yields = 0;
		std::vector<coroutine::pull_type> made; // each has begun, and yields for the first time
		for (uint64_t i = 0; i < tasks; i++)
			made.emplace_back([&](coroutine::push_type &yield) {
				yield();
				for (uint64_t round = 0; round < rounds; round++) {
					yields++;
					yield();
				}
			});
		uint64_t start = bench::clock();
		for (uint64_t left = tasks; left > 0;) {
			left = 0;
			for (coroutine::pull_type &resume : made)
				if (resume) {
					resume();
					left++;
				}
		}
		uint64_t nanoseconds = bench::clock() - start;
		return yields == tasks * rounds ? nanoseconds : 0;
	};
	return bench::measure("yield", "boost-coroutine2", tasks * rounds, turn);
}
