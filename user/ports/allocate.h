/*
 * malloc() and similar functions for libraries that call them: blocks of the calling task's arena.
 */
#ifndef USER_PORTS_ALLOCATE_H
#define USER_PORTS_ALLOCATE_H

#include "user/ports/arena.h"

#define ALLOCATE_SLOT 2 /* of the task's local values */

/* Set the arena from which malloc() and similar functions take for the calling task from now on; NULL: they return
 * NULL. It must exist as long. */
void allocate_begin(struct arena *arena);

/* For a program that knows the sizes of its blocks, without malloc()'s record: free (new_bytes is 0), allocate (block
 * is NULL, old_bytes is ignored), or change the size. */
void *allocate_change(void *block, size_t old_bytes, size_t new_bytes);

#endif
