/*
 * Wait in the kernel until a word changes. glibc has no functions for these two calls.
 */
#ifndef TOOLS_LINUX_FUTEX_H
#define TOOLS_LINUX_FUTEX_H

#include <limits.h>
#include <linux/futex.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FUTEX_ALL INT_MAX

/* Sleep until woken, if the word still has this value. May return without a reason: look again. */
static inline void futex_wait(_Atomic uint32_t *word, uint32_t value)
{
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL);
}

/* Wake that many of the waiting threads; the word itself is not read, and may be gone already. */
static inline void futex_wake(_Atomic uint32_t *word, int count)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, count);
}

#endif
