/*
 * Producers and consumers, as in user/bench/producer.c: what each sends, and whether all arrives as it should.
 */
#ifndef PEERS_THREADS_MARKET_HPP
#define PEERS_THREADS_MARKET_HPP

#include <vector>

#include "threads/crew.hpp"

struct message {
	uint32_t producer, number; // each producer counts its own from 0 on
};

class market
{
	uint64_t pairs, rounds;
	std::vector<uint8_t> received; // how often, for each number of each producer
	std::atomic<uint64_t> wrong{0};

	template <class Take> void consume(Take take)
	{
		std::vector<uint32_t> expected(pairs); // no earlier number can come any more
		for (uint64_t i = 0; i < rounds; i++) {
			message got = take();
			if (got.producer >= pairs || got.number >= rounds || got.number < expected[got.producer]) {
				wrong++;
				continue;
			}
			expected[got.producer] = got.number + 1;
			received[got.producer * rounds + got.number]++;
		}
	}

  public:
	market(uint64_t pair_count, uint64_t messages)
	    : pairs(pair_count), rounds(messages), received(pair_count * messages)
	{
	}

	/* Producers and consumers take turns. Gives back nanoseconds, or 0 where not each message came once, or
	 * those of one producer out of order. */
	template <class Put, class Take> uint64_t run(Put put, Take take)
	{
		uint64_t nanoseconds = crew_run(2 * pairs, [&](uint64_t number) {
			if (number % 2)
				return consume(take);
			for (uint32_t i = 0; i < rounds; i++)
				put(message{static_cast<uint32_t>(number / 2), i});
		});
		for (uint8_t times : received)
			wrong += times != 1;
		return wrong == 0 ? nanoseconds : 0;
	}
};

#endif
