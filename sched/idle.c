#include "sched/idle.h"

struct idle_set idle_set;

void idle_start(void)
{
	for (unsigned at = 0; at < PROCESSORS_MAXIMUM / IDLE_WORD_BITS; at++)
		atomic_store_explicit(&idle_set.words[at].bits, 0, memory_order_relaxed);
}

/* The lowest set bit at or above `from`, else the lowest of all. */
static unsigned choose_bit(uint64_t word, unsigned from)
{
	uint64_t above = word & (~UINT64_C(0) << from);
	return (unsigned)__builtin_ctzll(above ? above : word);
}

int idle_find(unsigned start)
{
	unsigned word_count = (processor_count + IDLE_WORD_BITS - 1) / IDLE_WORD_BITS;
	for (unsigned step = 0; step < word_count; step++) {
		unsigned at = (start / IDLE_WORD_BITS + step) % word_count;
		/* seq_cst: after the caller's task was published; pairs with idle_announce. */
		uint64_t word = atomic_load_explicit(&idle_set.words[at].bits, memory_order_seq_cst);
		if (word)
			return (int)(at * IDLE_WORD_BITS + choose_bit(word, step == 0 ? start % IDLE_WORD_BITS : 0));
	}
	return -1;
}

int idle_claim_one(unsigned start)
{
	int index;
	while ((index = idle_find(start)) >= 0 && !idle_withdraw((unsigned)index))
		continue;
	return index;
}

bool idle_all(unsigned count)
{
	for (unsigned at = 0; at * IDLE_WORD_BITS < count; at++) {
		unsigned bits = count - at * IDLE_WORD_BITS;
		uint64_t all = bits >= IDLE_WORD_BITS ? ~UINT64_C(0) : (UINT64_C(1) << bits) - 1;
		if (atomic_load_explicit(&idle_set.words[at].bits, memory_order_seq_cst) != all)
			return false;
	}
	return true;
}
