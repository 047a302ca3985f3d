/*
 * Priorities: strict on each processor, but no task starves.
 */
#include <stdatomic.h>
#include <string.h>

#include "heddle/system.h"
#include "heddle/task.h"
#include "user/test/test.h"

#define STARVATION_PICKS 64 /* heddle/task.h: of these picks one asks another level first */

TEST(priority, bad_argument)
{
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_END), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(task_set_priority((enum heddle_priority)100), HEDDLE_BAD_ARGUMENT);
	for (int priority = HEDDLE_PRIORITY_IDLE; priority < HEDDLE_PRIORITY_END; priority++)
		CHECK_EQUAL(task_set_priority((enum heddle_priority)priority), HEDDLE_OK);
}

/* All on processor 0, so without atomics. */
#define A_LEVEL 20

struct contest {
	unsigned waiting[HEDDLE_PRIORITIES]; /* tasks that have not run yet */
	unsigned out_of_turn;                /* tasks that ran while a higher one waited */
};

struct contestant {
	struct contest *contest;
	unsigned level;
	struct task *task;
};

static intptr_t take_part(void *argument)
{
	struct contestant *contestant = argument;
	struct contest *contest = contestant->contest;
	contest->waiting[contestant->level]--;
	for (unsigned higher = contestant->level + 1; higher < HEDDLE_PRIORITIES; higher++) {
		if (contest->waiting[higher] > 0) {
			contest->out_of_turn++;
			break;
		}
	}
	return 0;
}

/* Tasks of all priorities are created while none can run. Then the higher ones run first; only picks at the lowest
 * level may break the order. */
TEST(priority, strict_on_one_processor)
{
	static struct contestant contestants[HEDDLE_PRIORITIES * A_LEVEL];
	struct contest contest = {0};
	unsigned made = 0;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_REALTIME), HEDDLE_OK);
	for (; made < HEDDLE_PRIORITIES * A_LEVEL; made++) {
		struct contestant *contestant = &contestants[made];
		struct task_options options = HEDDLE_TASK_OPTIONS;
		*contestant = (struct contestant){.contest = &contest, .level = made % HEDDLE_PRIORITIES};
		options.priority = HEDDLE_PRIORITY_IDLE + (int)contestant->level;
		options.bound = true;
		options.processor = 0;
		if (task_create(&contestant->task, take_part, contestant, &options) != HEDDLE_OK)
			break;
		contest.waiting[contestant->level]++;
	}
	for (unsigned i = 0; i < made; i++)
		task_join(contestants[i].task, NULL);
	CHECK_EQUAL(made, HEDDLE_PRIORITIES * A_LEVEL);
	CHECK(contest.out_of_turn <= HEDDLE_PRIORITIES * A_LEVEL / STARVATION_PICKS + 1);
}

static intptr_t set_flag(void *argument)
{
	atomic_store_explicit((atomic_bool *)argument, true, memory_order_relaxed);
	return 0;
}

/* The number of yields until a task of the given priority on our processor has run; `limit`: it has not. */
static unsigned yields_until_run(enum heddle_priority priority, unsigned limit)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	atomic_bool ran = false;
	struct task *task;
	unsigned yields = 0;
	options.priority = priority;
	options.bound = true;
	options.processor = 0;
	if (task_create(&task, set_flag, &ran, &options) != HEDDLE_OK)
		return limit + 1;
	while (!atomic_load_explicit(&ran, memory_order_relaxed) && yields < limit) {
		task_yield();
		yields++;
	}
	task_join(task, NULL);
	return yields;
}

TEST(priority, low_does_not_starve)
{
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_HIGH), HEDDLE_OK);
	for (int priority = HEDDLE_PRIORITY_IDLE; priority < HEDDLE_PRIORITY_HIGH; priority++)
		CHECK(yields_until_run((enum heddle_priority)priority, 4000) <= 2 * STARVATION_PICKS);
}

TEST(priority, higher_runs_at_the_next_yield)
{
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_LOW), HEDDLE_OK);
	for (unsigned round = 0; round < 100; round++)
		CHECK(yields_until_run(HEDDLE_PRIORITY_HIGH, 1000) <= 2);
}

/* On two processors with local queues: processor 1 shares low tasks, while processor 0 has higher ones that are bound
 * to it. */
#define LOW_COUNT  64
#define HIGH_COUNT (8 * STARVATION_PICKS)

struct inversion {
	struct task *low[LOW_COUNT], *high[HIGH_COUNT];
	unsigned low_made, high_left;
	unsigned out_of_turn; /* low tasks that ran on processor 0 while higher ones waited there */
	atomic_bool is_made, is_over;
};

static intptr_t run_low(void *argument)
{
	struct inversion *inversion = argument;
	if (heddle_processor() == 0 && inversion->high_left > 0)
		inversion->out_of_turn++;
	return 0;
}

static intptr_t run_high(void *argument)
{
	((struct inversion *)argument)->high_left--;
	return 0;
}

static void wait_without_picks(atomic_bool *flag)
{
	for (unsigned turns = 0; turns < 2000000000 && !atomic_load_explicit(flag, memory_order_acquire);)
		turns++;
}

/* No pick comes on processor 1 until all is over, so it offers nothing to the other. */
static intptr_t make_low(void *argument)
{
	struct inversion *inversion = argument;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.priority = HEDDLE_PRIORITY_LOW;
	while (inversion->low_made < LOW_COUNT &&
	       task_create(&inversion->low[inversion->low_made], run_low, inversion, &options) == HEDDLE_OK)
		inversion->low_made++;
	uncooperative_begin();
	atomic_store_explicit(&inversion->is_made, true, memory_order_release);
	wait_without_picks(&inversion->is_over);
	uncooperative_end();
	return 0;
}

static bool make_high(struct inversion *inversion)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.priority = HEDDLE_PRIORITY_HIGH;
	options.bound = true;
	options.processor = 0;
	for (unsigned i = 0; i < HIGH_COUNT; i++) {
		if (task_create(&inversion->high[i], run_high, inversion, &options) != HEDDLE_OK)
			return false;
		inversion->high_left++;
	}
	return true;
}

TEST(priority, bound_tasks_come_before_lower_ones_elsewhere)
{
	static struct inversion inversion;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *maker;
	if (heddle_processors() != 2 || strcmp(heddle_policy(), "local") != 0) {
		test_skip(test, "needs two processors, each with queues of its own");
		return;
	}
	inversion = (struct inversion){0};
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_REALTIME), HEDDLE_OK);
	options.bound = true;
	options.processor = 1;
	options.priority = HEDDLE_PRIORITY_REALTIME;
	CHECK_EQUAL(task_create(&maker, make_low, &inversion, &options), HEDDLE_OK);
	wait_without_picks(&inversion.is_made);
	bool ok = make_high(&inversion);
	for (unsigned i = 0; i < HIGH_COUNT && inversion.high[i]; i++)
		task_join(inversion.high[i], NULL);
	atomic_store_explicit(&inversion.is_over, true, memory_order_release);
	task_join(maker, NULL);
	for (unsigned i = 0; i < inversion.low_made; i++)
		task_join(inversion.low[i], NULL);
	CHECK(ok);
	CHECK_EQUAL(inversion.low_made, LOW_COUNT);
	CHECK_EQUAL(inversion.out_of_turn, 0);
}

/* A task that waits at a low level while two of a higher one yield to each other. */
static intptr_t yield_until_set(void *argument)
{
	atomic_bool *flag = argument;
	intptr_t yields = 0;
	while (!atomic_load_explicit(flag, memory_order_relaxed) && yields < 100000) {
		task_yield();
		yields++;
	}
	return yields;
}

TEST(priority, low_runs_beside_busy_ones)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	atomic_bool ran = false;
	struct task *busy[2], *low;
	intptr_t yields[2] = {0};
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_REALTIME), HEDDLE_OK);
	options.bound = true;
	options.processor = 0;
	options.priority = HEDDLE_PRIORITY_HIGH;
	for (unsigned i = 0; i < 2; i++)
		CHECK_EQUAL(task_create(&busy[i], yield_until_set, &ran, &options), HEDDLE_OK);
	options.priority = HEDDLE_PRIORITY_IDLE;
	CHECK_EQUAL(task_create(&low, set_flag, &ran, &options), HEDDLE_OK);
	for (unsigned i = 0; i < 2; i++)
		task_join(busy[i], &yields[i]);
	task_join(low, NULL);
	CHECK(yields[0] + yields[1] <= 4 * STARVATION_PICKS);
}
