/* sched=bwos: a queue a priority and processor, in blocks as BWoS has them (bwos_queue.h), to compare with sched=local.
 * A processor that has nothing steals a block, nearest first; the paper's choice by chance, which favours long queues,
 * is left out. Tasks that find their queue full go behind it. */
#include "sched/ready_added.h"

#include "kernel/memory.h"
#include "sched/bwos_queue.h"
#include "sched/node.h"
#include "sched/task.h"
#include "sched/trace.h"
#include "sched/wake.h"

struct place {
	struct bwos_queue queue;
	struct queue overflow; /* behind those of `queue` */
	bool overflowed;       /* the owner's: there may be tasks in `overflow` */
};

static struct place *places[HEDDLE_PRIORITIES]; /* one a processor */

static struct place *own_place(unsigned level)
{
	return &places[level][processor_current()->index];
}

static void place_create(struct place *place)
{
	bwos_create(&place->queue);
	queue_create(&place->overflow, node_make_boot());
	place->overflowed = false;
}

static void bwos_ready_create(void)
{
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++) {
		places[level] = memory_boot(processor_count * sizeof(struct place), 0);
		for (unsigned index = 0; index < processor_count; index++)
			place_create(&places[level][index]);
	}
}

static void bwos_ready_put(struct task *task)
{
	struct place *place = own_place(task->schedule.priority);
	/* In their order: nothing goes before what has overflowed. */
	if (!place->overflowed && bwos_put(&place->queue, task))
		return;
	place->overflowed = true;
	queue_enqueue(&place->overflow, &task->item);
}

/* What is the processor's own. A search looks at the others. */
static struct task *bwos_ready_take(unsigned level)
{
	struct place *place = own_place(level);
	struct task *task = bwos_take(&place->queue);
	if (!task && place->overflowed) {
		task = task_of_item(queue_dequeue(&place->overflow));
		place->overflowed = task != NULL;
	}
	return task;
}

/* For later. Returns the first. */
static struct task *keep_all_but_first(struct task **tasks, size_t count, struct processor *victim)
{
	struct scheduler *scheduler = scheduler_current();
	for (size_t i = 1; i < count; i++)
		bwos_ready_put(tasks[i]);
	counter_add(&scheduler->counters.taken, count);
	trace_take(victim, count);
	if (count > 1)
		wake_unless_arriving(1); /* while we held the tasks, no processor could find them */
	return tasks[0];
}

static struct task *steal(struct processor *victim, unsigned level)
{
	struct place *place = &places[level][victim->index];
	struct task *tasks[BWOS_LENGTH];
	size_t count = bwos_steal(&place->queue, tasks);
	return count ? keep_all_but_first(tasks, count, victim) : task_of_item(queue_dequeue(&place->overflow));
}

static struct task *bwos_ready_search(void)
{
	struct scheduler *scheduler = scheduler_current();
	for (unsigned level = HEDDLE_PRIORITIES; level-- > 0;) {
		struct task *task = bwos_ready_take(level);
		for (unsigned turn = 0; turn < scheduler->victims && !task; turn++)
			task = steal(&processors[scheduler->nearest[turn]], level);
		if (task)
			return task;
	}
	return NULL;
}

static bool bwos_ready_waits(void)
{
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++)
		for (unsigned index = 0; index < processor_count; index++)
			if (bwos_has_more(&places[level][index].queue) || !queue_is_empty(&places[level][index].overflow))
				return true;
	return false;
}

HEDDLE_READY_QUEUE(bwos, bwos_ready_create, bwos_ready_put, bwos_ready_take, bwos_ready_search,
                   bwos_ready_waits);
