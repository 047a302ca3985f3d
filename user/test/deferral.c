/*
 * Deferred hand-over (sync/deferral.h). An interrupt, or another processor, may end a deferral at any moment. So each
 * test tries again if there was none, or if it ended before what the test wants to see.
 */
#include "heddle/mutex.h"
#include "kernel/command_line.h"
#include "sched/quantum.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define TRIES 1000

struct game {
	struct mutex mutex;
	struct waiting waiting;
	_Atomic bool ran; /* the waiting task has had the mutex */
	bool deferred;    /* the unlock before `act` was */
	bool good;        /* what `act` has seen */
	uint64_t retaken; /* by `act` */
	void (*act)(struct game *game);
	enum heddle_error (*wait)(struct waiting *waiting);
	enum heddle_priority priority; /* of the waiting task, */
	enum heddle_error outcome;     /* and what its wait ends with if `good` */
	bool strict;
};

static bool has_run(struct game *game)
{
	return atomic_load_explicit(&game->ran, memory_order_relaxed);
}

static enum heddle_error wait_plainly(struct waiting *waiting)
{
	struct game *game = waiting->object;
	enum heddle_error error = mutex_lock(&game->mutex);
	atomic_store_explicit(&game->ran, true, memory_order_relaxed);
	if (error != HEDDLE_CANCELLED)
		mutex_unlock(&game->mutex);
	return error;
}

static enum heddle_error wait_with_deadline(struct waiting *waiting)
{
	struct game *game = waiting->object;
	enum heddle_error error = mutex_lock_until(&game->mutex, after(100000));
	atomic_store_explicit(&game->ran, true, memory_order_relaxed);
	mutex_unlock(&game->mutex);
	return error;
}

/* A separate task, with the stack that this file is compiled for. The other one waits before it unlocks. */
static intptr_t give(void *argument)
{
	struct game *game = argument;
	game->waiting = (struct waiting){.wait = game->wait, .object = game, .priority = game->priority};
	mutex_set_strict(&game->mutex, game->strict);
	if (mutex_lock(&game->mutex) != HEDDLE_OK || !waiting_start(&game->waiting))
		return false;
	mutex_unlock(&game->mutex);
	game->act(game);
	game->deferred = game->mutex.deferral.deferred > 0;
	return true;
}

/* Whether everything was right in the end. */
static bool play(struct game *game)
{
	struct task *giver;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.quantum = QUANTUM_SLICE;
	intptr_t given = false;
	if (task_create(&giver, give, game, &options) != HEDDLE_OK || task_join(giver, &given) != HEDDLE_OK ||
	    !given)
		return false;
	enum heddle_error outcome = waiting_end(&game->waiting);
	return (outcome == game->outcome || (outcome == HEDDLE_OK && !game->good)) && has_run(game) &&
	       mutex_destroy(&game->mutex) == HEDDLE_OK;
}

/* Until `act` has seen it. */
static bool see(const struct game *wanted, struct game *game)
{
	for (unsigned i = 0; i < TRIES; i++) {
		*game = *wanted;
		if (!play(game))
			return false;
		if (game->deferred && game->good)
			return true;
	}
	return false;
}

/* ---- what a task does after an unlock ---- */

static void lock_again(struct game *game)
{
	bool before = has_run(game);
	if (mutex_lock(&game->mutex) != HEDDLE_OK)
		return;
	game->good = !before && !has_run(game) && game->mutex.deferral.retaken == 1 &&
	             game->mutex.counters.acquisitions == 2;
	mutex_unlock(&game->mutex);
}

static void try_again(struct game *game)
{
	game->good = mutex_try_lock(&game->mutex) == HEDDLE_BUSY && !has_run(game);
}

static void compute(struct game *game)
{
	game->good = !has_run(game);
	for (uint64_t i = 0, end = after(20000); !has_run(game); i++)
		if (i % 1024 == 0 && heddle_clock() > end)
			game->good = false;
}

static void yield(struct game *game)
{
	bool before = has_run(game);
	task_yield();
	game->good = !before && has_run(game);
}

static void rest(struct game *game)
{
	bool before = has_run(game);
	task_sleep_until(after(1));
	game->good = !before && has_run(game);
}

static void end(struct game *game)
{
	game->deferred = game->mutex.deferral.deferred > 0;
	game->good = !has_run(game);
	task_exit(true);
}

/* Meanwhile the other task can run only on another processor. */
static void compute_uncooperatively(struct game *game)
{
	uncooperative_begin();
	compute(game);
	uncooperative_end();
}

static void lock_often(struct game *game)
{
	for (uint64_t i = 0; i < 10 * command_line.chain && !has_run(game); i++) {
		mutex_lock(&game->mutex);
		mutex_unlock(&game->mutex);
	}
	game->good = game->mutex.deferral.retaken > 1;
	game->retaken = game->mutex.deferral.retaken;
}

/* The waiting task gets it at the unlock, though deferring was not in vain so far. */
static void unlock_when_spent(struct game *game)
{
	bool before = has_run(game);
	if (mutex_lock(&game->mutex) != HEDDLE_OK)
		return;
	bool taken_back = game->mutex.deferral.retaken == 1;
	quantum_counter_end(processor_current());
	quantum_spent(); /* it is extended */
	mutex_unlock(&game->mutex);
	game->good = !before && taken_back && game->mutex.deferral.deferred == 1;
}

/* ---- the same with the mutex lent to it, so that it holds it, and the other one waits ---- */

static bool hold(struct game *game)
{
	bool before = has_run(game);
	return mutex_lock(&game->mutex) == HEDDLE_OK && !before && scheduler_current()->owed_lent == &game->mutex;
}

/* Whether it was lent before, and the other one waited until the unlock. */
static void end_section(struct game *game, bool lent)
{
	bool before = has_run(game);
	game->good = mutex_unlock(&game->mutex) == HEDDLE_OK && lent && !before;
}

static void hold_and_look(struct game *game)
{
	bool lent = hold(game);
	bool held =
	    mutex_try_lock(&game->mutex) == HEDDLE_RELOCKED && atomic_load(&game->mutex.owner) == task_current();
	end_section(game, lent && held);
}

static void hold_and_yield(struct game *game)
{
	bool lent = hold(game);
	task_yield();
	end_section(game, lent);
}

static void hold_and_rest(struct game *game)
{
	bool lent = hold(game);
	task_sleep_until(after(1));
	end_section(game, lent);
}

static void hold_and_compute(struct game *game)
{
	bool lent = hold(game);
	for (uint64_t end = after(100); heddle_clock() < end;)
		continue;
	end_section(game, lent);
}

/* A check in it returns the mutex. */
static void hold_and_check_uncooperatively(struct game *game)
{
	bool lent = hold(game);
	uncooperative_begin();
	quantum_spent();
	bool returned = !scheduler_current()->owed_lent && atomic_load(&game->mutex.owner) == task_current();
	uncooperative_end();
	end_section(game, lent && returned);
}

static void hold_and_end(struct game *game)
{
	game->good = hold(game);
	game->deferred = game->mutex.deferral.deferred > 0;
	task_exit(true);
}

/* That ends its wait, though not before the mutex is returned. */
static void hold_and_cancel(struct game *game)
{
	bool lent = hold(game);
	task_cancel(game->waiting.task);
	while (!has_run(game))
		task_sleep_until(after(1));
	game->good = mutex_unlock(&game->mutex) == HEDDLE_OK && lent;
}

static void do_nothing(struct game *game)
{
	game->good = true;
}

/* ---- tests ---- */

static bool may_defer(struct test_state *test)
{
	bool may = command_line.defer >= 100 && command_line.quantum >= 1000;
	if (!may)
		test_skip(test, "needs defer=100 or more, and quantum=1000 or more");
	return may;
}

static void check_outcome(struct test_state *test, void (*act)(struct game *game), enum heddle_error outcome)
{
	struct game game, wanted = {.act = act, .wait = wait_plainly, .outcome = outcome};
	if (may_defer(test))
		CHECK(see(&wanted, &game));
}

static void check_seen(struct test_state *test, void (*act)(struct game *game))
{
	check_outcome(test, act, HEDDLE_OK);
}

TEST(deferral, is_taken_back)
{
	check_seen(test, lock_again);
}

TEST(deferral, is_not_taken_back_by_a_try)
{
	check_seen(test, try_again);
}

TEST(deferral, is_not_begun_with_a_spent_quantum)
{
	check_seen(test, unlock_when_spent);
}

TEST(deferral, ends_at_a_check)
{
	check_seen(test, compute);
}

TEST(deferral, ends_at_a_yield)
{
	check_seen(test, yield);
}

TEST(deferral, ends_at_a_wait)
{
	check_seen(test, rest);
}

TEST(deferral, ends_with_its_task)
{
	check_seen(test, end);
}

TEST(deferral, ends_at_a_check_in_an_uncooperative_section)
{
	if (heddle_processors() < 2) {
		test_skip(test, "needs two processors");
		return;
	}
	check_seen(test, compute_uncooperatively);
}

TEST(deferral, ends_after_a_chain_of_sections)
{
	struct game game, wanted = {.act = lock_often, .wait = wait_plainly};
	if (!may_defer(test))
		return;
	CHECK(see(&wanted, &game));
	CHECK(game.retaken <= command_line.chain);
}

TEST(deferral, lends_to_one_that_holds_it_for_all)
{
	check_seen(test, hold_and_look);
}

TEST(deferral, lends_until_a_yield)
{
	check_seen(test, hold_and_yield);
}

TEST(deferral, lends_until_a_wait)
{
	check_seen(test, hold_and_rest);
}

TEST(deferral, lends_until_a_check)
{
	check_seen(test, hold_and_compute);
}

TEST(deferral, lends_until_a_check_in_an_uncooperative_section)
{
	check_seen(test, hold_and_check_uncooperatively);
}

TEST(deferral, lends_to_a_task_that_ends)
{
	check_outcome(test, hold_and_end, HEDDLE_OWNER_DIED);
}

TEST(deferral, lends_while_the_other_is_cancelled)
{
	check_outcome(test, hold_and_cancel, HEDDLE_CANCELLED);
}

static void check_never(struct test_state *test, const struct game *wanted)
{
	struct game game;
	for (unsigned i = 0; i < 20; i++) {
		game = *wanted;
		CHECK(play(&game));
		CHECK(!game.deferred);
		CHECK_EQUAL(game.mutex.deferral.deferred, 0);
	}
}

TEST(deferral, is_not_for_a_strict_mutex)
{
	check_never(test, &(struct game){.act = do_nothing, .wait = wait_plainly, .strict = true});
}

TEST(deferral, is_not_where_a_deadline_could_pass)
{
	check_never(test, &(struct game){.act = do_nothing, .wait = wait_with_deadline});
}

TEST(deferral, is_not_where_a_higher_task_waits)
{
	check_never(test,
	            &(struct game){.act = do_nothing, .wait = wait_plainly, .priority = HEDDLE_PRIORITY_HIGH});
}

/* Deferring in vain is tried less and less often. */
TEST(deferral, is_given_up_where_it_is_in_vain)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	if (!may_defer(test))
		return;
	for (unsigned i = 0; i < 40; i++) {
		struct game game = {.act = yield, .wait = wait_plainly, .mutex = mutex};
		CHECK(play(&game));
		mutex = game.mutex;
	}
	CHECK(mutex.deferral.deferred <= 6);
	CHECK_EQUAL(mutex.deferral.retaken, 0);
}
