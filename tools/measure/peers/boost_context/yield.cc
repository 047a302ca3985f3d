/*
 * Fibers of Boost.Context that do nothing but go to the next one in a ring, as user/bench/switch.c: bare switches,
 * without a scheduler.
 */
#include <boost/context/fiber.hpp>

#include <vector>

#include "common/bench.hpp"

namespace
{

using boost::context::fiber;

struct ring {
	std::vector<fiber> members; // those that are suspended
	fiber main;
	uint64_t rounds, yields = 0;

	/* `before` is the member that was just left: the one in front of this. */
	void keep(uint64_t number, fiber &&before)
	{
		uint64_t last = members.size() - 1;
		if (before)
			(number == 0 && yields == 0 ? main : members[number == 0 ? last : number - 1]) =
			    std::move(before);
	}

	/* A member. The last one to end goes back to main(). */
	fiber run(uint64_t number, fiber &&before)
	{
		uint64_t next = (number + 1) % members.size();
		keep(number, std::move(before));
		for (uint64_t i = 0; i < rounds; i++) {
			yields++;
			keep(number, std::move(members[next]).resume());
		}
		return std::move(next == 0 ? main : members[next]);
	}
};

} // namespace

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv, {{"tasks", 10}, {"rounds", 20000}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	if (given["processors"] != 1 || tasks < 2)
		bench::fail("processors, tasks: these fibers run on 1, and are at least 2");
	auto turn = [=] {
		ring all;
		all.rounds = rounds;
		for (uint64_t i = 0; i < tasks; i++)
			all.members.emplace_back([&all, i](fiber &&before) { return all.run(i, std::move(before)); });
		uint64_t start = bench::clock();
		std::move(all.members[0]).resume();
		uint64_t nanoseconds = bench::clock() - start;
		return all.yields == tasks * rounds ? nanoseconds : 0;
	};
	return bench::measure("yield", "boost-context", tasks * rounds, turn);
}
