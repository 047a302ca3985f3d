/* The latch: opens once, for all. */
#include "heddle/latch.h"

#include <string.h>

#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

static enum heddle_error await(struct waiting *waiting)
{
	return latch_wait_until(waiting->object, waiting->deadline);
}

static enum heddle_error count_down(struct waiting *waiting)
{
	return latch_count_down(waiting->object, (uint32_t)waiting->number);
}

TEST(latch, opens_at_zero)
{
	struct latch latch = HEDDLE_LATCH_INITIALIZER(5);
	struct waiting waiting[4];
	for (unsigned i = 0; i < 4; i++) {
		waiting[i] = (struct waiting){.wait = await,
		                              .object = &latch,
		                              .deadline = HEDDLE_NO_DEADLINE,
		                              .priority = HEDDLE_PRIORITY_IDLE + (int)i,
		                              .bound = i % 2,
		                              .processor = i};
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK_EQUAL(latch_count_down(&latch, 0), HEDDLE_OK);
	CHECK_EQUAL(latch_count_down(&latch, 4), HEDDLE_OK);
	CHECK(!latch_is_open(&latch));
	for (unsigned i = 0; i < 4; i++)
		CHECK(task_waits(waiting[i].task));
	CHECK_EQUAL(latch_count_down(&latch, 1), HEDDLE_OK);
	CHECK(latch_is_open(&latch));
	for (unsigned i = 0; i < 4; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK_EQUAL(latch_wait(&latch), HEDDLE_OK);
	CHECK_EQUAL(latch_wait_until(&latch, 0), HEDDLE_OK);
	CHECK_EQUAL(latch_destroy(&latch), HEDDLE_OK);
}

TEST(latch, open_from_the_start)
{
	struct latch latch = HEDDLE_LATCH_INITIALIZER(0);
	CHECK(latch_is_open(&latch));
	CHECK_EQUAL(latch_wait(&latch), HEDDLE_OK);
	CHECK_EQUAL(latch_count_down(&latch, 0), HEDDLE_OK);
	CHECK_EQUAL(latch_destroy(&latch), HEDDLE_OK);
}

/* A debug build panics: user/demo/misbehave.c. */
#ifndef HEDDLE_DEBUG
TEST(latch, misuse_changes_nothing)
{
	struct latch latch = HEDDLE_LATCH_INITIALIZER(2);
	struct waiting waiting = {.wait = await, .object = &latch, .deadline = HEDDLE_NO_DEADLINE};
	CHECK_EQUAL(latch_count_down(&latch, 3), HEDDLE_OVERFLOW);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(latch_count_down(&latch, UINT32_MAX), HEDDLE_OVERFLOW);
	CHECK_EQUAL(latch_destroy(&latch), HEDDLE_IN_USE);
	CHECK_EQUAL(latch_count_down(&latch, 2), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(latch_count_down(&latch, 1), HEDDLE_OVERFLOW);
	CHECK_EQUAL(latch_destroy(&latch), HEDDLE_OK);
}
#endif

TEST(latch, deadlines)
{
	struct latch latch = HEDDLE_LATCH_INITIALIZER(1);
	struct waiting soon = {.wait = await, .object = &latch, .deadline = after(3)};
	struct waiting late = {.wait = await, .object = &latch, .deadline = after(1000000)};
	CHECK_EQUAL(latch_wait_until(&latch, 1), HEDDLE_TIMED_OUT);
	CHECK(waiting_create(&soon));
	CHECK(waiting_start(&late));
	CHECK_EQUAL(waiting_end(&soon), HEDDLE_TIMED_OUT);
	CHECK(heddle_clock() >= soon.deadline);
	CHECK_EQUAL(latch_count_down(&latch, 1), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&late), HEDDLE_OK);
	CHECK_EQUAL(latch_destroy(&latch), HEDDLE_OK);
}

TEST(latch, uncooperative_regions)
{
	struct latch latch = HEDDLE_LATCH_INITIALIZER(1);
	struct waiting inside = {.wait = await, .object = &latch, .number = 1, .deadline = HEDDLE_NO_DEADLINE};
	struct waiting waiting = inside;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_UNCOOPERATIVE);
	CHECK(waiting_start(&waiting));
	inside.wait = count_down;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	inside.wait = await;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(latch_destroy(&latch), HEDDLE_OK);
}

/* ---------------------------------------------------------------------------------------- many at once -- */

#define MEMBERS 24 /* every third waits, the others count down */
#define LATCHES 100

struct latches {
	struct latch all[LATCHES];
	_Atomic unsigned waiters[LATCHES], counted[LATCHES], wrong;
};

static intptr_t wait_or_count(size_t number, void *argument)
{
	struct latches *latches = argument;
	for (unsigned i = 0; i < LATCHES; i++) {
		struct latch *latch = &latches->all[i];
		if (number % 3) {
			atomic_fetch_add(&latches->counted[i], 1);
			if (latch_count_down(latch, 1) != HEDDLE_OK)
				return 0;
		} else {
			if (latch_wait(latch) != HEDDLE_OK)
				return 0;
			if (atomic_load(&latches->counted[i]) != MEMBERS / 3 * 2)
				atomic_fetch_add(&latches->wrong, 1);
			atomic_fetch_sub(&latches->waiters[i], 1);
		}
		if ((number + i) % 4 == 0)
			task_yield();
	}
	return 1;
}

TEST(latch, waits_for_all)
{
	struct latches *latches = heddle_allocate(sizeof(*latches));
	struct crew crew = {.function = wait_or_count, .argument = latches, .count = MEMBERS};
	intptr_t done = 0;
	CHECK(latches);
	memset(latches, 0, sizeof(*latches));
	for (unsigned i = 0; i < LATCHES; i++)
		latches->all[i] = (struct latch)HEDDLE_LATCH_INITIALIZER(MEMBERS / 3 * 2);
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
	CHECK_EQUAL(done, MEMBERS);
	CHECK_EQUAL(atomic_load(&latches->wrong), 0);
	for (unsigned i = 0; i < LATCHES; i++)
		CHECK_EQUAL(latch_destroy(&latches->all[i]), HEDDLE_OK);
	heddle_free(latches, sizeof(*latches));
}

/* A latch on the waiter's stack: it is gone as soon as the waiter goes on. */
static enum heddle_error count_one(struct waiting *waiting)
{
	if (waiting->number % 2)
		task_yield();
	return latch_count_down(waiting->object, 1);
}

__attribute__((noinline)) static enum heddle_error wait_for(struct waiting *waiting, size_t count)
{
	struct latch latch = HEDDLE_LATCH_INITIALIZER(count);
	for (size_t i = 0; i < count; i++) {
		waiting[i] = (struct waiting){.wait = count_one, .object = &latch, .number = i};
		if (!waiting_create(&waiting[i]))
			return HEDDLE_NO_MEMORY;
	}
	enum heddle_error error = latch_wait(&latch);
	memset(&latch, 0xa5, sizeof(latch));
	return error;
}

TEST(latch, is_freed_by_the_one_that_waits)
{
	struct waiting waiting[4];
	for (unsigned round = 0; round < 100; round++) {
		CHECK_EQUAL(wait_for(waiting, 4), HEDDLE_OK);
		for (unsigned i = 0; i < 4; i++)
			CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	}
}
