#include "sched/ready_global.h"

#include "sched/node.h"
#include "sched/queue.h"
#include "sched/task.h"

static struct queue queues[HEDDLE_PRIORITIES];

/* Which levels were ever used: most programs use one. */
static _Atomic uint32_t levels;

void ready_global_create(void)
{
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++)
		queue_create(&queues[level], node_make_boot());
	atomic_store_explicit(&levels, 0, memory_order_relaxed);
}

void ready_global_put(struct task *task)
{
	uint32_t bit = 1u << task->schedule.priority;
	if (!(atomic_load_explicit(&levels, memory_order_relaxed) & bit))
		/* seq_cst: before the task; an idle processor that sees the bit but no task has looked before the enqueue. */
		atomic_fetch_or_explicit(&levels, bit, memory_order_seq_cst);
	queue_enqueue(&queues[task->schedule.priority], &task->item);
}

uint32_t ready_global_levels(void)
{
	/* seq_cst: an idle processor's last look comes after its announcement. */
	return atomic_load_explicit(&levels, memory_order_seq_cst);
}

struct task *ready_global_take(unsigned level)
{
	return queue_is_empty(&queues[level]) ? NULL : task_of_item(queue_dequeue(&queues[level]));
}

/* queue_is_empty() is a hint; so each queue is asked by a dequeue, which protects what it looks at. */
struct task *ready_global_search(void)
{
	uint32_t left = ready_global_levels();
	while (left) {
		unsigned level = 31 - (unsigned)__builtin_clz(left);
		struct task *task = task_of_item(queue_dequeue(&queues[level]));
		if (task)
			return task;
		left &= ~(1u << level);
	}
	return NULL;
}

bool ready_global_waits(void)
{
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++)
		if (!queue_is_empty(&queues[level]))
			return true;
	return false;
}
