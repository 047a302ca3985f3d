/*
 * The C library's memory for a program that asks it itself: blocks of the calling task's arena.
 */
#ifndef USER_PORTS_ALLOCATE_H
#define USER_PORTS_ALLOCATE_H

#include "user/ports/arena.h"

#define ALLOCATE_SLOT 2 /* of the task's local values */

/* Say from which arena the calling task's malloc() and its kin take from now on; NULL: they get nothing. It must last as
 * long. */
void allocate_begin(struct arena *arena);

#endif
