/*
 * What the tests of synchronization share: tasks that each wait for one thing, in a known order.
 *
 *     struct waiting waiting = {.wait = lock_and_note, .object = &shared};
 *     CHECK(waiting_start(&waiting));                             it waits now, behind those started before
 *     ...
 *     CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
 */
#ifndef USER_TEST_WAITING_H
#define USER_TEST_WAITING_H

#include "heddle/lock.h"
#include "heddle/system.h"
#include "sched/wait.h"

#define MILLISECOND UINT64_C(1000000) /* nanoseconds */
#define PATIENCE    (UINT64_C(20000) * MILLISECOND)

static inline uint64_t after(uint64_t milliseconds)
{
	return heddle_clock() + milliseconds * MILLISECOND;
}

/* Another number each time. */
static inline uint32_t random_next(uint64_t *random)
{
	*random = *random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)(*random >> 33);
}

struct waiting {
	/* Set by the test; everything except `wait` and `object` may be zero, and except the deadline if `wait` reads
	 * it. */
	enum heddle_error (*wait)(struct waiting *waiting);
	void *object;
	size_t number;
	uint64_t deadline;
	enum heddle_priority priority;
	bool bound; /* to `processor` */
	unsigned processor;
	/* Private. */
	struct task *task;
};

static inline intptr_t waiting_task(void *waiting)
{
	return ((struct waiting *)waiting)->wait(waiting);
}

static inline bool waiting_create(struct waiting *waiting)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = "waiting";
	options.priority = waiting->priority;
	options.bound = waiting->bound;
	if (waiting->bound)
		options.processor = (int)(waiting->processor % heddle_processors());
	return task_create(&waiting->task, waiting_task, waiting, &options) == HEDDLE_OK;
}

/* Whether it waits, and everything that it left in queues is complete (wait.h). */
static inline bool task_waits(struct task *task)
{
	return wait_phase(task) == WAIT_ARMED || wait_phase(task) == WAIT_SUSPENDED;
}

static inline bool await_waiting(struct task *task)
{
	uint64_t end = heddle_clock() + PATIENCE;
	for (unsigned i = 0; !task_waits(task); i++) {
		if (heddle_clock() > end)
			return false;
		if (i < 100)
			task_yield();
		else
			task_sleep_until(heddle_clock() + MILLISECOND / 20);
	}
	return true;
}

/* Returns when it waits; false: no memory, or it does not wait. */
static inline bool waiting_start(struct waiting *waiting)
{
	return waiting_create(waiting) && await_waiting(waiting->task);
}

/* Wait for its end: the result of its `wait`, or HEDDLE_TASK_FAULT. */
static inline enum heddle_error waiting_end(struct waiting *waiting)
{
	intptr_t result;
	enum heddle_error error = task_join(waiting->task, &result);
	return error == HEDDLE_OK ? (enum heddle_error)result : error;
}

/* Call its `wait` here, in an uncooperative region; the compiler does not see what is called. */
static inline enum heddle_error uncooperatively(struct waiting *waiting)
{
	enum heddle_error (*volatile wait)(struct waiting *) = waiting->wait;
	uncooperative_begin();
	enum heddle_error error = wait(waiting);
	uncooperative_end();
	return error;
}

#endif
