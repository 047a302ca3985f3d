/*
 * Each task picks a random large prime, inserts it into a map that all share, in a critical section, and takes
 * it apart outside, as user/bench/section.c. The same random numbers, primes, map and divisions.
 */
#include <vector>

#include "threads/crew.hpp"

namespace
{

/* The largest primes up to `limit`, at most `count`. */
std::vector<uint32_t> primes(uint32_t limit, std::size_t count)
{
	std::vector<bool> composite(std::size_t{limit} + 1);
	for (uint64_t number = 2; number * number <= limit; number++)
		for (uint64_t multiple = number * number; !composite[number] && multiple <= limit; multiple += number)
			composite[multiple] = true;
	std::vector<uint32_t> found;
	for (uint32_t number = limit; number >= 2 && found.size() < count; number--)
		if (!composite[number])
			found.push_back(number);
	return found;
}

unsigned factors_count(uint32_t number)
{
	unsigned count = 0;
	for (; number % 2 == 0; number /= 2)
		count++;
	for (uint32_t divisor = 3; divisor <= number / divisor; divisor += 2)
		for (; number % divisor == 0; number /= divisor)
			count++;
	return count + (number > 1);
}

class random_numbers
{
	uint64_t state;

  public:
	explicit random_numbers(uint64_t number) : state((number + 2) * UINT64_C(0x9e3779b97f4a7c15))
	{
	}

	uint64_t below(uint64_t bound)
	{
		state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		return (state >> 32) * bound >> 32;
	}
};

class map
{
	struct entry {
		uint64_t key, value, inserts;
	};
	std::vector<entry> entries;

  public:
	explicit map(std::size_t keys)
	{
		std::size_t size = 2;
		while (size < 2 * keys)
			size *= 2;
		entries.resize(size);
	}

	void insert(uint64_t key, uint64_t value)
	{
		std::size_t mask = entries.size() - 1, place = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
		while (entries[place & mask].key && entries[place & mask].key != key)
			place++;
		entry &found = entries[place & mask];
		found = {key, value, found.inserts + 1};
	}

	/* Whether each value is its key, there were so many inserts, and the keys inserted have this sum. */
	bool has(uint64_t inserts, uint64_t sum) const
	{
		for (const entry &entry : entries) {
			if (entry.value != entry.key)
				return false;
			inserts -= entry.inserts;
			sum -= entry.inserts * entry.key;
		}
		return inserts == 0 && sum == 0;
	}
};

uint64_t sections_run(uint64_t tasks, uint64_t rounds, const std::vector<uint32_t> &numbers)
{
	map shared(numbers.size());
	runtime::mutex mutex;
	witness inside;
	std::atomic<uint64_t> sum{0}, factors{0};
	uint64_t nanoseconds = crew_run(tasks, [&](uint64_t number) {
		random_numbers random(number);
		uint64_t own_sum = 0, own_factors = 0;
		for (uint64_t i = 0; i < rounds; i++) {
			uint32_t prime = numbers[random.below(numbers.size())];
			{
				guard lock(mutex);
				uint64_t entered = inside.enter();
				shared.insert(prime, prime);
				inside.leave(entered);
			}
			own_factors += factors_count(prime);
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
	bench::parameters given(argc, argv,
	                        {{"tasks", 5000}, {"rounds", 40}, {"size", 1000000}, {"primes", 1000}});
	uint64_t tasks = given["tasks"], rounds = given["rounds"];
	std::vector<uint32_t> numbers = primes(static_cast<uint32_t>(given["size"]), given["primes"]);
	auto turn = [&] { return sections_run(tasks, rounds, numbers); };
	return runtime::run(given["processors"],
	                    [&] { return bench::measure("section", runtime::name, tasks * rounds, turn); });
}
