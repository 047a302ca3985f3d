/* Fibers of Boost.Context that do nothing are made, and then all run to their ends, as
 * user/bench/create.c. */
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>

#include <deque>

#include "common/bench.hpp"

int main(int argc, char **argv)
{
	using boost::context::fiber;
	bench::parameters given(argc, argv, {{"tasks", 1000}, {"rounds", 10}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	if (given["processors"] != 1)
		bench::fail("processors: these fibers run on 1");
	boost::context::pooled_fixedsize_stack stacks(16 << 10);
	auto turn = [&] {
		uint64_t ran = 0;
		uint64_t start = bench::clock();
		for (uint64_t round = 0; round < rounds; round++) {
			std::deque<fiber> made;
			for (uint64_t i = 0; i < tasks; i++)
				made.emplace_back(std::allocator_arg, stacks, [&](fiber &&caller) {
					ran++;
					return std::move(caller);
				});
			for (fiber &one : made)
				std::move(one).resume();
		}
		uint64_t nanoseconds = bench::clock() - start;
		return ran == tasks * rounds ? nanoseconds : 0;
	};
	return bench::measure("create", "boost-context", tasks * rounds, turn);
}
