/* A map with readers and writers (exchange paper, Figure 11), as user/bench/readers.c, by coroutines. */
#include "runtimes/coroutines/crew.hpp"

namespace
{

constexpr uint64_t SHARES = 10000;

template <class HandOver> class library
{
	const std::vector<uint32_t> &numbers;
	uint64_t tasks, rounds, writers;
	work::map shared;
	co::basic_shared_mutex<HandOver> mutex;
	witness inside;
	std::atomic<uint64_t> sum{0}, factors{0}, writes{0}, wrong{0};

	co::task<> write(uint32_t prime)
	{
		co_await mutex.lock();
		uint64_t entered = inside.enter();
		shared.insert(prime, prime);
		inside.leave(entered);
		co_await mutex.unlock();
	}

	co::task<> read(uint32_t prime)
	{
		co_await mutex.lock_shared();
		uint64_t looked = inside.look();
		bool right = shared.is_right(prime);
		inside.look_again(looked);
		co_await mutex.unlock_shared();
		wrong += !right;
	}

	co::task<> member(uint64_t number)
	{
		work::random_numbers random(number);
		uint64_t own_sum = 0, own_writes = 0, own_factors = 0;
		for (uint64_t i = 0; i < rounds; i++) {
			uint32_t prime = numbers[random.below(numbers.size())];
			if (random.below(SHARES) < writers) {
				co_await write(prime);
				own_writes++;
				own_sum += prime;
			} else {
				co_await read(prime);
			}
			own_factors += work::factors_count(prime);
		}
		sum += own_sum;
		writes += own_writes;
		factors += own_factors;
	}

  public:
	library(const bench::parameters &given, const std::vector<uint32_t> &primes)
	    : numbers(primes), tasks(given["tasks"]), rounds(given["rounds"]), writers(given["writers"]),
	      shared(primes.size())
	{
	}

	uint64_t run(runtime::executor &on)
	{
		uint64_t nanoseconds = crew_run(on, tasks, [this](uint64_t number) { return member(number); });
		bool all = inside.is_content(writes) && shared.has(writes, sum) && wrong == 0;
		return all && factors == tasks * rounds ? nanoseconds : 0;
	}
};

uint64_t readers_run_by(runtime::executor &on, const bench::parameters &given,
                        const std::vector<uint32_t> &numbers)
{
	switch (given["lock"]) {
	case 0:
		return library<co::by_exchange>(given, numbers).run(on);
	case 1:
		return library<co::by_dispatch>(given, numbers).run(on);
	default:
		return library<by_inline>(given, numbers).run(on);
	}
}

} // namespace

int main(int argc, char **argv)
{
	bench::parameters given(
	    argc, argv, {{"tasks", 5000}, {"rounds", 40}, {"writers", 5000}, {"size", 1000000}, {"primes", 1000}},
	    {{"lock", runtime::locks}});
	std::vector<uint32_t> numbers = work::primes(static_cast<uint32_t>(given["size"]), given["primes"]);
	return runtime::run(given["processors"], [&](runtime::executor &on) {
		return bench::measure("readers", runtime::name, given["tasks"] * given["rounds"],
		                      [&] { return readers_run_by(on, given, numbers); });
	});
}
