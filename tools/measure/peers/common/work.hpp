/*
 * What the tasks of the exchange paper's benchmarks do (Figure 8), as user/bench/work.h: the same random
 * numbers, primes, map and divisions.
 */
#ifndef PEERS_COMMON_WORK_HPP
#define PEERS_COMMON_WORK_HPP

#include <vector>

#include "common/bench.hpp"

namespace work
{

/* The largest primes up to `limit`, at most `count`. */
inline std::vector<uint32_t> primes(uint32_t limit, std::size_t count)
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

inline unsigned factors_count(uint32_t number)
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

	/* Whether the key's entry has the value that belongs to the key. */
	bool is_right(uint64_t key) const
	{
		std::size_t mask = entries.size() - 1, place = key * UINT64_C(0x9e3779b97f4a7c15) >> 32;
		while (entries[place & mask].key && entries[place & mask].key != key)
			place++;
		return entries[place & mask].value == entries[place & mask].key;
	}

	/* Whether each value is its key, there were that many inserts, and the keys inserted have this sum. */
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

/* Be busy for that many nanoseconds. */
inline void linger(uint64_t nanoseconds)
{
	uint64_t start = nanoseconds ? bench::clock() : 0;
	while (nanoseconds && bench::clock() - start < nanoseconds)
		;
}

} // namespace work

#endif
