/*
 * What is in use, so that a stress can tell whether everything came back. Exact only while no task takes or gives.
 */
#ifndef USER_TEST_BALANCE_H
#define USER_TEST_BALANCE_H

#include <stdbool.h>
#include <stdint.h>

struct balance {
	uint64_t objects; /* of the pools */
	uint64_t bytes;   /* but for what the pools keep for the next time */
};

struct balance balance_now(void);

/* Wait until all is as it was then, but for what a processor may keep of memory; what ends gives itself back a little
 * after its last word. False: it is not, after so many nanoseconds; the log says by how much. */
bool balance_returns(struct balance then, uint64_t patience);

#endif
