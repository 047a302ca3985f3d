#include "sync/exchange.h"

#include "kernel/command_line.h"
#include "sched/injection.h"
#include "sched/nest.h"
#include "sched/quantum.h"
#include "sched/ready_bound.h"
#include "sched/run_next.h"
#include "sched/timer.h"
#include "sched/wake.h"

/* Whether an early switch was asked for. If so, ask again: each exchange has given the next task a quantum, which
 * cancels the request. */
static bool is_asked(struct scheduler *scheduler)
{
	bool asked = atomic_load_explicit(&scheduler->asked, memory_order_relaxed);
	if (asked)
		quantum_ask(scheduler->processor);
	return asked;
}

/* Whether something is ready here or bound to this processor, or another processor wants something of it. Then the
 * chain stays over until the processor picks its next task: when the current one waits, or its quantum is spent. */
static bool chain_is_over(struct scheduler *scheduler)
{
	if (!chain_is_long(scheduler))
		return false;
	timer_expire(scheduler);
	injection_accept();
	if (is_asked(scheduler))
		return true;
	bool any = levels_anywhere(scheduler) != 0 || scheduler_policy == SCHEDULER_GLOBAL;
	bool only_here = ready_bound_waits(scheduler) || run_next_is_set(scheduler) || nest_waits(scheduler) ||
	                 (any && processor_count == 1);
	if (only_here ||
	    (any && chain_length(scheduler) >= command_line.chain * CHAIN_LONG && !wake_is_resting()))
		return true;
	scheduler->chain = (struct chain){.done = chain_length(scheduler)};
	return false;
}

/* Lower than the running task. */
static bool is_lower(const struct scheduler *scheduler, const struct task *next)
{
	return next->schedule.priority < atomic_load_explicit(&scheduler->running, memory_order_relaxed);
}

bool exchange_is_possible(struct scheduler *scheduler, const struct task *next)
{
	if (scheduler->processor->uncooperative != 0 || is_lower(scheduler, next) ||
	    (next->schedule.bound != HEDDLE_TASK_ANY_PROCESSOR &&
	     (unsigned)next->schedule.bound != scheduler->processor->index))
		return false;
	return !chain_is_over(scheduler);
}

void exchange_full(struct task *next)
{
	struct scheduler *scheduler = scheduler_current();
	if (exchange_is_possible(scheduler, next))
		exchange_with(next, finalize_publish, NULL);
	else if (next->wait.home != scheduler->processor->index)
		run_next_publish(next, next->wait.home);
	else
		run_next_after_one(next);
}

void exchange_count_by_chain(struct lock_counters *counters)
{
	uint32_t chain = chain_length(scheduler_current());
	if (chain == 0)
		return;
	atomic_fetch_add_explicit(&counters->exchanges, 1, memory_order_relaxed);
	uint64_t longest = atomic_load_explicit(&counters->longest_chain, memory_order_relaxed);
	while (chain > longest &&
	       !atomic_compare_exchange_weak_explicit(&counters->longest_chain, &longest, chain,
	                                              memory_order_relaxed, memory_order_relaxed))
		;
}

void exchange_count_delay(struct lock_delays *delays)
{
	uint64_t delay = arch_clock() - delays->handed_over;
	unsigned place = delay ? 63 - (unsigned)__builtin_clzl(delay) : 0;
	delays->counts[place < HEDDLE_LOCK_DELAYS ? place : HEDDLE_LOCK_DELAYS - 1]++;
}

enum heddle_error lock_misused(const char *function, const char *kind, const void *lock,
                               enum heddle_error error)
{
#ifdef HEDDLE_DEBUG
	struct task *task = task_current();
	panic("%s on the %s at %p in task %s (%u): %s", function, kind, lock, task->name, task->pooled.number,
	      heddle_error_text(error));
#endif
	(void)function, (void)kind, (void)lock;
	return error;
}
