/*
 * Takes all the memory there is, for tests without memory.
 */
#ifndef USER_TEST_HOARD_H
#define USER_TEST_HOARD_H

#include <stdint.h>

struct hoarded_block;

struct hoard {
	struct hoarded_block *first;
	uint64_t bytes;
	uint64_t damaged; /* blocks that others wrote to: detected when they are freed */
};

/* Take blocks, the largest first, until not even a page is left. Several tasks may do so at once. */
void hoard_fill(struct hoard *hoard);

/* Free them all. */
void hoard_empty(struct hoard *hoard);

#endif
