/* The locks that spin, yield, then suspend: strategies, errors, deadlines, cancellation. */
#include "heddle/system.h"
#include "user/test/strategy.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

/* ---------------------------------------------------------------------------------------- strategies -- */

TEST(strategy_misuse, letters)
{
	static const char *const bad[] = {"***", "",    "S",   "SY",  "SYSS",    "sys",      "YSS",
	                                  "SSS", "**Y", "S-S", " SY", "adaptiv", "adaptive "};
	struct waiting_strategy strategy;
	for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++)
		CHECK_EQUAL(waiting_parse(bad[i], &strategy), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(waiting_parse(NULL, &strategy), HEDDLE_BAD_ARGUMENT);
	for (unsigned i = 0; i < STRATEGY_LETTERS; i++) {
		CHECK_EQUAL(waiting_parse(strategy_letters[i], &strategy), HEDDLE_OK);
		bool adapts = strategy_letters[i][0] == 'a';
		CHECK_EQUAL(strategy.adapts, adapts);
		CHECK_EQUAL(strategy.spins, adapts || strategy_letters[i][0] == 'S');
		CHECK_EQUAL(strategy.yields, adapts || strategy_letters[i][1] == 'Y');
		CHECK_EQUAL(strategy.suspends, adapts || strategy_letters[i][2] == 'S');
		CHECK(!waiting_refusal(&strategy));
	}
}

/* If sections may switch, tasks must not wait by spinning alone. */
TEST(strategy_misuse, refused)
{
	struct waiting_strategy spinning, none = {0};
	struct waiting_strategy never_suspends = {.spins = true, .yields = true, .adapts = true};
	CHECK_EQUAL(waiting_parse("S**", &spinning), HEDDLE_OK);
	CHECK(waiting_refusal(&spinning));
	CHECK(waiting_refusal(&none));
	CHECK(waiting_refusal(&never_suspends));
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		struct strategy_lock lock;
		CHECK_EQUAL(strategy_kinds[i].create(&lock, &spinning), HEDDLE_BAD_ARGUMENT);
		CHECK(!strategy_kinds[i].common(&lock)->strategy);
		CHECK_EQUAL(strategy_kinds[i].create(&lock, &none), HEDDLE_BAD_ARGUMENT);
		CHECK_EQUAL(strategy_kinds[i].lock(&lock), HEDDLE_OK);
		CHECK_EQUAL(strategy_kinds[i].unlock(&lock), HEDDLE_OK);
	}
	spinning.uncooperative = true;
	CHECK(!waiting_refusal(&spinning));
}

TEST(strategy_misuse, queues)
{
	static struct ttas_mcs_queue queue;
	struct ttas_mcs_lock lock;
	CHECK_EQUAL(ttas_mcs_lock_create(&lock, NULL, NULL, 1, HEDDLE_TTAS_MCS_NODE), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(ttas_mcs_lock_create(&lock, NULL, &queue, 0, HEDDLE_TTAS_MCS_NODE), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(ttas_mcs_lock_create(&lock, NULL, &queue, 1, (enum heddle_ttas_mcs_choice)7),
	            HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(ttas_mcs_lock_lock(&lock), HEDDLE_OK);
	CHECK_EQUAL(ttas_mcs_lock_unlock(&lock), HEDDLE_OK);
}

/* -------------------------------------------------------------------------------------------- errors -- */

struct guarded {
	const struct strategy_kind *kind;
	struct strategy_lock lock;
};

static enum heddle_error try_and_unlock(struct waiting *waiting)
{
	struct guarded *guarded = waiting->object;
	enum heddle_error error = guarded->kind->try_lock(&guarded->lock);
	if (error == HEDDLE_OK)
		guarded->kind->unlock(&guarded->lock);
	return error;
}

static enum heddle_error lock_and_unlock(struct waiting *waiting)
{
	struct guarded *guarded = waiting->object;
	enum heddle_error error = guarded->kind->lock(&guarded->lock);
	if (error == HEDDLE_OK)
		guarded->kind->unlock(&guarded->lock);
	return error;
}

static enum heddle_error lock_uncooperatively(struct waiting *waiting)
{
	struct waiting inside = {.wait = lock_and_unlock, .object = waiting->object};
	return uncooperatively(&inside);
}

static enum heddle_error run_as_task(enum heddle_error (*wait)(struct waiting *), void *object)
{
	struct waiting waiting = {.wait = wait, .object = object};
	return waiting_create(&waiting) ? waiting_end(&waiting) : HEDDLE_NO_MEMORY;
}

TEST(strategy_misuse, busy)
{
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		struct guarded guarded = {.kind = &strategy_kinds[i]};
		CHECK_EQUAL(guarded.kind->create(&guarded.lock, NULL), HEDDLE_OK);
		CHECK_EQUAL(run_as_task(try_and_unlock, &guarded), HEDDLE_OK);
		CHECK_EQUAL(run_as_task(lock_uncooperatively, &guarded), HEDDLE_OK);
		CHECK_EQUAL(guarded.kind->lock(&guarded.lock), HEDDLE_OK);
		CHECK_EQUAL(run_as_task(try_and_unlock, &guarded), HEDDLE_BUSY);
		CHECK_EQUAL(run_as_task(lock_uncooperatively, &guarded), HEDDLE_UNCOOPERATIVE);
		CHECK_EQUAL(guarded.kind->try_lock(&guarded.lock), HEDDLE_RELOCKED);
		CHECK_EQUAL(guarded.kind->unlock(&guarded.lock), HEDDLE_OK);
		CHECK_EQUAL(guarded.kind->destroy(&guarded.lock), HEDDLE_OK);
	}
}

static enum heddle_error lock_and_end(struct waiting *waiting)
{
	struct guarded *guarded = waiting->object;
	return guarded->kind->lock(&guarded->lock);
}

/* The lock stays taken. The tasks that come next, one of them in the memory of the holder, do not hold it. */
TEST(strategy_misuse, holder_has_ended)
{
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		struct guarded guarded = {.kind = &strategy_kinds[i]};
		CHECK_EQUAL(guarded.kind->create(&guarded.lock, NULL), HEDDLE_OK);
		CHECK_EQUAL(run_as_task(lock_and_end, &guarded), HEDDLE_OK);
		for (unsigned next = 0; next < 3; next++)
			CHECK_EQUAL(run_as_task(try_and_unlock, &guarded), HEDDLE_BUSY);
		CHECK(!guarded.kind->common(&guarded.lock)->owner);
	}
}

/* Locks are given up in any order. */
TEST(strategy_misuse, several_at_once)
{
	struct guarded guarded[STRATEGY_KINDS];
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		guarded[i].kind = &strategy_kinds[i];
		CHECK_EQUAL(guarded[i].kind->create(&guarded[i].lock, NULL), HEDDLE_OK);
		CHECK_EQUAL(guarded[i].kind->lock(&guarded[i].lock), HEDDLE_OK);
	}
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		unsigned chosen = (i + STRATEGY_KINDS / 2) % STRATEGY_KINDS;
		CHECK_EQUAL(guarded[chosen].kind->try_lock(&guarded[chosen].lock), HEDDLE_RELOCKED);
		CHECK_EQUAL(guarded[chosen].kind->unlock(&guarded[chosen].lock), HEDDLE_OK);
		CHECK_EQUAL(run_as_task(try_and_unlock, &guarded[chosen]), HEDDLE_OK);
	}
}

#ifndef HEDDLE_DEBUG
static enum heddle_error unlock_of_another(struct waiting *waiting)
{
	struct guarded *guarded = waiting->object;
	return guarded->kind->unlock(&guarded->lock);
}

TEST(strategy_misuse, is_an_error)
{
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		struct guarded guarded = {.kind = &strategy_kinds[i]};
		CHECK_EQUAL(guarded.kind->create(&guarded.lock, NULL), HEDDLE_OK);
		CHECK_EQUAL(guarded.kind->unlock(&guarded.lock), HEDDLE_NOT_OWNER);
		CHECK_EQUAL(guarded.kind->lock(&guarded.lock), HEDDLE_OK);
		CHECK_EQUAL(guarded.kind->lock(&guarded.lock), HEDDLE_RELOCKED);
		CHECK_EQUAL(run_as_task(unlock_of_another, &guarded), HEDDLE_NOT_OWNER);
		CHECK_EQUAL(guarded.kind->destroy(&guarded.lock), HEDDLE_IN_USE);
		CHECK_EQUAL(guarded.kind->unlock(&guarded.lock), HEDDLE_OK);
		CHECK_EQUAL(guarded.kind->unlock(&guarded.lock), HEDDLE_NOT_OWNER);
		CHECK_EQUAL(guarded.kind->destroy(&guarded.lock), HEDDLE_OK);
		CHECK_EQUAL(run_as_task(lock_and_end, &guarded), HEDDLE_OK);
		for (unsigned next = 0; next < 3; next++)
			CHECK_EQUAL(run_as_task(unlock_of_another, &guarded), HEDDLE_NOT_OWNER);
	}
}
#endif

/* ------------------------------------------------------------------------- deadlines, cancellation -- */

static enum heddle_error ttas_until(struct waiting *waiting)
{
	enum heddle_error error = ttas_lock_lock_until(waiting->object, waiting->deadline);
	if (error == HEDDLE_TIMED_OUT && heddle_clock() < waiting->deadline)
		return HEDDLE_BUSY;
	if (error == HEDDLE_OK)
		ttas_lock_unlock(waiting->object);
	return error;
}

TEST(strategy_misuse, deadlines)
{
	struct ttas_lock lock = HEDDLE_TTAS_LOCK_INITIALIZER;
	struct waiting past = {.wait = ttas_until, .object = &lock, .deadline = 1};
	struct waiting soon = {.wait = ttas_until, .object = &lock, .deadline = after(3)};
	struct waiting late = {.wait = ttas_until, .object = &lock, .deadline = after(1000000)};
	CHECK_EQUAL(ttas_lock_lock_until(&lock, 0), HEDDLE_OK);
	CHECK(waiting_create(&past));
	CHECK(waiting_create(&soon));
	CHECK(waiting_create(&late));
	CHECK_EQUAL(waiting_end(&past), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(waiting_end(&soon), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(ttas_lock_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&late), HEDDLE_OK);
	CHECK_EQUAL(ttas_lock_destroy(&lock), HEDDLE_OK);
}

static enum heddle_error lock_then_sleep(struct waiting *waiting)
{
	enum heddle_error error = lock_and_unlock(waiting);
	return error == HEDDLE_OK ? task_sleep_until(after(1000000)) : error;
}

/* It does not end the wait for the lock, but the next one. */
TEST(strategy_misuse, cancelled)
{
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		struct guarded guarded = {.kind = &strategy_kinds[i]};
		struct waiting waiting = {.wait = lock_then_sleep, .object = &guarded};
		CHECK_EQUAL(guarded.kind->create(&guarded.lock, NULL), HEDDLE_OK);
		CHECK_EQUAL(guarded.kind->lock(&guarded.lock), HEDDLE_OK);
		CHECK(waiting_create(&waiting));
		CHECK_EQUAL(task_sleep_until(after(5)), HEDDLE_OK);
		CHECK_EQUAL(task_cancel(waiting.task), HEDDLE_OK);
		CHECK_EQUAL(task_sleep_until(after(2)), HEDDLE_OK);
		CHECK_EQUAL(guarded.kind->unlock(&guarded.lock), HEDDLE_OK);
		CHECK_EQUAL(waiting_end(&waiting), HEDDLE_CANCELLED);
	}
}
