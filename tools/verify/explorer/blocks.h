/*
 * The bytes of the machine's states, in blocks: variables and stacks. Little changes from one state to the next, so
 * what may have changed is compared with a copy. Only changed blocks are hashed again; what they were before goes to a
 * log, which leads back to each state on the path.
 */
#ifndef VERIFY_BLOCKS_H
#define VERIFY_BLOCKS_H

#include <stddef.h>
#include <stdint.h>

#define BLOCK 64 /* bytes */

/* Note what has changed since the state before in these bytes, which begin with this block. */
void blocks_compare(unsigned first, unsigned char *bytes, size_t size);

/* The hash of all blocks, as they were when compared. */
uint64_t blocks_hash(void);

/* Where the last change begins. */
const void *blocks_last(void);

/* How much the log holds; take everything back to where it held so much, or begin anew. */
size_t blocks_logged(void);
void blocks_take_back(size_t logged);
void blocks_forget(void);

#endif
