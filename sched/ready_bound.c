#include "sched/ready_bound.h"

#include "sched/node.h"
#include "sched/wake.h"

void ready_bound_create(struct scheduler *scheduler)
{
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++) {
		local_queue_create(&scheduler->bound[level]);
		queue_create(&scheduler->bound_remote[level], node_make_boot());
	}
}

static uint32_t bound_bit(unsigned level)
{
	return 1u << LEVELS_BOUND << level;
}

static void put_own(struct scheduler *scheduler, struct task *task)
{
	unsigned level = task->schedule.priority;
	levels_set(scheduler, bound_bit(level));
	local_queue_put(&scheduler->bound[level], task);
}

static void put_remote(struct processor *home, struct task *task)
{
	struct scheduler *scheduler = home->scheduler;
	/* Before the task can be found, so that the count is never too low. */
	atomic_fetch_add_explicit(&scheduler->bound_remote_count, 1, memory_order_seq_cst);
	queue_enqueue(&scheduler->bound_remote[task->schedule.priority], &task->item);
	plain_forbid(scheduler);
	wake_home(home);
}

void ready_bound_put(struct task *task)
{
	struct processor *home = &processors[task->schedule.bound];
	if (home == processor_current())
		put_own(home->scheduler, task);
	else
		put_remote(home, task);
}

static void accept_remote(struct scheduler *scheduler, unsigned level)
{
	struct task *task = task_of_item(queue_dequeue(&scheduler->bound_remote[level]));
	if (!task)
		return;
	atomic_fetch_sub_explicit(&scheduler->bound_remote_count, 1, memory_order_relaxed);
	put_own(scheduler, task);
}

struct task *ready_bound_take(struct scheduler *scheduler, unsigned level)
{
	if (ready_bound_has_remote(scheduler))
		accept_remote(scheduler, level);
	if (!(levels_of(scheduler) & bound_bit(level)))
		return NULL;
	struct task *task = local_queue_take(&scheduler->bound[level]);
	if (!task)
		levels_clear(scheduler, bound_bit(level));
	return task;
}

uint32_t ready_bound_remote_levels(struct scheduler *scheduler)
{
	uint32_t levels = 0;
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++)
		if (!queue_is_empty(&scheduler->bound_remote[level]))
			levels |= 1u << level;
	return levels;
}

uint32_t ready_bound_count(const struct scheduler *scheduler, unsigned level)
{
	return local_queue_count(&scheduler->bound[level]) +
	       atomic_load_explicit(&scheduler->bound_remote_count, memory_order_relaxed);
}
