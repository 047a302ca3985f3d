/* How threads wait: they yield for a while, then sleep. */
#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "user/delegation/lock.h"

/* A thread that looks again at once keeps the lock's line from its holder; so it yields, which takes a little while
 * even if no other thread is ready. So often: as long as one that was preempted may need to come again. */
#define YIELDS 1000

struct ll_bed ll_beds[LL_BEDS];

void ll_misused(const OOLock *lock, const char *sentence)
{
	fprintf(stderr, "heddle: %s: the delegation lock at %p\n", sentence, (const void *)lock);
	abort();
}

bool ll_yield(unsigned *turns)
{
	if (++*turns > YIELDS)
		return false;
	sched_yield();
	return true;
}

static void futex(const volatile void *word, int operation, uint32_t value, const struct timespec *timeout)
{
	int kept = errno;
	syscall(SYS_futex, word, operation, value, timeout);
	errno = kept;
}

static bool membarrier(int command)
{
	return syscall(SYS_membarrier, command, 0, 0) == 0;
}

/* False: Linux has no such barrier, or forbids it. */
static bool barrier_everywhere(void)
{
	int kept = errno;
	bool passed = membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED) ||
	              (membarrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED) &&
	               membarrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED));
	errno = kept;
	return passed;
}

/* Without the barrier a change may be missed: then the thread looks again after a moment. */
void ll_sleep(const volatile void *word, uint32_t value)
{
	static const struct timespec moment = {.tv_nsec = 1000000};
	_Atomic uint32_t *sleepers = &ll_bed_of(word)->sleepers;
	/* seq_cst: before the barrier, pairs with ll_changed. */
	atomic_fetch_add_explicit(sleepers, 1, memory_order_seq_cst);
	bool certain = barrier_everywhere();
	futex(word, FUTEX_WAIT_PRIVATE, value, certain ? NULL : &moment);
	atomic_fetch_sub_explicit(sleepers, 1, memory_order_relaxed);
}

void ll_wake(const volatile void *word)
{
	futex(word, FUTEX_WAKE_PRIVATE, 1, NULL);
}

/* The holder sleeps on the low half of a slot's word, which comes first: the processor is little-endian. */
bool qd_await(struct qd_lock *queue, struct qd_slot *slot, uintptr_t *word)
{
	(void)queue;
	for (unsigned turns = 0;;) {
		/* acquire: the message, from ll_publish. */
		*word = atomic_load_explicit(&slot->section, memory_order_acquire);
		if (*word == QD_AWAITED)
			ll_sleep(&slot->section, QD_AWAITED);
		else if (*word != QD_EMPTY)
			return true;
		else if (!ll_yield(&turns))
			/* EMPTY -> AWAITED; relaxed: it publishes nothing but the word that the holder sleeps on. */
			atomic_compare_exchange_strong_explicit(&slot->section, word, QD_AWAITED, memory_order_relaxed,
			                                        memory_order_relaxed);
	}
}

void qd_bring_out(struct qd_lock *queue, struct qd_slot *slot, uintptr_t value)
{
	(void)queue;
	ll_publish(slot, value);
}
