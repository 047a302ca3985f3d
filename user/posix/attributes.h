/*
 * What all attribute objects share: a mark that they were initialized. Each function returns EINVAL for one that was
 * not.
 */
#ifndef POSIX_ATTRIBUTES_H
#define POSIX_ATTRIBUTES_H

#include <errno.h>
#include <stdbool.h>
#include <stddef.h>

#include "heddle/pthread.h"

#define ATTRIBUTES_MADE 0x4865646cu

/* 0, or EINVAL. */
static inline int attributes_check(unsigned made)
{
	return made == ATTRIBUTES_MADE ? 0 : EINVAL;
}

/* `made` may be NULL: there are no attributes. */
static inline int attributes_end(unsigned *made)
{
	if (!made || attributes_check(*made) != 0)
		return EINVAL;
	*made = 0;
	return 0;
}

static inline int attributes_set(unsigned made, int *field, int value, bool is_allowed)
{
	if (attributes_check(made) != 0 || !is_allowed)
		return EINVAL;
	*field = value;
	return 0;
}

/* Objects are for one process. */
static inline int attributes_set_shared(unsigned made, int shared)
{
	if (shared == PTHREAD_PROCESS_SHARED)
		return attributes_check(made) == 0 ? ENOTSUP : EINVAL;
	return shared == PTHREAD_PROCESS_PRIVATE ? attributes_check(made) : EINVAL;
}

#endif
