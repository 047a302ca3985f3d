/*
 * What heddle/pthread.h calls sem_t.
 */
#ifndef POSIX_SEMAPHORE_H
#define POSIX_SEMAPHORE_H

#include <limits.h>

#include "heddle/pthread.h"
#include "heddle/semaphore.h"

#define SEMAPHORE_MADE 0x53656d61u

struct posix_semaphore {
	struct semaphore semaphore;
	unsigned made;
};

_Static_assert(sizeof(struct posix_semaphore) <= sizeof(sem_t), "the public structure has room");
_Static_assert(SEM_VALUE_MAX == HEDDLE_SEMAPHORE_MAXIMUM, "as many permits as <limits.h> and sysconf() say");

#endif
