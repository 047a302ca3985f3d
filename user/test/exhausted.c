/*
 * Synchronization without memory: an operation that needs memory says so and has changed nothing; all others work
 * (requests: exhausted_gifts.c). Memory and pools are emptied for one processor, to which the tasks here are bound.
 */
#include "heddle/barrier.h"
#include "heddle/channel.h"
#include "heddle/condition.h"
#include "heddle/event.h"
#include "heddle/hqd_lock.h"
#include "heddle/latch.h"
#include "heddle/mutex.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "sched/timer.h"
#include "sync/waiter.h"
#include "user/test/hoard.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

/* ------------------------------------------------------------------------------------------ the memory -- */

struct emptied {
	struct hoard hoard;
	struct timer *timers;
	struct task taker; /* not a real task: it takes places in queues */
	struct waiter *places;
};

/* Not even the memory for a timer is left. */
static void take_timers(struct emptied *emptied)
{
	struct timer *timer;
	hoard_fill(&emptied->hoard);
	while ((timer = timer_make(task_current(), HEDDLE_NO_DEADLINE))) {
		timer->sibling = emptied->timers;
		emptied->timers = timer;
	}
}

static void keep_place(struct emptied *emptied, struct waiter *place)
{
	atomic_store(&place->wait, WAITER_DISCARDED);
	place->next_abandoned = emptied->places;
	emptied->places = place;
}

/* The calling task has no place in a mutex's queue, and can get none. */
static void take_places(struct emptied *emptied)
{
	struct task *current = task_current();
	struct waiter *place;
	if (current->locks.waiter)
		keep_place(emptied, current->locks.waiter);
	current->locks.waiter = NULL;
	hoard_fill(&emptied->hoard);
	while ((place = waiter_take(&emptied->taker, NULL))) {
		emptied->taker.locks.waiter = NULL;
		keep_place(emptied, place);
	}
}

static void give_back(struct emptied *emptied)
{
	struct timer *next;
	for (struct timer *timer = emptied->timers; timer; timer = next) {
		next = timer->sibling;
		timer_discard(timer);
	}
	emptied->taker.locks.abandoned = emptied->places;
	waiter_forget(&emptied->taker);
	hoard_empty(&emptied->hoard);
	*emptied = (struct emptied){0};
}

/* ------------------------------------------------------------------------------------------- the waits -- */

/* In a state in which the caller has to wait. */
struct objects {
	struct mutex mutex; /* another task holds it */
	struct semaphore semaphore;
	struct reader_writer_lock read, written; /* a task reads; a task writes */
	struct mutex monitor;
	struct condition condition;
	struct barrier barrier;
	struct latch latch;
	struct event event;
	struct channel empty, full;
	uint32_t buffers[2];
	struct event end; /* of the task that holds the mutex */
	struct waiting holder;
};

static enum heddle_error hold(struct waiting *waiting)
{
	struct objects *objects = waiting->object;
	enum heddle_error error = mutex_lock(&objects->mutex);
	if (error == HEDDLE_OK)
		error = reader_writer_lock_read(&objects->read);
	if (error == HEDDLE_OK)
		error = reader_writer_lock_write(&objects->written);
	if (error == HEDDLE_OK)
		error = event_wait(&objects->end);
	reader_writer_lock_write_unlock(&objects->written);
	reader_writer_lock_read_unlock(&objects->read);
	mutex_unlock(&objects->mutex);
	return error;
}

static bool objects_start(struct objects *objects)
{
	uint32_t message = 1;
	*objects =
	    (struct objects){.barrier = HEDDLE_BARRIER_INITIALIZER(2), .latch = HEDDLE_LATCH_INITIALIZER(1)};
	objects->holder = (struct waiting){.wait = hold, .object = objects, .bound = true};
	return channel_create(&objects->empty, &objects->buffers[0], sizeof(uint32_t), 1) == HEDDLE_OK &&
	       channel_create(&objects->full, &objects->buffers[1], sizeof(uint32_t), 1) == HEDDLE_OK &&
	       channel_send(&objects->full, &message) == HEDDLE_OK && waiting_start(&objects->holder);
}

/* Whether no task is left in any. */
static bool objects_end(struct objects *objects)
{
	event_set(&objects->end);
	return waiting_end(&objects->holder) == HEDDLE_OK && mutex_destroy(&objects->mutex) == HEDDLE_OK &&
	       semaphore_destroy(&objects->semaphore) == HEDDLE_OK &&
	       semaphore_permits(&objects->semaphore) == 0 &&
	       reader_writer_lock_destroy(&objects->read) == HEDDLE_OK &&
	       reader_writer_lock_destroy(&objects->written) == HEDDLE_OK &&
	       mutex_destroy(&objects->monitor) == HEDDLE_OK &&
	       condition_destroy(&objects->condition) == HEDDLE_OK &&
	       barrier_destroy(&objects->barrier) == HEDDLE_OK && objects->barrier.arrived == 0 &&
	       latch_destroy(&objects->latch) == HEDDLE_OK && !latch_is_open(&objects->latch) &&
	       event_destroy(&objects->event) == HEDDLE_OK && channel_destroy(&objects->empty) == HEDDLE_OK &&
	       channel_destroy(&objects->full) == HEDDLE_OK && objects->empty.count == 0 &&
	       objects->full.count == 1 && event_destroy(&objects->end) == HEDDLE_OK;
}

static enum heddle_error wait_condition(struct objects *objects, uint64_t deadline)
{
	enum heddle_error locked = mutex_lock(&objects->monitor);
	enum heddle_error error = condition_wait_until(&objects->condition, &objects->monitor, deadline);
	/* The task holds the mutex, whatever the result. */
	return locked == HEDDLE_OK && mutex_unlock(&objects->monitor) == HEDDLE_OK ? error : HEDDLE_BAD_ARGUMENT;
}

static enum heddle_error wait_select(struct objects *objects, uint64_t deadline)
{
	uint32_t in, out = 2;
	size_t chosen;
	const struct channel_case cases[] = {{&objects->empty, false, &in}, {&objects->full, true, &out}};
	return channel_select(cases, 2, &chosen, deadline);
}

#define WAITS                 11
#define PATIENCE_MILLISECONDS 20000

/* One after the other at each. Returns how many of them get the expected error. */
static unsigned wait_at_each(struct objects *objects, uint64_t milliseconds, enum heddle_error expected)
{
	uint32_t message = 3;
	unsigned right = mutex_lock_until(&objects->mutex, after(milliseconds)) == expected;
	right += semaphore_acquire_until(&objects->semaphore, 1, after(milliseconds)) == expected;
	right += reader_writer_lock_write_until(&objects->read, after(milliseconds)) == expected;
	right += reader_writer_lock_read_until(&objects->written, after(milliseconds)) == expected;
	right += wait_condition(objects, after(milliseconds)) == expected;
	right += barrier_wait_until(&objects->barrier, NULL, after(milliseconds)) == expected;
	right += latch_wait_until(&objects->latch, after(milliseconds)) == expected;
	right += event_wait_until(&objects->event, after(milliseconds)) == expected;
	right += channel_receive_until(&objects->empty, &message, after(milliseconds)) == expected;
	right += channel_send_until(&objects->full, &message, after(milliseconds)) == expected;
	return right + (wait_select(objects, after(milliseconds)) == expected);
}

/* ------------------------------------------------------------------------------------------- the tests -- */

/* In a bound task: `test` tells it its result. */
struct bound {
	struct waiting waiting;
	struct objects objects;
	struct emptied emptied;
	unsigned right, right_after;
	bool slept, started, ended;
};

static struct bound *run_bound(enum heddle_error (*function)(struct waiting *waiting))
{
	static struct bound bound;
	bound = (struct bound){.waiting = {.wait = function, .object = &bound, .bound = true}};
	if (!waiting_create(&bound.waiting) || waiting_end(&bound.waiting) != HEDDLE_OK)
		return NULL;
	return &bound;
}

static enum heddle_error wait_without_timers(struct waiting *waiting)
{
	struct bound *bound = waiting->object;
	bound->started = objects_start(&bound->objects);
	take_timers(&bound->emptied);
	bound->right = wait_at_each(&bound->objects, PATIENCE_MILLISECONDS, HEDDLE_NO_MEMORY);
	bound->slept = task_sleep_until(after(1)) != HEDDLE_NO_MEMORY;
	give_back(&bound->emptied);
	bound->right_after = wait_at_each(&bound->objects, 1, HEDDLE_TIMED_OUT);
	bound->ended = objects_end(&bound->objects);
	return HEDDLE_OK;
}

TEST(exhausted, no_timer)
{
	struct bound *bound = run_bound(wait_without_timers);
	CHECK(bound);
	CHECK(bound->started && bound->ended);
	CHECK(!bound->slept);
	CHECK_EQUAL(bound->right, WAITS);
	CHECK_EQUAL(bound->right_after, WAITS);
}

static enum heddle_error lock_without_places(struct waiting *waiting)
{
	struct bound *bound = waiting->object;
	struct objects *objects = &bound->objects;
	bound->started = objects_start(objects);
	take_places(&bound->emptied);
	bound->right = mutex_lock(&objects->mutex) == HEDDLE_NO_MEMORY;
	bound->right += mutex_lock_until(&objects->mutex, after(PATIENCE_MILLISECONDS)) == HEDDLE_NO_MEMORY;
	bound->right += mutex_try_lock(&objects->mutex) == HEDDLE_BUSY;
	bound->right += wait_condition(objects, HEDDLE_NO_DEADLINE) == HEDDLE_NO_MEMORY;
	bound->right += wait_condition(objects, after(PATIENCE_MILLISECONDS)) == HEDDLE_NO_MEMORY;
	give_back(&bound->emptied);
	bound->right_after = wait_at_each(objects, 1, HEDDLE_TIMED_OUT);
	bound->ended = objects_end(objects);
	return HEDDLE_OK;
}

TEST(exhausted, no_place_in_a_queue)
{
	struct bound *bound = run_bound(lock_without_places);
	CHECK(bound);
	CHECK(bound->started && bound->ended);
	CHECK_EQUAL(bound->right, 5);
	CHECK_EQUAL(bound->right_after, WAITS);
}

/* ----- A delegation lock: its node's queue, if waiting for the outer mutex is impossible ----- */

#define SLOTS 8

static struct qd_slot slots[2 * SLOTS];
static struct hqd_lock nodes;
static _Atomic unsigned sections;

static void count(size_t size, void *message)
{
	(void)size, (void)message;
	atomic_fetch_add(&sections, 1);
}

static enum heddle_error hold_other_node(struct waiting *waiting)
{
	struct objects *objects = waiting->object;
	enum heddle_error error = qd_lock(&nodes.node[1]);
	if (error == HEDDLE_OK)
		error = event_wait(&objects->end);
	return qd_unlock(&nodes.node[1]) == HEDDLE_OK ? error : HEDDLE_NOT_OWNER;
}

/* After a refusal nothing is in the queue, and the next section runs. */
static enum heddle_error delegate_without_place(struct waiting *waiting)
{
	struct bound *bound = waiting->object;
	struct objects *objects = &bound->objects;
	*objects = (struct objects){.holder = {.wait = hold_other_node, .object = objects, .bound = true}};
	bound->started =
	    hqd_lock_create(&nodes, 2, slots, SLOTS, 8) == HEDDLE_OK && waiting_start(&objects->holder);
	take_places(&bound->emptied);
	bound->right = qd_delegate(&nodes.node[0], count, 0, NULL) == HEDDLE_NO_MEMORY;
	bound->right += qd_delegate_wait(&nodes.node[0], count, 0, NULL) == HEDDLE_NO_MEMORY;
	bound->right += qd_lock(&nodes.node[0]) == HEDDLE_NO_MEMORY;
	give_back(&bound->emptied);
	event_set(&objects->end);
	bound->ended = waiting_end(&objects->holder) == HEDDLE_OK && atomic_load(&sections) == 0;
	bound->right_after =
	    qd_delegate(&nodes.node[0], count, 0, NULL) == HEDDLE_OK && atomic_load(&sections) == 1;
	return hqd_lock_destroy(&nodes);
}

TEST(exhausted, no_place_for_a_node)
{
	atomic_store(&sections, 0);
	struct bound *bound = run_bound(delegate_without_place);
	CHECK(bound);
	CHECK(bound->started && bound->ended);
	CHECK_EQUAL(bound->right, 3);
	CHECK_EQUAL(bound->right_after, 1);
}
