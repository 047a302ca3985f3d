/*
 * The states of the machine: hashed, kept, and gone back to.
 */
#include "machine_internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "blocks.h"
#include "hash.h"

#define EVERYTHING_EVERY 256 /* states */

static unsigned stacks_written; /* since the last state was hashed: a bit for each */
static bool any_written;        /* by a set-up or a check, whose writes are not seen */

void stack_written(unsigned stack)
{
	stacks_written |= 1u << stack;
}

/* What a state is besides its blocks, and how long the log was. */
struct snapshot {
	size_t logged;
	void *stack_pointers[EXPLORE_STACKS];
	struct virtual_processor virtual[EXPLORE_PROCESSORS];
};

/* Where the used part of each stack begins, rounded down to a block. Below, the blocks' copies are zero; the stack
 * itself holds what functions have left there. */
static size_t stack_starts[EXPLORE_STACKS];

static size_t stack_start(unsigned stack)
{
	return stack_pointers[stack] ? (size_t)((unsigned char *)stack_pointers[stack] - stacks[stack])
	                             : STACK_SIZE;
}

/* What is below the stack pointer belongs to no state. */
static void stack_compare(unsigned stack)
{
	size_t start = stack_start(stack), block = start / BLOCK * BLOCK;
	size_t from = block < stack_starts[stack] ? block : stack_starts[stack];
	memset(stacks[stack] + from, 0, start - from);
	blocks_compare((unsigned)((MEMORY_MAXIMUM + stack * STACK_SIZE + from) / BLOCK), stacks[stack] + from,
	               STACK_SIZE - from);
	stack_starts[stack] = block;
}

static void stacks_compare(unsigned which)
{
	for (unsigned i = 0; i < EXPLORE_STACKS; i++)
		if (which >> i & 1)
			stack_compare(i);
	stacks_written = 0;
}

static void compare_all(void)
{
	memory_compare_all();
	stacks_compare(~0u);
	any_written = false;
}

/* A write that went unseen would make different states the same: look at everything now and then. */
static void nothing_went_unseen(void)
{
	static unsigned hashed;
	size_t seen = blocks_logged();
	if (++hashed % EVERYTHING_EVERY != 0)
		return;
	compare_all();
	if (blocks_logged() == seen)
		return;
	fprintf(stderr, "something was written at %s, and the explorer did not see it\n",
	        explore_place_of((uintptr_t)blocks_last()));
	exit(2);
}

uint64_t machine_hash(void)
{
	if (any_written) {
		compare_all();
	} else {
		memory_compare_written();
		stacks_compare(stacks_written);
		nothing_went_unseen();
	}
	uint64_t hash = hash_words(1, virtual, sizeof virtual);
	hash = hash_words(hash, stack_pointers, sizeof stack_pointers);
	return hash_word(hash, blocks_hash());
}

void machine_written(void)
{
	any_written = true;
}

struct snapshot *machine_save(struct snapshot *snapshot)
{
	if (!snapshot)
		snapshot = malloc(sizeof *snapshot);
	snapshot->logged = blocks_logged();
	memcpy(snapshot->stack_pointers, stack_pointers, sizeof stack_pointers);
	memcpy(snapshot->virtual, virtual, sizeof virtual);
	return snapshot;
}

void machine_restore(const struct snapshot *snapshot)
{
	memcpy(stack_pointers, snapshot->stack_pointers, sizeof stack_pointers);
	memcpy(virtual, snapshot->virtual, sizeof virtual);
	for (unsigned i = 0; i < EXPLORE_STACKS; i++) {
		size_t block = stack_start(i) / BLOCK * BLOCK;
		if (block < stack_starts[i])
			memset(stacks[i] + block, 0, stack_starts[i] - block);
		stack_starts[i] = block;
	}
	blocks_take_back(snapshot->logged);
}
