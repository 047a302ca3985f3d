/* How threads wait: they look again for a short while, then sleep. */
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

/* The holder sleeps on the low half of a slot's word, which comes first: the processor is little-endian. */
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
			/* EMPTY -> AWAITED; relaxed: it publishes nothing but the word that the holder sleeps on. */
			atomic_compare_exchange_strong_explicit(&slot->section, word, QD_AWAITED, memory_order_relaxed,
			                                        memory_order_relaxed);
	}
}
