/*
 * All the memory there is, in one hand: for tests of what happens when there is none left.
 */
#ifndef USER_TEST_HOARD_H
#define USER_TEST_HOARD_H

#include <stdint.h>

struct hoarded_block;

struct hoard {
	struct hoarded_block *first;
	uint64_t bytes;
	uint64_t damaged; /* blocks that somebody else wrote to: found when they are given back */
};

/* Take blocks, the largest first, until not even a page is left. Several tasks may do so at a time. */
void hoard_fill(struct hoard *hoard);

/* Give them all back. */
void hoard_empty(struct hoard *hoard);

#endif
