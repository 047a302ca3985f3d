#include "sched/timer.h"

#include "sched/ready.h"

static _Atomic uint64_t sleepers;

/* The earlier of two heaps gets the other as a child. */
static struct task *merge(struct task *a, struct task *b)
{
	if (!a || !b)
		return a ? a : b;
	if (b->deadline < a->deadline) {
		struct task *earlier = b;
		b = a;
		a = earlier;
	}
	b->timer_sibling = a->timer_child;
	a->timer_child = b;
	return a;
}

/* What is left of a heap whose top was taken: its children, merged in pairs and then together. */
static struct task *merge_children(struct task *child)
{
	struct task *pairs = NULL;
	while (child) {
		struct task *second = child->timer_sibling;
		struct task *rest = second ? second->timer_sibling : NULL;
		child->timer_sibling = NULL;
		if (second)
			second->timer_sibling = NULL;
		struct task *pair = merge(child, second);
		pair->timer_sibling = pairs;
		pairs = pair;
		child = rest;
	}
	struct task *heap = NULL;
	while (pairs) {
		struct task *rest = pairs->timer_sibling;
		pairs->timer_sibling = NULL;
		heap = merge(heap, pairs);
		pairs = rest;
	}
	return heap;
}

void timer_add(struct task *left, void *unused)
{
	(void)unused;
	struct scheduler *scheduler = scheduler_current();
	left->timer_child = left->timer_sibling = NULL;
	atomic_store_explicit(&left->state, TASK_SLEEPING, memory_order_relaxed);
	/* seq_cst: before this processor may count as quiet (deadlock.h). */
	atomic_fetch_add_explicit(&sleepers, 1, memory_order_seq_cst);
	scheduler->timers = merge(scheduler->timers, left);
}

void timer_expire(struct scheduler *scheduler)
{
	if (!scheduler->timers)
		return;
	uint64_t now = arch_clock();
	while (scheduler->timers && scheduler->timers->deadline <= now) {
		struct task *task = scheduler->timers;
		scheduler->timers = merge_children(task->timer_child);
		ready_publish(task);
		atomic_fetch_sub_explicit(&sleepers, 1, memory_order_seq_cst);
	}
}

uint64_t timer_next(const struct scheduler *scheduler)
{
	return scheduler->timers ? scheduler->timers->deadline : UINT64_MAX;
}

uint64_t timer_count(void)
{
	return atomic_load_explicit(&sleepers, memory_order_seq_cst);
}

void timer_start(void)
{
	atomic_store_explicit(&sleepers, 0, memory_order_relaxed);
}
