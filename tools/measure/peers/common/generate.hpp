/*
 * What the peers' forms of `sequence` and `hanoi` share: the parameters, and the sums of their values.
 */
#ifndef PEERS_COMMON_GENERATE_HPP
#define PEERS_COMMON_GENERATE_HPP

#include "common/bench.hpp"

namespace generate
{

/* The sum of what a generator yields until it ends. */
template <class Generator> uint64_t total(Generator &&all)
{
	uint64_t sum = 0;
	while (all.next())
		sum += all.value();
	return sum;
}

/* sum(size) adds up the numbers from `size` down to 1, which come one by one. */
template <class Sum> int sequence(int count, char **words, const char *peer, Sum sum)
{
	bench::parameters given(count, words, {{"size", 1000000}, {"rounds", 10}});
	uint64_t size = given["size"], rounds = given["rounds"];
	if (given["processors"] != 1)
		bench::fail("processors: these coroutines run on 1");
	return bench::measure("sequence", peer, size * rounds, [=] {
		bool right = true;
		uint64_t start = bench::clock();
		for (uint64_t i = 0; i < rounds; i++)
			right &= sum(size) == size * (size + 1) / 2;
		return right ? bench::clock() - start : 0;
	});
}

inline uint64_t hanoi_move(uint64_t disk, uint64_t from, uint64_t to)
{
	return disk + (from << 8) + (to << 16);
}

inline uint64_t hanoi_sum(uint64_t disks, uint64_t from, uint64_t to, uint64_t by)
{
	return disks == 0 ? 0
	                  : hanoi_sum(disks - 1, from, by, to) + hanoi_move(disks, from, to) +
	                        hanoi_sum(disks - 1, by, to, from);
}

/* sum(disks) adds up the moves, which come one by one. */
template <class Sum> int hanoi(int count, char **words, const char *peer, Sum sum)
{
	bench::parameters given(count, words, {{"disks", 16}, {"rounds", 10}});
	uint64_t disks = given["disks"], rounds = given["rounds"];
	if (given["processors"] != 1 || disks > 24)
		bench::fail("processors, disks: these coroutines run on 1, and there are 24 disks at most");
	uint64_t expected = hanoi_sum(disks, 1, 2, 3);
	return bench::measure("hanoi", peer, ((uint64_t{1} << disks) - 1) * rounds, [=] {
		bool right = true;
		uint64_t start = bench::clock();
		for (uint64_t i = 0; i < rounds; i++)
			right &= sum(disks) == expected;
		return right ? bench::clock() - start : 0;
	});
}

} // namespace generate

#endif
