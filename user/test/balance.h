/*
 * What is in use, so that a stress can tell whether all of it was given back. Exact only while no task takes or
 * gives.
 */
#ifndef USER_TEST_BALANCE_H
#define USER_TEST_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

struct balance {
	uint64_t objects; /* of the pools */
	uint64_t bytes;   /* except what the pools keep for reuse */
};

struct balance balance_now(void);

/* Wait until everything is as it was at `then`, except what a processor may keep of memory; tasks are reclaimed a
 * little after their end. False: it is not, after `patience` nanoseconds; the log says by how much. */
bool balance_returns(struct balance then, uint64_t patience);

#endif
