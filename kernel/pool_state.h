/*
 * What a pool consists of: slabs of objects, the directory by which a number leads to its slab, what each processor has
 * to itself, and what is there for all. Of pool.c alone.
 */
#ifndef KERNEL_POOL_STATE_H
#define KERNEL_POOL_STATE_H

#include "kernel/free_list.h"
#include "kernel/pool.h"

/* The directory of slabs: block k has room for 2^k times as many as the first, so that few blocks are enough
 * for as many slabs as 32-bit numbers can tell apart, and a small pool needs one page. */
#define DIRECTORY_FIRST  256
#define DIRECTORY_BLOCKS 19

struct slab {
	_Atomic(char *) memory; /* NULL: it is not there yet */
	_Atomic uint32_t made;  /* how many of its objects have been made; the others were never touched */
};

/*
 * An object's number is its slab's number and its place in the slab, in the bits that place_bits says.
 *
 * State diagram of an object:
 *     never made --pool_take: zeroed, prepared--> in use
 *     in use --pool_give--> in a magazine --pool_take--> in use
 *     in a magazine --magazine full: half of it at once--> in a chain --magazine empty--> in a magazine
 *     in use --pool_give, processors keep nothing to themselves--> a chain of one --pool_take--> in use
 */
struct pool_state {
	struct pool_state *older; /* of all that there are */
	unsigned place_bits;
	uint32_t slab_objects;
	uint32_t capacity; /* of a magazine */
	uint32_t batch;    /* of a chain: half of that */
	size_t room;       /* where a chain's first object has the addresses of the others; 0: they are linked */
	size_t spacing, slab_bytes;
	size_t prepared;                               /* bytes that prepare() gets for an object */
	_Alignas(CACHE_LINE) struct free_list chains;  /* by the number of their first object */
	_Alignas(CACHE_LINE) _Atomic uint32_t chained; /* objects in chains; never less than there are */
	_Atomic uint32_t slab_count;
	_Atomic(struct slab *) directory[DIRECTORY_BLOCKS];
	struct pool_magazine magazines[];
};

#endif
