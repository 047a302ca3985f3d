/*
 * Join and detach: exactly one task is told of each end.
 */
#include <stdatomic.h>

#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/test.h"

static intptr_t wait_for_resume(void *argument)
{
	atomic_bool *go = argument;
	while (!atomic_load_explicit(go, memory_order_acquire))
		task_suspend();
	return 7;
}

static void let_go(struct task *task, atomic_bool *go)
{
	atomic_store_explicit(go, true, memory_order_release);
	task_resume(task);
}

static intptr_t return_eight(void *argument)
{
	(void)argument;
	return 8;
}

/* A millisecond is usually enough for the task to end; the test holds in both cases. */
TEST(join, already_ended)
{
	struct task *task;
	intptr_t result = 0;
	CHECK_EQUAL(task_create(&task, return_eight, NULL, NULL), HEDDLE_OK);
	task_sleep_until(heddle_clock() + 1000000);
	CHECK_EQUAL(task_join(task, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 8);
}

TEST(join, result_may_be_left_out)
{
	struct task *task;
	CHECK_EQUAL(task_create(&task, return_eight, NULL, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, NULL), HEDDLE_OK);
}

TEST(join, oneself)
{
	CHECK_EQUAL(task_join(task_current(), NULL), HEDDLE_JOINED);
}

TEST(join, detached_and_detach_twice)
{
	static atomic_bool go;
	struct task *task;
	atomic_store(&go, false);
	CHECK_EQUAL(task_create(&task, wait_for_resume, &go, NULL), HEDDLE_OK);
	enum heddle_error first = task_detach(task), second = task_detach(task), joined = task_join(task, NULL);
	let_go(task, &go);
	CHECK_EQUAL(first, HEDDLE_OK);
	CHECK_EQUAL(second, HEDDLE_JOINED);
	CHECK_EQUAL(joined, HEDDLE_JOINED);
}

TEST(join, detach_after_the_end)
{
	struct task *task;
	CHECK_EQUAL(task_create(&task, return_eight, NULL, NULL), HEDDLE_OK);
	task_sleep_until(heddle_clock() + 1000000);
	CHECK_EQUAL(task_detach(task), HEDDLE_OK);
}

static intptr_t join_argument(size_t number, void *argument)
{
	intptr_t result = 0;
	(void)number;
	enum heddle_error error = task_join(argument, &result);
	return error == HEDDLE_JOINED ? 0 : error == HEDDLE_OK && result == 7 ? 1 : 1000;
}

/* Several tasks of one processor join a task that waits on it: one gets the end, all others HEDDLE_JOINED. So does
 * one that comes after the task has ended, but before its joiner has run. */
TEST(join, one_of_many)
{
	static atomic_bool go;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	intptr_t winners = 0;
	atomic_store(&go, false);
	options.bound = true;
	options.processor = 0;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_create(&task, wait_for_resume, &go, &options), HEDDLE_OK);
	struct crew crew = {
	    .function = join_argument, .argument = task, .count = 4, .bound = true, .processors = 1};
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	for (unsigned i = 0; i < 100; i++)
		task_yield(); /* each member calls task_join() */
	enum heddle_error before_the_end = task_join(task, NULL);
	let_go(task, &go);
	task_yield(); /* the task ends, and its joiner is ready behind us */
	enum heddle_error after_the_end = task_join(task, NULL);
	CHECK_EQUAL(crew_join(&crew, &winners), HEDDLE_OK);
	CHECK_EQUAL(winners, 1);
	CHECK_EQUAL(before_the_end, HEDDLE_JOINED);
	CHECK_EQUAL(after_the_end, HEDDLE_JOINED);
}

/* Each joins the one created before: the ends pass through the whole chain. */
struct chain {
	struct task *before;
};

static intptr_t join_the_one_before(void *argument)
{
	struct chain *chain = argument;
	intptr_t result = 0;
	if (chain->before && task_join(chain->before, &result) != HEDDLE_OK)
		return -1000000;
	return result + 1;
}

TEST(join, chain)
{
	enum { LENGTH = 200 };
	static struct chain chain[LENGTH];
	struct task *last = NULL;
	intptr_t result = 0;
	for (unsigned i = 0; i < LENGTH; i++) {
		chain[i].before = last;
		CHECK_EQUAL(task_create(&last, join_the_one_before, &chain[i], NULL), HEDDLE_OK);
	}
	CHECK_EQUAL(task_join(last, &result), HEDDLE_OK);
	CHECK_EQUAL(result, LENGTH);
}

static intptr_t create_and_join(size_t number, void *argument)
{
	uint64_t rounds = *(const uint64_t *)argument;
	intptr_t sum = 0;
	(void)number;
	for (uint64_t round = 0; round < rounds; round++) {
		struct task *task;
		intptr_t result = 0;
		if (task_create(&task, return_eight, NULL, NULL) != HEDDLE_OK ||
		    task_join(task, &result) != HEDDLE_OK)
			return -1000000;
		sum += result;
	}
	return sum;
}

/* The race of a task's end and its join, on all processors. */
TEST(join, races_with_the_end)
{
	uint64_t rounds = 2000 / heddle_processors() + 10;
	struct crew crew = {
	    .function = create_and_join, .argument = &rounds, .count = heddle_processors(), .bound = true};
	intptr_t sum;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &sum), HEDDLE_OK);
	CHECK_EQUAL(sum, 8 * rounds * heddle_processors());
}

#define DETACHED_MAXIMUM 50 /* per task at a time: tasks that have not ended need memory */

static intptr_t count_up(void *argument)
{
	atomic_fetch_add_explicit((_Atomic uint64_t *)argument, 1, memory_order_release);
	return 0;
}

static intptr_t create_and_detach(size_t number, void *argument)
{
	uint64_t rounds = *(const uint64_t *)argument, made = 0;
	_Atomic uint64_t ended = 0;
	intptr_t failures = 0;
	(void)number;
	for (uint64_t round = 0; round < rounds; round++) {
		struct task *task;
		if (task_create(&task, count_up, &ended, NULL) != HEDDLE_OK) {
			failures++;
			continue;
		}
		made++;
		failures += task_detach(task) != HEDDLE_OK;
		while (made - atomic_load_explicit(&ended, memory_order_relaxed) > DETACHED_MAXIMUM)
			task_yield();
	}
	/* acquire: pairs with the last count; no task touches `ended` after it */
	while (atomic_load_explicit(&ended, memory_order_acquire) < made)
		task_yield();
	return failures;
}

TEST(join, detach_races_with_the_end)
{
	uint64_t rounds = 2000 / heddle_processors() + 10;
	struct crew crew = {
	    .function = create_and_detach, .argument = &rounds, .count = heddle_processors(), .bound = true};
	intptr_t failures;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &failures), HEDDLE_OK);
	CHECK_EQUAL(failures, 0);
}
