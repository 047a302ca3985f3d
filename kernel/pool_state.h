/*
 * What a pool consists of: slabs of objects, the directory that leads from a number to its slab, each processor's
 * cache, and what all processors share. For pool.c only.
 */
#ifndef KERNEL_POOL_STATE_H
#define KERNEL_POOL_STATE_H

#include "kernel/free_list.h"
#include "kernel/pool.h"

/* The directory of slabs: block k has room for 2^k times as many as the first. So few blocks suffice for as many
 * slabs as 32-bit numbers can name, and a small pool needs one page. */
#define DIRECTORY_FIRST  256
#define DIRECTORY_BLOCKS 19

struct slab {
	_Atomic(char *) memory; /* NULL: not yet allocated */
	_Atomic uint32_t made;  /* how many of its objects were made; the others are untouched */
};

/*
 * An object's number is its slab's number and its place in the slab, which has place_bits bits.
 *
 * State diagram of an object:
 *     never made --pool_take: zeroed, prepared--> in use
 *     in use --pool_give--> in a magazine --pool_take--> in use
 *     in a magazine --magazine full: half of it at once--> in a chain --magazine empty--> in a magazine
 *     in use --pool_give, processors cache nothing--> a chain of one --pool_take--> in use
 */
struct pool_state {
	struct pool_state *older; /* the pool made before this one */
	unsigned place_bits;
	uint32_t slab_objects;
	uint32_t capacity; /* of a magazine, in objects */
	uint32_t batch;    /* objects in a chain: half of that */
	size_t room;       /* offset of the others' addresses in a chain's first object; 0: they are linked */
	size_t spacing, slab_bytes;
	size_t prepared;                               /* bytes that prepare() gets for an object */
	_Alignas(CACHE_LINE) struct free_list chains;  /* a chain is named by its first object's number */
	_Alignas(CACHE_LINE) _Atomic uint32_t chained; /* objects in chains; never below their true number */
	_Atomic uint32_t slab_count;
	_Atomic(struct slab *) directory[DIRECTORY_BLOCKS];
	struct pool_magazine magazines[];
};

#endif
