/*
 * The visited states, by their 64-bit hash, and how many schedules lead from each to an end. Two states with the same
 * hash would count as one: with ten million states the probability of that is below 10^-5.
 */
#ifndef VERIFY_VISITED_H
#define VERIFY_VISITED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct visited_state {
	uint64_t key;     /* 0: free */
	double schedules; /* negative: on the path that is being explored */
};

void visited_clear(void);
size_t visited_count(void);

/* The state's entry, valid until the next call; *is_new tells whether it was created just now. */
struct visited_state *visited_find(uint64_t key, bool *is_new);

#endif
