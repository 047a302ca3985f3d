/*
 * To wait in the kernel until a word changes. glibc has no functions for these two calls.
 */
#ifndef TOOLS_LINUX_FUTEX_H
#define TOOLS_LINUX_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FUTEX_ALL INT_MAX

/* Sleep until woken, if the word still has this value. Returns without a reason, too: look again. */
static inline void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL);
}

/* Wake so many of those that wait; the word itself is not read, and need not be there any more. */
static inline void futex_wake(_Atomic uint32_t *word, int count)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count);
}

#endif
