#include "sched/ready_global.h"

#include "sched/node.h"
#include "sched/queue.h"
#include "sched/ready_added.h"
#include "sched/task.h"

static struct queue queues[HEDDLE_PRIORITIES];

/* Which levels may have a task: those that were ever used; most programs use one. Of one's own queue: all. */
static _Atomic uint32_t levels;

/* Those that need no look at the put: the same, or of one's own queue none. So all others pay nothing for it. */
static _Atomic uint32_t used;

void ready_global_create(void)
{
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++)
		queue_create(&queues[level], node_make_boot());
	atomic_store_explicit(&levels, ready_added ? (1u << HEDDLE_PRIORITIES) - 1 : 0, memory_order_relaxed);
	atomic_store_explicit(&used, 0, memory_order_relaxed);
}

/* The first task of its level; or one's own queue. */
__attribute__((noinline)) static void put_rarely(struct task *task)
{
	uint32_t bit = 1u << task->schedule.priority;
	if (ready_added) {
		ready_added_put(task);
		return;
	}
	/* seq_cst: before the task; an idle processor that sees the bit but no task has looked before the enqueue. */
	atomic_fetch_or_explicit(&levels, bit, memory_order_seq_cst);
	/* release: pairs with ready_global_put, on a processor that then relies on the above. */
	atomic_fetch_or_explicit(&used, bit, memory_order_release);
	queue_enqueue(&queues[task->schedule.priority], &task->item);
}

void ready_global_put(struct task *task)
{
	uint32_t bit = 1u << task->schedule.priority;
	/* acquire: pairs with put_rarely. */
	if (__builtin_expect(!(atomic_load_explicit(&used, memory_order_acquire) & bit), 0))
		put_rarely(task);
	else
		queue_enqueue(&queues[task->schedule.priority], &task->item);
}

uint32_t ready_global_levels(void)
{
	/* seq_cst: an idle processor's last look comes after its announcement. */
	return atomic_load_explicit(&levels, memory_order_seq_cst);
}

/* The queue is empty; it tells the level. */
__attribute__((noinline)) static struct task *take_added(const struct queue *queue)
{
	return ready_added ? ready_added_take((unsigned)(queue - queues)) : NULL;
}

struct task *ready_global_take(unsigned level)
{
	struct queue *queue = &queues[level];
	return queue_is_empty(queue) ? take_added(queue) : task_of_item(queue_dequeue(queue));
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
