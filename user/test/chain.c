/* A chain of exchanges does not keep ready tasks from their processor. */
#include "heddle/condition.h"
#include "kernel/command_line.h"
#include "user/test/quantum.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

/* Two tasks that hand a mutex over to each other for ever, so that the processor never picks a task. */
struct game {
	struct mutex mutex;
	struct condition condition;
	_Atomic uint64_t turns;
	_Atomic bool over;
};

static enum heddle_error play(struct waiting *waiting)
{
	struct game *game = waiting->object;
	enum heddle_error error = mutex_lock(&game->mutex);
	while (error == HEDDLE_OK && !atomic_load_explicit(&game->over, memory_order_relaxed)) {
		atomic_fetch_add_explicit(&game->turns, 1, memory_order_relaxed);
		condition_notify_one(&game->condition);
		error = condition_wait(&game->condition, &game->mutex);
	}
	condition_notify_one(&game->condition);
	mutex_unlock(&game->mutex);
	return error;
}

static uint64_t turns_of(struct game *game)
{
	return atomic_load_explicit(&game->turns, memory_order_relaxed);
}

/* Yield while they play on processor 0; returns the most turns that they had until our next one. */
static uint64_t longest_wait(struct game *game, bool bound)
{
	struct waiting players[2];
	uint64_t longest = 0;
	for (unsigned i = 0; i < 2; i++) {
		players[i] = (struct waiting){.wait = play, .object = game, .bound = bound};
		if (!waiting_create(&players[i]))
			return UINT64_MAX;
	}
	for (unsigned i = 0; i < 50; i++) {
		uint64_t before = turns_of(game);
		task_yield();
		uint64_t turns = turns_of(game) - before;
		longest = turns > longest ? turns : longest;
	}
	atomic_store_explicit(&game->over, true, memory_order_relaxed);
	for (unsigned i = 0; i < 2; i++)
		if (waiting_end(&players[i]) != HEDDLE_OK)
			return UINT64_MAX;
	return longest;
}

/* Check that the players play, and that a task bound to their processor has its turn after at most chain= of theirs. */
static void check(struct test_state *test, bool bound)
{
	struct game game = {.mutex.counters.measured = true};
	uint64_t longest = longest_wait(&game, bound);
	CHECK(longest > 1);
	CHECK(longest <= command_line.chain + 2);
	CHECK(game.mutex.counters.exchanges > 1);
	CHECK(game.mutex.counters.longest_chain > 1);
	CHECK(game.mutex.counters.longest_chain <= command_line.chain);
	CHECK_EQUAL(mutex_destroy(&game.mutex), HEDDLE_OK);
	CHECK_EQUAL(condition_destroy(&game.condition), HEDDLE_OK);
}

TEST(chain, lets_a_bound_task_run)
{
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	check(test, true);
}

TEST(chain, lets_any_task_run_where_there_is_one_processor)
{
	if (heddle_processors() > 1) {
		test_skip(test, "needs a machine of one processor, where unbound tasks stay");
		return;
	}
	check(test, false);
}

/* One processor hands over for ever; the other runs a task of an even higher priority. */
TEST(chain, lets_a_higher_task_from_elsewhere_run)
{
	struct game game = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct waiting players[2];
	struct task *higher;
	atomic_bool ran = false;
	if (heddle_processors() != 2) {
		test_skip(test, "needs two processors, of which none is idle");
		return;
	}
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	for (unsigned i = 0; i < 2; i++) {
		players[i] = (struct waiting){.wait = play, .object = &game, .bound = true, .processor = 1};
		CHECK(waiting_create(&players[i]));
	}
	while (turns_of(&game) < 10 * command_line.chain)
		task_sleep_until(after(1));
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_REALTIME), HEDDLE_OK);
	CHECK_EQUAL(task_start(&higher, set_flag, &ran, 0, HEDDLE_PRIORITY_HIGH, HEDDLE_TASK_ANY_PROCESSOR),
	            HEDDLE_OK);
	for (uint64_t end = after(5000); !is_set(&ran) && heddle_clock() < end;)
		continue;
	CHECK(is_set(&ran));
	CHECK_EQUAL(task_set_priority(HEDDLE_PRIORITY_NORMAL), HEDDLE_OK);
	atomic_store_explicit(&game.over, true, memory_order_relaxed);
	CHECK_EQUAL(task_join(higher, NULL), HEDDLE_OK);
	for (unsigned i = 0; i < 2; i++)
		CHECK_EQUAL(waiting_end(&players[i]), HEDDLE_OK);
}

#define CROWD   100
#define WAITERS 300

/* All of them on one processor. */
struct crowded {
	struct mutex mutex;
	uint64_t yields;      /* of the crowd, */
	uint64_t yields_seen; /* when the mutex was last held, */
	uint64_t most_yields; /* and the most between two holders */
	bool over;
};

static intptr_t yield_until_over(void *argument)
{
	struct crowded *crowded = argument;
	while (!crowded->over) {
		crowded->yields++;
		task_yield();
	}
	return 0;
}

static enum heddle_error hold_once(struct waiting *waiting)
{
	struct crowded *crowded = waiting->object;
	enum heddle_error error = mutex_lock(&crowded->mutex);
	uint64_t yields = crowded->yields - crowded->yields_seen;
	if (yields > crowded->most_yields)
		crowded->most_yields = yields;
	crowded->yields_seen = crowded->yields;
	return error == HEDDLE_OK ? mutex_unlock(&crowded->mutex) : error;
}

/* Let all wait, then all have the mutex one after the other. */
static bool pass_through(struct crowded *crowded, struct waiting *waiting, struct task **crowd)
{
	bool right = mutex_lock(&crowded->mutex) == HEDDLE_OK;
	for (unsigned i = 0; i < WAITERS; i++) {
		waiting[i] = (struct waiting){.wait = hold_once, .object = crowded};
		right = right && waiting_start(&waiting[i]);
	}
	for (unsigned i = 0; i < CROWD; i++)
		right = right && task_start(&crowd[i], yield_until_over, crowded, 0, HEDDLE_PRIORITY_NORMAL,
		                            HEDDLE_TASK_ANY_PROCESSOR) == HEDDLE_OK;
	crowded->yields_seen = crowded->yields;
	right = right && mutex_unlock(&crowded->mutex) == HEDDLE_OK;
	for (unsigned i = 0; right && i < WAITERS; i++)
		right = waiting_end(&waiting[i]) == HEDDLE_OK;
	crowded->over = true;
	for (unsigned i = 0; right && i < CROWD; i++)
		right = task_join(crowd[i], NULL) == HEDDLE_OK;
	return right;
}

/* Many tasks are ready when a chain ends. The next holder waits for some of them, not for all. */
TEST(chain, ends_before_some_tasks_not_before_all)
{
	struct crowded crowded = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct waiting *waiting = heddle_allocate(WAITERS * sizeof(*waiting));
	struct task *crowd[CROWD];
	CHECK(waiting);
	mutex_set_strict(&crowded.mutex, true);
	if (heddle_processors() == 1) {
		CHECK(pass_through(&crowded, waiting, crowd));
		CHECK(WAITERS > 2 * command_line.chain);
		CHECK(crowded.yields > 0);
		CHECK(crowded.most_yields < CROWD / 4);
	} else {
		test_skip(test, "needs a machine of one processor, where unbound tasks stay");
	}
	heddle_free(waiting, WAITERS * sizeof(*waiting));
}
