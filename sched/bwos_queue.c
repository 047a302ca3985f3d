#include "sched/bwos_queue.h"

#define INDEX_BITS 8
#define INDEX_MASK ((UINT64_C(1) << INDEX_BITS) - 1)

_Static_assert(BWOS_LENGTH <= INDEX_MASK, "an index has 8 bits");

static uint64_t block_word(uint64_t number, uint64_t index)
{
	return number << INDEX_BITS | index;
}

static uint64_t index_in(uint64_t word)
{
	return word & INDEX_MASK;
}

static uint64_t block_number(uint64_t word)
{
	return word >> INDEX_BITS;
}

static struct bwos_block *block_of(struct bwos_queue *queue, uint64_t number)
{
	return &queue->blocks[number % BWOS_BLOCKS];
}

/* Of an earlier block, numbered from 0 on, nothing is left. */
static void block_create(struct bwos_block *block, uint64_t number)
{
	block->consumed = block_word(number, BWOS_LENGTH);
	atomic_store_explicit(&block->committed, block_word(number, BWOS_LENGTH), memory_order_relaxed);
	atomic_store_explicit(&block->reserved, block_word(number, BWOS_LENGTH), memory_order_relaxed);
	atomic_store_explicit(&block->stolen, block_word(number, BWOS_LENGTH), memory_order_relaxed);
}

void bwos_create(struct bwos_queue *queue)
{
	for (uint64_t number = 1; number < BWOS_BLOCKS; number++)
		block_create(block_of(queue, number), number);
	/* The first is the owner's to take from at once. */
	struct bwos_block *first = block_of(queue, BWOS_BLOCKS);
	block_create(first, BWOS_BLOCKS);
	first->consumed = block_word(BWOS_BLOCKS, 0);
	atomic_store_explicit(&first->committed, block_word(BWOS_BLOCKS, 0), memory_order_relaxed);
	queue->put = queue->taken = BWOS_BLOCKS;
	atomic_store_explicit(&queue->oldest, BWOS_BLOCKS, memory_order_relaxed);
}

/* Free -> open, if the next block is free. */
static bool open_next(struct bwos_queue *queue)
{
	uint64_t number = queue->put + 1, end = block_word(number - BWOS_BLOCKS, BWOS_LENGTH);
	struct bwos_block *block = block_of(queue, number);
	/* acquire: pairs with bwos_steal, which has read the tasks that are overwritten from now on. */
	if (block->consumed != end || atomic_load_explicit(&block->stolen, memory_order_acquire) != end)
		return false;
	atomic_store_explicit(&block->stolen, block_word(number, 0), memory_order_relaxed);
	atomic_store_explicit(&block->committed, block_word(number, 0), memory_order_relaxed);
	/* release: thieves that see it see the other two. */
	atomic_store_explicit(&block->reserved, block_word(number, 0), memory_order_release);
	queue->put = number;
	return true;
}

bool bwos_put(struct bwos_queue *queue, struct task *task)
{
	struct bwos_block *block = block_of(queue, queue->put);
	if (index_in(atomic_load_explicit(&block->committed, memory_order_relaxed)) == BWOS_LENGTH) {
		if (!open_next(queue))
			return false;
		block = block_of(queue, queue->put);
	}
	uint64_t committed = atomic_load_explicit(&block->committed, memory_order_relaxed);
	atomic_store_explicit(&block->tasks[index_in(committed)], task, memory_order_relaxed);
	/* release: the task and what it points to; pairs with bwos_steal. */
	atomic_store_explicit(&block->committed, committed + 1, memory_order_release);
	return true;
}

/* Open -> the owner's: thieves get no more of the next block. */
static void take_over_next(struct bwos_queue *queue)
{
	uint64_t number = ++queue->taken;
	struct bwos_block *block = block_of(queue, number);
	/* (number, index) -> the end; relaxed: the owner has put these tasks itself. */
	uint64_t reserved =
	    atomic_exchange_explicit(&block->reserved, block_word(number, BWOS_LENGTH), memory_order_relaxed);
	block->consumed = reserved;
	/* As if thieves had read the rest: it is at the end when they have read what they got. */
	atomic_fetch_add_explicit(&block->stolen, BWOS_LENGTH - index_in(reserved), memory_order_relaxed);
}

struct task *bwos_take(struct bwos_queue *queue)
{
	struct bwos_block *block = block_of(queue, queue->taken);
	while (index_in(block->consumed) == BWOS_LENGTH) {
		if (queue->taken == queue->put)
			return NULL;
		take_over_next(queue);
		block = block_of(queue, queue->taken);
	}
	if (block->consumed == atomic_load_explicit(&block->committed, memory_order_relaxed))
		return NULL;
	return atomic_load_explicit(&block->tasks[index_in(block->consumed++)], memory_order_relaxed);
}

/* Where the oldest open block may be, after block `number`, in whose place a thief has seen `reserved`. 0: behind it
 * none is open. */
static uint64_t after(struct bwos_queue *queue, uint64_t number, uint64_t reserved)
{
	if (block_number(reserved) != number)
		return block_number(reserved) - BWOS_BLOCKS + 1; /* the owner has gone all around */
	/* acquire: as in bwos_steal. */
	uint64_t next = atomic_load_explicit(&block_of(queue, number + 1)->reserved, memory_order_acquire);
	return block_number(next) > number ? number + 1 : 0;
}

/* Read what was reserved, and let the owner have the block back. */
static size_t read_out(struct bwos_block *block, uint64_t first, uint64_t end, struct task **tasks)
{
	size_t count = end - first;
	for (size_t i = 0; i < count; i++)
		tasks[i] = atomic_load_explicit(&block->tasks[index_in(first) + i], memory_order_relaxed);
	/* release: they were read; pairs with open_next. */
	atomic_fetch_add_explicit(&block->stolen, count, memory_order_release);
	return count;
}

size_t bwos_steal(struct bwos_queue *queue, struct task *tasks[BWOS_LENGTH])
{
	for (;;) {
		/* acquire: another thief has seen that block open. */
		uint64_t number = atomic_load_explicit(&queue->oldest, memory_order_acquire), next;
		struct bwos_block *block = block_of(queue, number);
		/* acquire: pairs with open_next. */
		uint64_t reserved = atomic_load_explicit(&block->reserved, memory_order_acquire);
		if (block_number(reserved) == number && index_in(reserved) < BWOS_LENGTH) {
			/* acquire: pairs with bwos_put. If it is that of a later block, the CAS fails. */
			uint64_t committed = atomic_load_explicit(&block->committed, memory_order_acquire);
			if (committed == reserved)
				return 0;
			/* (number, index) -> (number, a later index) */
			if (atomic_compare_exchange_strong_explicit(&block->reserved, &reserved, committed,
			                                            memory_order_acquire, memory_order_relaxed))
				return read_out(block, reserved, committed, tasks);
		} else if ((next = after(queue, number, reserved)) == 0) {
			return 0;
		} else {
			/* number -> a later one; release: pairs with the load above. */
			atomic_compare_exchange_strong_explicit(&queue->oldest, &number, next, memory_order_release,
			                                        memory_order_relaxed);
		}
	}
}

bool bwos_has_more(struct bwos_queue *queue)
{
	/* As in bwos_steal. */
	uint64_t number = atomic_load_explicit(&queue->oldest, memory_order_acquire);
	while (number != 0) {
		struct bwos_block *block = block_of(queue, number);
		uint64_t reserved = atomic_load_explicit(&block->reserved, memory_order_acquire);
		if (block_number(reserved) == number && index_in(reserved) < BWOS_LENGTH)
			return atomic_load_explicit(&block->committed, memory_order_acquire) != reserved;
		number = after(queue, number, reserved);
	}
	return false;
}
