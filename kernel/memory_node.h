/*
 * The free pages of one NUMA node: a free list for each size, filled from the node's regions. Blocks are powers of
 * two of pages, aligned to their size, and named by the number of their first page.
 *
 *     never used --node_allocate: cut from a region--> in use --node_free--> in the list of its size
 *     in a list --node_allocate, its list is empty: split--> in use, the other parts in their lists
 *     two halves in a list --node_merge--> one block in the list of the next size
 *
 * While a processor splits or merges, it holds free pages that are in no list. A processor that finds no memory
 * meanwhile looks again, a bounded number of times, and may then fail although there is some.
 *
 * | operation     | progress                              | takes effect               |
 * |---------------|---------------------------------------|----------------------------|
 * | node_allocate | lock-free                             | at the CAS that takes the  |
 * |               |                                       | block                      |
 * | node_free     | lock-free                             | at the CAS of the list     |
 * | node_merge    | lock-free; nothing where another      | block by block, at the CAS |
 * |               | merges the node                       | of the lists               |
 * | node_cut      | lock-free                             | at the CAS of the region   |
 */
#ifndef KERNEL_MEMORY_NODE_H
#define KERNEL_MEMORY_NODE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/free_list.h"
#include "kernel/memory.h"
#include "kernel/processor.h"

#define MEMORY_ORDERS 19 /* sizes of blocks: 4 KiB << order, up to 1 GiB */
#define PAGE_NONE     FREE_LIST_NONE

_Static_assert(PAGE_SIZE << (MEMORY_ORDERS - 1) == MEMORY_BLOCK_LARGEST, "a free list for each size");

struct memory_node {
	unsigned index;
	uint32_t total; /* pages that can be handed out */
	struct free_list lists[MEMORY_ORDERS];
	_Alignas(CACHE_LINE) _Atomic uint32_t free; /* pages; never less than there are */
	_Atomic uint64_t splits;                    /* and merges; low half: under way, high half: begun so far */
	atomic_bool merging;
} __attribute__((aligned(CACHE_LINE)));

/* A node without memory. */
void node_create(struct memory_node *node, unsigned index);

/* Count that many more pages of the node. Before the first allocation. */
void node_add(struct memory_node *node, uint32_t pages);

/* A block; PAGE_NONE: no memory. */
uint32_t node_allocate(struct memory_node *node, unsigned order);

void node_free(struct memory_node *node, unsigned order, uint32_t page);

/* Make blocks of `order` from smaller free ones; takes time in proportion to their number. */
void node_merge(struct memory_node *node, unsigned order);

/* Any number of contiguous pages, aligned to `alignment` pages, that were never used. */
uint32_t node_cut(struct memory_node *node, uint64_t pages, uint32_t alignment);

#endif
