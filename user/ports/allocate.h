/*
 * The C library's memory for a program that asks it itself: blocks of the calling task's arena.
 */
#ifndef USER_PORTS_ALLOCATE_H
#define USER_PORTS_ALLOCATE_H

#include "user/ports/arena.h"

#define ALLOCATE_SLOT 2 /* of the task's local values */

/* Say from which arena the calling task's malloc() and its kin take from now on; NULL: they get nothing. It must last
 * as long. */
void allocate_begin(struct arena *arena);

/* For a program that knows how long its blocks are, without what malloc() notes of them: free (new_bytes is 0),
 * allocate (block is NULL, old_bytes without meaning) or change the size. */
void *allocate_change(void *block, size_t old_bytes, size_t new_bytes);

#endif
