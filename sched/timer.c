#include "sched/timer.h"

#include "sched/ready.h"
#include "sched/timer_watch.h"
#include "sched/wait.h"

enum { FIRED = 1, STOPPED };

static struct pool timer_pool;
static _Atomic uint64_t running;

void timer_init(void)
{
	pool_create(&timer_pool, "timers", sizeof(struct timer), NULL);
	atomic_store_explicit(&running, 0, memory_order_relaxed);
}

struct timer *timer_make(struct task *task, uint64_t deadline)
{
	struct timer *timer = (struct timer *)pool_take(&timer_pool);
	if (!timer)
		return NULL;
	timer->task = task;
	timer->deadline = deadline;
	timer->home = NULL;
	timer->child = timer->sibling = timer->previous = NULL;
	atomic_store_explicit(&timer->ends, 0, memory_order_relaxed);
	return timer;
}

void timer_discard(struct timer *timer)
{
	pool_give(&timer_pool, &timer->pooled);
}

/* ---------------------------------------------------------------------------------------------- heap -- */

/* The heap with the earlier top gets the other as a child. */
static struct timer *merge(struct timer *a, struct timer *b)
{
	if (!a || !b)
		return a ? a : b;
	if (b->deadline < a->deadline) {
		struct timer *earlier = b;
		b = a;
		a = earlier;
	}
	b->sibling = a->child;
	if (b->sibling)
		b->sibling->previous = b;
	b->previous = a;
	a->child = b;
	return a;
}

static struct timer *alone(struct timer *timer)
{
	timer->sibling = timer->previous = NULL;
	return timer;
}

/* The rest of a heap whose top was taken: its children, merged in pairs and then together. */
static struct timer *merge_children(struct timer *child)
{
	struct timer *pairs = NULL;
	while (child) {
		struct timer *second = child->sibling;
		struct timer *rest = second ? second->sibling : NULL;
		struct timer *pair = merge(alone(child), second ? alone(second) : NULL);
		pair->sibling = pairs;
		pairs = pair;
		child = rest;
	}
	struct timer *heap = NULL;
	while (pairs) {
		struct timer *rest = pairs->sibling;
		heap = merge(heap, alone(pairs));
		pairs = rest;
	}
	return heap;
}

static void heap_remove(struct scheduler *scheduler, struct timer *timer)
{
	struct timer *rest = merge_children(timer->child);
	if (timer == scheduler->timers) {
		scheduler->timers = rest;
		return;
	}
	if (timer->previous->child == timer)
		timer->previous->child = timer->sibling;
	else
		timer->previous->sibling = timer->sibling;
	if (timer->sibling)
		timer->sibling->previous = timer->previous;
	scheduler->timers = merge(scheduler->timers, rest);
}

/* ----------------------------------------------------------------------------------------- operations -- */

static uint64_t earliest(const struct scheduler *scheduler)
{
	return scheduler->timers ? scheduler->timers->deadline : UINT64_MAX;
}

static uint64_t watched(const struct scheduler *scheduler)
{
	/* Not brisk: never. */
	uint64_t brisk_until = atomic_load_explicit(&scheduler->brisk_until, memory_order_relaxed) - 1;
	return earliest(scheduler) < brisk_until ? earliest(scheduler) : brisk_until;
}

/* A processor that runs no task looks at its heap by itself. */
void timer_let_watch(struct scheduler *scheduler)
{
	if (scheduler->current != scheduler->idle_task)
		timer_watch_set(scheduler, watched(scheduler));
}

/* Take out the timers that tasks have stopped elsewhere. */
static void empty_box(struct scheduler *scheduler)
{
	if (!atomic_load_explicit(&scheduler->stopped_timers, memory_order_relaxed))
		return;
	/* acquire: the timers, from timer_stop. */
	struct timer *timer = atomic_exchange_explicit(&scheduler->stopped_timers, NULL, memory_order_acquire);
	while (timer) {
		struct timer *next = timer->stopped_next;
		if (!(atomic_load_explicit(&timer->ends, memory_order_relaxed) & FIRED))
			heap_remove(scheduler, timer);
		pool_give(&timer_pool, &timer->pooled);
		timer = next;
	}
}

void timer_start(struct timer *timer, uint64_t ticket)
{
	struct scheduler *scheduler = scheduler_current();
	empty_box(scheduler);
	timer->ticket = ticket;
	timer->home = scheduler;
	/* seq_cst: before this processor may count as quiet (quiet.h). */
	atomic_fetch_add_explicit(&running, 1, memory_order_seq_cst);
	scheduler->timers = merge(scheduler->timers, timer);
	timer_let_watch(scheduler);
}

void timer_stop(struct timer *timer)
{
	struct scheduler *home = timer->home;
	if (!home) {
		timer_discard(timer);
		return;
	}
	/* 0 -> STOPPED; acquire: the home is done with it; release: we are. Pairs with fire(). */
	uint32_t before = atomic_fetch_or_explicit(&timer->ends, STOPPED, memory_order_acq_rel);
	if (before & FIRED) {
		timer_discard(timer);
		return;
	}
	atomic_fetch_sub_explicit(&running, 1, memory_order_seq_cst);
	if (home == scheduler_current()) {
		heap_remove(home, timer);
		timer_discard(timer);
		timer_let_watch(home);
		return;
	}
	struct timer *top = atomic_load_explicit(&home->stopped_timers, memory_order_relaxed);
	do {
		timer->stopped_next = top;
		/* release: pairs with empty_box. */
	} while (!atomic_compare_exchange_weak_explicit(&home->stopped_timers, &top, timer, memory_order_release,
	                                                memory_order_relaxed));
}

static void fire(struct scheduler *scheduler, struct timer *timer)
{
	struct task *task = timer->task;
	scheduler->timers = merge_children(timer->child);
	bool ended = wait_cancel(task, timer->ticket, HEDDLE_TIMED_OUT);
	/* 0 -> FIRED; pairs with timer_stop; from here on the timer is the task's, or in the box. */
	uint32_t before = atomic_fetch_or_explicit(&timer->ends, FIRED, memory_order_acq_rel);
	if (ended)
		ready_publish(task);
	if (!(before & STOPPED))
		atomic_fetch_sub_explicit(&running, 1, memory_order_seq_cst);
}

static void expire(void *argument)
{
	struct scheduler *scheduler = argument;
	empty_box(scheduler);
	uint64_t now = scheduler->timers ? arch_clock() : 0;
	while (scheduler->timers && scheduler->timers->deadline <= now)
		fire(scheduler, scheduler->timers);
	timer_let_watch(scheduler);
}

void timer_expire(struct scheduler *scheduler)
{
	if (scheduler->timers || atomic_load_explicit(&scheduler->stopped_timers, memory_order_relaxed))
		arch_call_on_processor_stack(expire, scheduler);
}

uint64_t timer_next(struct scheduler *scheduler)
{
	empty_box(scheduler);
	return earliest(scheduler);
}

uint64_t timer_watched(struct scheduler *scheduler)
{
	empty_box(scheduler);
	return watched(scheduler);
}

uint64_t timer_count(void)
{
	return atomic_load_explicit(&running, memory_order_seq_cst);
}
