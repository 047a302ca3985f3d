/* sched=paper: one queue a priority for all processors, with the paper's own ACQUIRE (paper_queue.h). What differs from
 * sched=global is the reuse of nodes alone, so the two show what that costs. */
#include "sched/ready_added.h"

#include "sched/node.h"
#include "sched/paper_queue.h"
#include "sched/task.h"

static struct queue queues[HEDDLE_PRIORITIES];

static void paper_create(void)
{
	for (unsigned index = 0; index < processor_count; index++)
		paper_pool_create(index, node_make_boot(), node_make_boot());
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++)
		queue_create(&queues[level], node_make_boot());
}

static void paper_put(struct task *task)
{
	paper_enqueue(&queues[task->schedule.priority], &task->item);
}

static struct task *paper_take(unsigned level)
{
	return queue_is_empty(&queues[level]) ? NULL : task_of_item(paper_dequeue(&queues[level]));
}

/* Each queue is asked by a dequeue: NULL means that each was empty when it was asked. */
static struct task *paper_search(void)
{
	struct task *task = NULL;
	for (unsigned level = HEDDLE_PRIORITIES; level-- > 0 && !task;)
		task = task_of_item(paper_dequeue(&queues[level]));
	return task;
}

static bool paper_waits(void)
{
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++)
		if (!queue_is_empty(&queues[level]))
			return true;
	return false;
}

HEDDLE_READY_QUEUE(paper, paper_create, paper_put, paper_take, paper_search, paper_waits);
