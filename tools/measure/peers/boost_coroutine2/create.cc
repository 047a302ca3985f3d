/* Coroutines of Boost.Coroutine2 that do nothing are made, and then all run to their ends, as
 * user/bench/create.c. */
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <boost/coroutine2/all.hpp>

#include <deque>

#include "common/bench.hpp"

int main(int argc, char **argv)
{
	using coroutine = boost::coroutines2::coroutine<void>;
	bench::parameters given(argc, argv, {{"tasks", 1000}, {"rounds", 10}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	if (given["processors"] != 1)
		bench::fail("processors: these coroutines run on 1");
	boost::context::pooled_fixedsize_stack stacks(16 << 10);
	auto turn = [&] {
		uint64_t ran = 0;
		uint64_t start = bench::clock();
		for (uint64_t round = 0; round < rounds; round++) {
			std::deque<coroutine::push_type> made;
			for (uint64_t i = 0; i < tasks; i++)
				made.emplace_back(stacks, [&](coroutine::pull_type &) { ran++; });
			for (coroutine::push_type &resume : made)
				resume();
		}
		uint64_t nanoseconds = bench::clock() - start;
		return ran == tasks * rounds ? nanoseconds : 0;
	};
	return bench::measure("create", "boost-coroutine2", tasks * rounds, turn);
}
