/* A critical section that is a parallel loop (lock-algorithms paper, "Parallelizable CS"), as
 * user/bench/parallel.c: the holder makes fibers that share the work, and joins them before it unlocks. */
#include "runtimes/boost_fiber/contest.hpp"

int main(int argc, char **argv)
{
	bench::parameters given(argc, argv,
	                        {{"tasks", 100},
	                         {"rounds", 20},
	                         {"parts", 10},
	                         {"turns", 1000},
	                         {"members", 12},
	                         {"size", 10000},
	                         {"spins", 2},
	                         {"yields", 4},
	                         {"queues", 1}},
	                        {{"lock", contest::LOCKS}, {"waiting", contest::STRATEGIES}});
	uint64_t members = given["members"], size = given["size"], expected = contest::idle_turns(size);
	uint64_t ended = 0; // with the lock held
	auto section = [&] {
		std::atomic<uint64_t> right{0};
		std::deque<runtime::task> tasks;
		for (uint64_t i = 0; i < members; i++)
			tasks.emplace_back([&] { right += contest::idle_turns(size) == expected; });
		for (runtime::task &task : tasks)
			task.join();
		ended += right;
		return right == members;
	};
	return contest::run("parallel", given, section,
	                    [&](uint64_t sections) { return ended == sections * members; });
}
