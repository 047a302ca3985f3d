#include "sched/wake.h"

#include "kernel/command_line.h"
#include "sched/idle.h"
#include "sched/injection.h"
#include "sched/scheduler.h"
#include "sched/trace.h"

/* `arriving`: processors that were claimed and have not arrived. Each searches after it has arrived; if it finds a
 * task, it looks whether more tasks wait anywhere, and wakes others. So a processor that has put a task where it can be
 * found, and then sees that enough processors are on their way, need not wake another. Between a claim and the count of
 * it this is too low, never too high.
 *
 * `lingering`: processors that look for work; each will look once more after it is no longer counted. */
struct wake_counts wake_counts;

#define LINGERING 1                   /* one more that lingers; */
#define ARRIVING  (UINT64_C(1) << 32) /* one more that arrives */

static uint32_t count_lingering(uint64_t counts)
{
	return (uint32_t)counts;
}

/* Below 0 for a moment, where a processor arrives before it is counted. */
static int32_t count_arriving(uint64_t counts)
{
	return (int32_t)(counts >> 32);
}

void wake_start(void)
{
	atomic_store_explicit(&wake_counts.word, 0, memory_order_relaxed);
}

static void wake(unsigned index)
{
	atomic_fetch_add_explicit(&wake_counts.word, ARRIVING, memory_order_relaxed);
	arch_processor_wake(&processors[index]);
}

/* Returns which; -1: none was idle. */
static int wake_one(unsigned start)
{
	int index = idle_claim_one(start);
	if (index >= 0)
		wake((unsigned)index);
	return index;
}

void wake_for_injection(void)
{
	wake_one(0);
}

void wake_arrived(void)
{
	/* seq_cst: before the search; pairs with the load in wake_unless_arriving. */
	atomic_fetch_sub_explicit(&wake_counts.word, ARRIVING, memory_order_seq_cst);
	/* We may have been woken for this, and have found another task first. */
	injection_accept();
}

bool wake_linger_begin(void)
{
	uint64_t counts = atomic_load_explicit(&wake_counts.word, memory_order_relaxed);
	if (processor_count == 1 || command_line.linger == 0)
		return false;
	do {
		if (count_lingering(counts) >= (uint32_t)wake_enough())
			return false;
	} while (!atomic_compare_exchange_weak_explicit(&wake_counts.word, &counts, counts + LINGERING,
	                                                memory_order_relaxed, memory_order_relaxed));
	return true;
}

void wake_linger_end(void)
{
	/* seq_cst: before the last look; pairs with the load in wake_is_lingering. */
	atomic_fetch_sub_explicit(&wake_counts.word, LINGERING, memory_order_seq_cst);
}

bool wake_is_lingering(void)
{
	/* seq_cst: after the task was published; pairs with wake_linger_end. */
	return count_lingering(atomic_load_explicit(&wake_counts.word, memory_order_seq_cst)) > 0;
}

bool wake_next(void)
{
	struct scheduler *scheduler = scheduler_current();
	int woken = wake_one(scheduler->processor->index + 1);
	if (woken < 0)
		return false;
	counter_add(&scheduler->counters.wakes, 1);
	trace_wake((unsigned)woken);
	return true;
}

bool wake_unless_arriving(int32_t enough)
{
	if (processor_count == 1)
		return false;
	/* seq_cst: after the task was published; pairs with wake_linger_end and wake_arrived. */
	uint64_t counts = atomic_load_explicit(&wake_counts.word, memory_order_seq_cst);
	return count_lingering(counts) > 0 || count_arriving(counts) >= enough || wake_next();
}

/* A wake-up takes long. Meanwhile a processor that makes many tasks would wake all others for work that the first few
 * can spread. */
int32_t wake_enough(void)
{
	return 1 + (int32_t)processor_count / 16;
}

bool wake_home(struct processor *home)
{
	if (home == processor_current() || !idle_claim(home->index))
		return false;
	wake(home->index);
	counter_add(&scheduler_current()->counters.wakes, 1);
	trace_wake(home->index);
	return true;
}
