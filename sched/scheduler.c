#include "sched/scheduler.h"

#include "kernel/memory.h"
#include "kernel/topology.h"
#include "sched/brisk.h"
#include "sched/control.h"
#include "sched/fault.h"
#include "sched/idle.h"
#include "sched/injection.h"
#include "sched/node.h"
#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/quiet.h"
#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/switch.h"
#include "sched/timer.h"
#include "sched/timer_watch.h"
#include "sched/trace.h"
#include "sched/wake.h"
#include "sched/watchdog.h"

#define LOOK_AGAIN    1000000 /* nanoseconds */
#define LINGER_PAUSES 8 /* between two looks: some 100 ns, in which an owner takes what it has just put */

/* How often that is doubled at most (pause_between_looks()). */
#define LINGER_DOUBLINGS 4

enum scheduler_policy scheduler_policy;
atomic_bool scheduler_stopping;

/* --------------------------------------------------------------------------------------------- start -- */

static void processor_prepare(struct processor *processor)
{
	struct scheduler *scheduler = memory_boot(sizeof(struct scheduler), processor->node);
	scheduler->processor = processor;
	atomic_store_explicit(&scheduler->running, RUNNING_NOTHING, memory_order_relaxed);
	atomic_store_explicit(&scheduler->plain, PLAIN_NONE, memory_order_relaxed);
	atomic_store_explicit(&scheduler->watched, UINT64_MAX, memory_order_relaxed);
	scheduler->victims = processor_count - 1;
	scheduler->nearest = memory_boot(processor_count * sizeof(uint16_t), processor->node);
	topology_nearest(processor->index, scheduler->nearest);
	size_t nodes = QUEUE_POOL_SIZE(processor_count) * sizeof(struct queue_node);
	queue_processor_create(processor->index, memory_boot(nodes, processor->node),
	                       memory_boot(queue_pool_bytes(processor_count), processor->node));
	ready_create(scheduler);
	scheduler->free_tasks = task_magazine(processor->index);
	scheduler->idle_task = task_make_idle(processor);
	if (!scheduler->idle_task)
		memory_exhausted(sizeof(struct task), "an idle task");
	scheduler->current = scheduler->idle_task;
	processor->scheduler = scheduler;
}

void scheduler_start(void)
{
	scheduler_policy = command_line.policy.policy == SCHEDULER_LOCAL ? SCHEDULER_LOCAL : SCHEDULER_GLOBAL;
	atomic_store_explicit(&scheduler_stopping, false, memory_order_relaxed);
	node_start();
	quantum_start();
	task_pools_create();
	ready_start();
	timer_init();
	timer_watch_start();
	injection_start();
	idle_start();
	quiet_start();
	for (unsigned index = 0; index < processor_count; index++)
		processor_prepare(&processors[index]);
	trace_start();
	watchdog_start();
	panic_scheduler = &fault_interface;
}

/* ---------------------------------------------------------------------------------------------- idle -- */

static void finalize_scheduler_nothing(struct task *left, void *unused)
{
	(void)left;
	(void)unused;
}

static bool stopping(void)
{
	return atomic_load_explicit(&scheduler_stopping, memory_order_seq_cst);
}

static uint64_t earlier(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

/* How long until it looks again for tasks that their owner does not share. */
static uint64_t look_again(void)
{
	uint64_t patience = atomic_load_explicit(&ready_patience, memory_order_relaxed);
	return patience == READY_PATIENCE ? LOOK_AGAIN : patience;
}

/* When to look again if no wake-up comes. */
static uint64_t next_look(struct scheduler *scheduler)
{
	uint64_t own = earlier(timer_next(scheduler), watchdog_next());
	uint64_t deadline = earlier(own, timer_watch(scheduler));
	/* Owners share the tasks of their own at their next check, or are interrupted after a while; so look again. */
	return ready_interrupt_owners(scheduler) ? earlier(deadline, arch_clock() + look_again()) : deadline;
}

/* Interrupt and examine others only while this processor is not quiet: then none of them has ended. */
static void halt(struct scheduler *scheduler)
{
	uint64_t deadline = next_look(scheduler), start = arch_clock();
	quiet_enter();
	trace_halt(true);
	arch_idle(deadline);
	trace_halt(false);
	quiet_leave();
	counter_add(&scheduler->counters.idle, arch_clock() - start);
	counter_add(&scheduler->counters.idles, 1);
	if (!quiet_is_over())
		watchdog_look();
}

/* The more tasks it has seen that their owners took themselves, the longer it pauses: these owners need no help, and
 * each look takes lines from them. */
static void pause_between_looks(const struct scheduler *scheduler)
{
	uint32_t taken = scheduler->sights > 1 ? scheduler->sights - 1 : 0;
	for (unsigned i = LINGER_PAUSES << (taken < LINGER_DOUBLINGS ? taken : LINGER_DOUBLINGS); i > 0; i--)
		arch_pause();
}

/* Look everywhere for a while: halting and waking a processor costs as much as many looks, and a processor that
 * publishes a task meanwhile need wake no other. */
static struct task *linger(struct scheduler *scheduler)
{
	uint64_t end = arch_clock() + command_line.linger;
	struct task *task;
	scheduler->lingers = true;
	scheduler->sights = 0;
	do {
		pause_between_looks(scheduler);
		task = ready_search(scheduler);
	} while (arch_clock() < end && !task && !stopping());
	scheduler->lingers = false;
	if (task)
		wake_linger_end();
	return task;
}

/* Announce, look everywhere again, then halt; once. Returns a task if one was found, and whether we were woken. */
static struct task *scheduler_rest(struct scheduler *scheduler, bool lingered, bool *claimed)
{
	unsigned index = scheduler->processor->index;
	idle_announce(index);
	if (lingered)
		wake_linger_end();
	arch_remote_barrier();
	struct task *task = ready_search(scheduler);
	if (!task)
		halt(scheduler);
	*claimed = !idle_withdraw(index);
	if (*claimed) {
		wake_arrived();
		if (!task && !quiet_is_over())
			task = ready_search(scheduler);
	}
	return task;
}

static struct task *idle(struct scheduler *scheduler)
{
	bool lingers = wake_linger_begin(), claimed = false;
	struct task *task = lingers ? linger(scheduler) : NULL;
	if (!task)
		task = scheduler_rest(scheduler, lingers, &claimed);
	/* For the processors that saw us look, or woke us, and have published more than this task. */
	if (task && (lingers || claimed))
		ready_spread();
	return task;
}

void scheduler_run(struct processor *processor)
{
	struct scheduler *scheduler = processor->scheduler;
	arch_context_adopt(&scheduler->idle_task->context, processor->stack_low, processor->stack_size);
	arch_stack_limit_set(scheduler->idle_task->context.limit);
	stack_canary_place(scheduler->idle_task);
	processor->stack_free = arch_stack_free();
	while (!quiet_is_over()) {
		struct task *task = ready_search(scheduler);
		if (!task)
			task = idle(scheduler);
		if (!task)
			continue;
		brisk_pick(scheduler);
		run_next_look(scheduler);
		timer_watch_busy(scheduler, timer_watched(scheduler));
		switch_to(task, finalize_scheduler_nothing, NULL);
		atomic_store_explicit(&scheduler->running, RUNNING_NOTHING, memory_order_relaxed);
		timer_watch_set(scheduler, UINT64_MAX);
		brisk_judge(scheduler);
	}
}

void scheduler_wake_all(void)
{
	for (unsigned index = 0; index < processor_count; index++)
		arch_processor_wake(&processors[index]);
}

void scheduler_stop(void)
{
	/* seq_cst: processors that were quiet before become so again, and see it then. */
	atomic_store_explicit(&scheduler_stopping, true, memory_order_seq_cst);
	scheduler_wake_all();
}
