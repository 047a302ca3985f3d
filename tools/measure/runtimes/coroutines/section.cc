/* Critical sections between longer work (exchange paper, Figures 8 to 10), as user/bench/section.c, by coroutines. */
#include "runtimes/coroutines/crew.hpp"

namespace
{

template <class HandOver>
uint64_t sections_run(runtime::executor &on, const bench::parameters &given,
                      const std::vector<uint32_t> &numbers)
{
	uint64_t tasks = given["tasks"], rounds = given["rounds"], section = given["section"];
	work::map shared(numbers.size());
	co::basic_mutex<HandOver> mutex;
	witness inside;
	std::atomic<uint64_t> sum{0}, factors{0};
	uint64_t nanoseconds = crew_run(on, tasks, [&](uint64_t number) -> co::task<> {
		work::random_numbers random(number);
		uint64_t own_sum = 0, own_factors = 0;
		for (uint64_t i = 0; i < rounds; i++) {
			uint32_t prime = numbers[random.below(numbers.size())];
			co_await mutex.lock();
			uint64_t entered = inside.enter();
			shared.insert(prime, prime);
			work::linger(section);
			inside.leave(entered);
			co_await mutex.unlock();
			own_factors += work::factors_count(prime);
			own_sum += prime;
		}
		sum += own_sum;
		factors += own_factors;
	});
	bool all = inside.is_content(tasks * rounds) && shared.has(tasks * rounds, sum);
	return all && factors == tasks * rounds ? nanoseconds : 0;
}

uint64_t sections_run_by(runtime::executor &on, const bench::parameters &given,
                         const std::vector<uint32_t> &numbers)
{
	switch (given["lock"]) {
	case 0:
		return sections_run<co::by_exchange>(on, given, numbers);
	case 1:
		return sections_run<co::by_dispatch>(on, given, numbers);
	default:
		return sections_run<by_inline>(on, given, numbers);
	}
}

} // namespace

int main(int argc, char **argv)
{
	bench::parameters given(
	    argc, argv, {{"tasks", 5000}, {"rounds", 40}, {"section", 0}, {"size", 1000000}, {"primes", 1000}},
	    {{"lock", runtime::locks}});
	std::vector<uint32_t> numbers = work::primes(static_cast<uint32_t>(given["size"]), given["primes"]);
	return runtime::run(given["processors"], [&](runtime::executor &on) {
		return bench::measure("section", runtime::name, given["tasks"] * given["rounds"],
		                      [&] { return sections_run_by(on, given, numbers); });
	});
}
