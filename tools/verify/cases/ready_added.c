/*
 * A ready queue of one's own (sched/ready_added.h): here a single one, for tasks of normal priority.
 */
#include "scheduling.h"

#include "sched/node.h"
#include "sched/ready_added.h"
#include "sched/task.h"

static struct queue queue;

static void again_create(void)
{
	queue_create(&queue, node_make_boot());
}

static void again_put(struct task *task)
{
	queue_enqueue(&queue, &task->item);
}

static struct task *again_take(unsigned level)
{
	bool there = level == priority_level(HEDDLE_PRIORITY_NORMAL) && !queue_is_empty(&queue);
	return there ? task_of_item(queue_dequeue(&queue)) : NULL;
}

static struct task *again_search(void)
{
	return task_of_item(queue_dequeue(&queue));
}

static bool again_waits(void)
{
	return !queue_is_empty(&queue);
}

HEDDLE_READY_QUEUE(again, again_create, again_put, again_take, again_search, again_waits);

static intptr_t wake_another(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(scheduling_meet_only, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	scheduling_meet();
	scheduling_join(other, 7);
	scheduler_stop();
	return 0;
}

static intptr_t yield_then_meet(void *unused)
{
	(void)unused;
	struct task *other = scheduling_make(scheduling_meet_only, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_yield();
	scheduling_meet();
	scheduling_join(other, 7);
	scheduler_stop();
	return 0;
}

#define CASE(title, chosen, ...) SCHEDULING_CASE("ready_added", title, 2, false, 2, chosen, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("wake", ADDED, wake_another, 2), CASE("yield", ADDED, yield_then_meet, 2), {0}};
