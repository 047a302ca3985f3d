#include "chain.h"

#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include "least.h"

static void **chain, **place;
static uint32_t order[CHAIN_MOST / LINE];

bool chain_create(void)
{
	chain = mmap(NULL, CHAIN_MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (chain == MAP_FAILED) {
		fprintf(stderr, "host: no memory for a chain of %zu MiB\n", CHAIN_MOST >> 20);
		return false;
	}
	madvise(chain, CHAIN_MOST, MADV_HUGEPAGE);
	return true;
}

static void make_chain(size_t bytes, bool in_order)
{
	size_t count = bytes / LINE;
	uint64_t chance = 1;
	for (size_t i = 0; i < count; i++)
		order[i] = (uint32_t)i;
	for (size_t i = count - 1; i > 0 && !in_order; i--) {
		chance = chance * UINT64_C(6364136223846793005) + 1442695040888963407;
		size_t other = (chance >> 33) % (i + 1);
		uint32_t kept = order[i];
		order[i] = order[other];
		order[other] = kept;
	}
	for (size_t i = 0; i < count; i++)
		*(void **)((char *)chain + (size_t)order[i] * LINE) =
		    (char *)chain + (size_t)order[(i + 1) % count] * LINE;
	place = chain;
}

static void run_chain(uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		place = *(void ***)place;
	/* So that it is not left out. */
	__asm__ volatile("" : : "r"(place));
}

double chain_time(size_t bytes, bool in_order)
{
	make_chain(bytes, in_order);
	run_chain(bytes / LINE);
	return least(run_chain, bytes < CHAIN_MOST ? 400000 : bytes / LINE / 4);
}

/* Read the lines of the chain in its order, but by a list of them: none has to wait for another. */
static void run_apart(uint64_t count)
{
	uintptr_t sum = 0;
	for (uint64_t i = 0; i < count; i++)
		sum += *(uintptr_t *)((char *)chain + (size_t)order[i] * LINE);
	/* So that it is not left out. */
	__asm__ volatile("" : : "r"(sum));
}

unsigned chain_reads_at_once(double time)
{
	double apart = least(run_apart, CHAIN_MOST / LINE / 4);
	return time > apart ? (unsigned)(time / apart + 0.5) : 1;
}
