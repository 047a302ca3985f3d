#include "user/test/hoard.h"

#include <stddef.h>

#include "kernel/memory.h"

/* At both ends of each block, to detect overlapping blocks. */
struct hoarded_block {
	struct hoarded_block *next;
	struct hoard *owner;
	size_t bytes;
};

static struct hoarded_block *block_end(struct hoarded_block *block, size_t bytes)
{
	return (struct hoarded_block *)((char *)block + bytes) - 1;
}

void hoard_fill(struct hoard *hoard)
{
	*hoard = (struct hoard){0};
	for (size_t bytes = MEMORY_BLOCK_LARGEST; bytes >= PAGE_SIZE; bytes /= 2) {
		struct hoarded_block *block;
		while ((block = memory_allocate(bytes, MEMORY_ANY_NODE))) {
			*block = (struct hoarded_block){hoard->first, hoard, bytes};
			*block_end(block, bytes) = *block;
			hoard->first = block;
			hoard->bytes += bytes;
		}
	}
}

void hoard_empty(struct hoard *hoard)
{
	while (hoard->first) {
		struct hoarded_block *block = hoard->first;
		struct hoarded_block *end = block_end(block, block->bytes);
		hoard->damaged += block->owner != hoard || end->owner != hoard || end->next != block->next;
		hoard->first = block->next;
		memory_free(block, block->bytes);
	}
}
