/*
 * Each task picks a random large prime, inserts it into a map that all share, in a critical section, and takes
 * it apart outside, as user/bench/section.c. The same random numbers, primes, map and divisions.
 */
#include "common/work.hpp"
#include "threads/crew.hpp"

namespace
{

uint64_t sections_run(uint64_t tasks, uint64_t rounds, uint64_t section, const std::vector<uint32_t> &numbers)
{
	work::map shared(numbers.size());
	runtime::mutex mutex;
	witness inside;
	std::atomic<uint64_t> sum{0}, factors{0};
	uint64_t nanoseconds = crew_run(tasks, [&](uint64_t number) {
		work::random_numbers random(number);
		uint64_t own_sum = 0, own_factors = 0;
		for (uint64_t i = 0; i < rounds; i++) {
			uint32_t prime = numbers[random.below(numbers.size())];
			{
				guard lock(mutex);
				uint64_t entered = inside.enter();
				shared.insert(prime, prime);
				work::linger(section);
				inside.leave(entered);
			}
			own_factors += work::factors_count(prime);
			own_sum += prime;
		}
		sum += own_sum;
		factors += own_factors;
	});
	bool all = inside.is_content(tasks * rounds) && shared.has(tasks * rounds, sum);
	return all && factors == tasks * rounds ? nanoseconds : 0;
}

} // namespace

int main(int argc, char **argv)
{
	bench::parameters given(
	    argc, argv, {{"tasks", 5000}, {"rounds", 40}, {"section", 0}, {"size", 1000000}, {"primes", 1000}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	std::vector<uint32_t> numbers = work::primes(static_cast<uint32_t>(given["size"]), given["primes"]);
	auto turn = [&] { return sections_run(tasks, rounds, given["section"], numbers); };
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("section", runtime::name, tasks * rounds, turn); });
}
