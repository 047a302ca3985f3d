/*
 * The ready tasks of one priority on one processor, in blocks as BWoS has them (Wang et al.: BWoS: Formally Verified
 * Block-based Work Stealing for Parallel Processing, OSDI 2023; here first in, first out), for sched=bwos. The owner
 * puts and takes; thieves steal all of a block that nobody has yet. Each block has its own words, so that the owner and
 * thieves seldom touch the same lines. A word is the number of the block, which never wraps, and an index in it.
 *
 *     free:        consumed and stolen are at the end of the block that was here BWOS_BLOCKS earlier
 *       --put comes to it: stolen, committed and reserved at 0--> open
 *     open:        [reserved, committed) is there for thieves; what lies before is theirs, and read up to stolen
 *       --take comes to it: reserved to the end; consumed to where reserved was--> the owner's
 *     the owner's: [consumed, committed) is what the owner takes, without an atomic instruction; no thief gets any
 *       --consumed at the end, and thieves have read what they got--> free
 *
 *     blocks:   free | the owner's | open, put there | open, may be full | ... | open, being put to | free
 *                      taken                                                     put
 *
 * A queue of few tasks has one block, which the owner takes from and puts to: no thief gets any of these. That is as
 * published; sched=local shares them when it is asked (local_queue.h).
 *
 * | operation  | together with               | progress  | takes effect                                   |
 * |------------|-----------------------------|-----------|------------------------------------------------|
 * | bwos_put   | thieves (owner only)        | wait-free | at the store of committed                      |
 * | bwos_take  | thieves (owner only)        | wait-free | where the block is taken over, or at once      |
 * | bwos_steal | everything                  | lock-free | at the CAS of reserved; nothing: at the load   |
 * |            |                             |           | of committed or of the next block's reserved   |
 *
 * Only processors may call these, never in an interrupt or fault handler.
 */
#ifndef SCHED_BWOS_QUEUE_H
#define SCHED_BWOS_QUEUE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/processor.h"

#define BWOS_LENGTH 32 /* tasks in a block; less than 256 */
#define BWOS_BLOCKS 64

struct task;

struct bwos_block {
	_Alignas(CACHE_LINE_PAIR) uint64_t consumed; /* the owner's */
	_Atomic uint64_t committed;                  /* written by the owner */
	_Alignas(CACHE_LINE_PAIR) _Atomic uint64_t reserved, stolen;
	_Alignas(CACHE_LINE_PAIR) _Atomic(struct task *) tasks[BWOS_LENGTH];
};

struct bwos_queue {
	/* The owner's: the numbers of the blocks that it puts to and takes from. */
	_Alignas(CACHE_LINE_PAIR) uint64_t put, taken;
	_Alignas(CACHE_LINE_PAIR) _Atomic uint64_t oldest; /* no older block is open; may lag */
	struct bwos_block blocks[BWOS_BLOCKS];
};

void bwos_create(struct bwos_queue *queue);

/* Append. False: it is full, or a thief has not read yet what it got from the next block. Owner only. */
bool bwos_put(struct bwos_queue *queue, struct task *task);

/* The oldest task that no thief has; NULL: none. Owner only. */
struct task *bwos_take(struct bwos_queue *queue);

/* Take all tasks of the oldest block that has any for thieves, in their order. Returns how many; 0: there was none. */
size_t bwos_steal(struct bwos_queue *queue, struct task *tasks[BWOS_LENGTH]);

/* Whether thieves would find any: a hint, outdated at once. */
bool bwos_has_more(struct bwos_queue *queue);

#endif
