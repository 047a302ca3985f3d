/*
 * Checks whether a recorded history is possible for a first-in first-out queue whose operations each take effect at
 * one moment between their start and their end (linearizability). It tries all orders that the times allow, so it is
 * fit for some 20 operations.
 */
#ifndef USER_TEST_QUEUE_HISTORY_H
#define USER_TEST_QUEUE_HISTORY_H

#include <stdbool.h>
#include <stdint.h>

#define HISTORY_MAXIMUM 32

struct history_operation {
	bool is_enqueue;
	uint32_t
	    value; /* what went in or came out, each value at most once; 0: a dequeue found the queue empty */
	uint64_t start, end; /* distinct times, start before end */
};

struct history {
	unsigned count;
	struct history_operation operations[HISTORY_MAXIMUM];
};

/* The queue was empty before the first operation. */
bool history_is_linearizable(const struct history *history);

#endif
