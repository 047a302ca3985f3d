/* A short critical section that switches (lock-algorithms paper, "Cache line increment CS"), as
 * user/bench/increment.c. */
#include "runtimes/boost_fiber/contest.hpp"

namespace
{

struct alignas(64) line {
	uint32_t numbers[4] = {};
};

} // namespace

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv,
	                        {{"tasks", 100},
	                         {"rounds", 100},
	                         {"parts", 100},
	                         {"turns", 1000},
	                         {"spins", 2},
	                         {"yields", 4},
	                         {"queues", 1}},
	                        {{"lock", contest::LOCKS}, {"waiting", contest::STRATEGIES}});
	line lines[2];
	auto section = [&] {
		for (line &line : lines)
			for (uint32_t &number : line.numbers)
				number++;
		runtime::yield();
		return true;
	};
	auto is_right = [&](uint64_t sections) {
		bool right = true;
		for (const line &line : lines)
			for (uint32_t number : line.numbers)
				right &= number == static_cast<uint32_t>(sections);
		return right;
	};
	return contest::run("increment", given, section, is_right);
}
