#include "sched/owed.h"

#include "sched/control.h"
#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/switch.h"

_Static_assert(offsetof(struct scheduler, owed) == 8 && offsetof(struct scheduler, owed_rest) == 16,
               "foreign.asm looks there");

static int32_t counter(const struct scheduler *scheduler)
{
	return atomic_load_explicit(&scheduler->processor->quantum, memory_order_relaxed);
}

static void counter_set(struct scheduler *scheduler, int32_t instructions)
{
	atomic_store_explicit(&scheduler->processor->quantum, instructions, memory_order_relaxed);
}

void owed_keep(struct scheduler *scheduler, struct task *task, const void *giver, uint32_t instructions)
{
	int32_t left = counter(scheduler), most = (int32_t)instructions;
	ASSERT(!scheduler->owed);
	scheduler->owed = task;
	scheduler->owed_giver = giver;
	scheduler->owed_rest = left > most ? left - most : 0;
	counter_set(scheduler, left - scheduler->owed_rest);
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
	plain_settle(scheduler);
}

/* The current task goes on, and gets back what was taken off its counter. */
static struct task *forget(struct scheduler *scheduler)
{
	struct task *task = scheduler->owed;
	scheduler->owed = NULL;
	scheduler->owed_giver = NULL;
	counter_set(scheduler, counter(scheduler) + scheduler->owed_rest);
	return task;
}

struct task *owed_take_back(struct scheduler *scheduler)
{
	struct task *task = forget(scheduler);
	atomic_store_explicit(&task->state, TASK_WAITING, memory_order_relaxed);
	return task;
}

/* The current one leaves for it. */
static struct task *take(struct scheduler *scheduler)
{
	struct task *task = scheduler->owed;
	scheduler->owed = NULL;
	scheduler->owed_giver = NULL;
	task->chain = ++scheduler->chain;
	return task;
}

struct task *owed_leave(struct scheduler *scheduler)
{
	if (!scheduler->owed_giver)
		scheduler->current->wake_pause = scheduler->current->wake_pause_next = 0;
	return take(scheduler);
}

static void make_way(struct scheduler *scheduler)
{
	switch_to(take(scheduler), finalize_publish, NULL);
}

bool owed_yield(struct scheduler *scheduler)
{
	bool is_given = scheduler->owed_giver;
	if (is_given)
		make_way(scheduler);
	else
		owed_settle(scheduler);
	return is_given;
}

bool owed_spent(struct scheduler *scheduler)
{
	if (scheduler->owed_giver) {
		control_keep_at_check(scheduler->current);
		make_way(scheduler);
		return true;
	}
	owed_settle(scheduler);
	return counter(scheduler) > 0;
}

static void publish(void *task)
{
	ready_publish(task);
}

/* What it was given waits for it, so it goes first. */
static void publish_first(void *task)
{
	run_next_publish(task, processor_current()->index);
}

READY_RARE void owed_settle(struct scheduler *scheduler)
{
	bool is_given = scheduler->owed_giver;
	arch_call_on_processor_stack(is_given ? publish_first : publish, forget(scheduler));
}
