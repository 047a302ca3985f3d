/*
 * Tasks that do nothing are made, and then awaited, as user/bench/create.c. These runtimes
 * await all tasks of a group at once.
 */
#ifndef PEERS_TASKING_CREATE_HPP
#define PEERS_TASKING_CREATE_HPP

#include <atomic>

#include "threads/confine.hpp"

struct work {
	uint64_t tasks, rounds, processors;
};

inline work work_of(int count, char **words)
{
	bench::parameters given(count, words, {{"tasks", 1000}, {"rounds", 10}});
	return {given["tasks"], given["rounds"], given["processors"]};
}

/* `round(ran)` makes and awaits the tasks of a round, of which each counts itself. */
template <class Round> int create(const char *peer, const work &wanted, Round round)
{
	auto turn = [&]() -> uint64_t {
		std::atomic<uint64_t> ran{0};
		uint64_t start = bench::clock();
		for (uint64_t i = 0; i < wanted.rounds; i++)
			round(ran);
		uint64_t nanoseconds = bench::clock() - start;
		return ran == wanted.tasks * wanted.rounds ? nanoseconds : 0;
	};
	return bench::measure("create", peer, wanted.tasks * wanted.rounds, turn);
}

inline void count_one(std::atomic<uint64_t> &ran)
{
	ran.fetch_add(1, std::memory_order_relaxed);
}

#endif
