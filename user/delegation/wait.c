/* Waiting of threads: a short while for what is about to come, then asleep. */
#include <errno.h>
#include <linux/futex.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "arch/arch.h"
#include "user/delegation/lock.h"

#define SPINS 200 /* about a microsecond: what a helper takes for some sections */

void ll_misused(const OOLock *lock, const char *sentence)
{
	fprintf(stderr, "heddle: %s: the delegation lock at %p\n", sentence, (const void *)lock);
	abort();
}

void ll_sleep(const volatile void *word, uint32_t value)
{
	int kept = errno;
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL);
	errno = kept;
}

void ll_wake(const volatile void *word)
{
	int kept = errno;
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1);
	errno = kept;
}

bool ll_spin(unsigned *turns)
{
	if (++*turns > SPINS)
		return false;
	arch_pause();
	return true;
}

/* The low half of a slot's word is what the holder sleeps on: the bytes of a number are in that order here. */
void qd_awaited(struct qd_lock *queue, struct qd_slot *slot)
{
	(void)queue;
	ll_wake(&slot->section);
}

bool qd_await(struct qd_lock *queue, struct qd_slot *slot, uintptr_t *word)
{
	(void)queue;
	for (unsigned turns = 0;;) {
		/* acquire: the message, from qd_bring_out. */
		*word = atomic_load_explicit(&slot->section, memory_order_acquire);
		if (*word == QD_AWAITED)
			ll_sleep(&slot->section, QD_AWAITED);
		else if (*word != QD_EMPTY)
			return true;
		else if (!ll_spin(&turns))
			/* EMPTY -> AWAITED; relaxed: nothing goes with it, its word is all that is slept on. */
			atomic_compare_exchange_strong_explicit(&slot->section, word, QD_AWAITED, memory_order_relaxed,
			                                        memory_order_relaxed);
	}
}
