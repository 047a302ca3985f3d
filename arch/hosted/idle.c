/*
 * Idle and wake by futex: each processor has a word that says whether a wake came since the last arch_idle(). One of
 * the idle processors may sleep elsewhere, in the wait for descriptors (watch.h).
 */
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <time.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "arch/hosted/system_call.h"
#include "arch/hosted/watch.h"

static void futex(_Atomic uint32_t *word, unsigned operation, uint32_t value, const struct timespec *timeout)
{
	system_call(SYS_futex, (uintptr_t)word, operation, value, (uintptr_t)timeout);
}

static bool barrier_everywhere(unsigned command)
{
	return system_call(SYS_membarrier, command) == 0;
}

/* By then, stores in progress on any processor have long reached memory. */
#define SETTLE_TIME 2000 /* nanoseconds */

void arch_remote_barrier(void)
{
	/* Refused if the host's kernel lacks or forbids it. */
	if (barrier_everywhere(MEMBARRIER_CMD_PRIVATE_EXPEDITED))
		return;
	uint64_t end = arch_clock() + SETTLE_TIME;
	while (arch_clock() < end)
		arch_pause();
}

void hosted_idle_start(void)
{
	barrier_everywhere(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED);
}

void arch_idle(uint64_t deadline)
{
	struct arch_processor *host = processor_current()->arch;
	_Atomic uint32_t *word = &host->wake;
	uint64_t now = arch_clock();
	uint64_t left = deadline > now ? deadline - now : 0;
	struct timespec timeout = {(time_t)(left / 1000000000), (long)(left % 1000000000)};
	/* FUTEX_WAIT compares and sleeps in one step: a wake in between ends it at once. A signal ends it early. */
	if (left > 0 && atomic_load_explicit(word, memory_order_acquire) == 0 && !hosted_watch_sleep(host, left))
		futex(word, FUTEX_WAIT_PRIVATE, 0, deadline == UINT64_MAX ? NULL : &timeout);
	/* 1 -> 0; acquire: what was published before the wake, pairs with the exchange in arch_processor_wake. */
	atomic_exchange_explicit(word, 0, memory_order_acquire);
}

void arch_processor_wake(struct processor *processor)
{
	_Atomic uint32_t *word = &processor->arch->wake;
	/* 0 -> 1; release: pairs with the exchange in arch_idle; seq_cst: before hosted_watch_wake checks where it
	 * sleeps. */
	if (atomic_exchange_explicit(word, 1, memory_order_seq_cst) == 0 && !hosted_watch_wake(processor->arch))
		futex(word, FUTEX_WAKE_PRIVATE, 1, NULL);
}
