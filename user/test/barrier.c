/* The barrier: no task passes before all have come, one of them is the last, and a task that gives up has not
 * come. */
#include "heddle/barrier.h"

#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define PARTIES 12
#define ROUNDS  60

struct race {
	struct barrier barrier;
	_Atomic unsigned came[ROUNDS], last[ROUNDS];
	_Atomic unsigned wrong;
};

static intptr_t run_rounds(size_t number, void *argument)
{
	struct race *race = argument;
	for (unsigned round = 0; round < ROUNDS; round++) {
		bool last;
		if ((number + round) % 4 == 0)
			task_yield();
		atomic_fetch_add_explicit(&race->came[round], 1, memory_order_relaxed);
		if (barrier_wait(&race->barrier, &last) != HEDDLE_OK)
			return 0;
		if (atomic_load_explicit(&race->came[round], memory_order_relaxed) != PARTIES)
			atomic_fetch_add(&race->wrong, 1);
		atomic_fetch_add(&race->last[round], last);
	}
	return 1;
}

TEST(barrier, all_come_before_any_goes)
{
	for (int bound = 0; bound <= 1; bound++) {
		struct race race = {.barrier = HEDDLE_BARRIER_INITIALIZER(PARTIES)};
		struct crew crew = {.function = run_rounds, .argument = &race, .count = PARTIES, .bound = bound};
		intptr_t done = 0;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, PARTIES);
		CHECK_EQUAL(atomic_load(&race.wrong), 0);
		for (unsigned round = 0; round < ROUNDS; round++)
			CHECK_EQUAL(atomic_load(&race.last[round]), 1);
		CHECK_EQUAL(barrier_destroy(&race.barrier), HEDDLE_OK);
	}
}

TEST(barrier, for_one_and_for_nobody)
{
	struct barrier one = HEDDLE_BARRIER_INITIALIZER(1), nobody = HEDDLE_BARRIER_INITIALIZER(0);
	for (unsigned i = 0; i < 3; i++) {
		bool last = false;
		CHECK_EQUAL(barrier_wait(&one, &last), HEDDLE_OK);
		CHECK(last);
	}
	CHECK_EQUAL(barrier_wait_until(&one, NULL, 0), HEDDLE_OK);
	CHECK_EQUAL(barrier_wait(&nobody, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(barrier_wait_until(&nobody, NULL, 0), HEDDLE_BAD_ARGUMENT);
}

static enum heddle_error come(struct waiting *waiting)
{
	return barrier_wait_until(waiting->object, NULL, waiting->deadline);
}

TEST(barrier, deadlines)
{
	struct barrier barrier = HEDDLE_BARRIER_INITIALIZER(3);
	struct waiting gives_up = {.wait = come, .object = &barrier, .deadline = after(3)};
	struct waiting stays[2];
	bool last = true;
	CHECK_EQUAL(barrier_wait_until(&barrier, &last, 1), HEDDLE_TIMED_OUT);
	CHECK(!last);
	CHECK(waiting_create(&gives_up));
	CHECK_EQUAL(waiting_end(&gives_up), HEDDLE_TIMED_OUT);
	CHECK(heddle_clock() >= gives_up.deadline);
	for (unsigned i = 0; i < 2; i++) {
		stays[i] = (struct waiting){.wait = come, .object = &barrier, .deadline = HEDDLE_NO_DEADLINE};
		CHECK(waiting_start(&stays[i]));
	}
	/* Two have come; the two that gave up have not. */
	CHECK(task_waits(stays[0].task) && task_waits(stays[1].task));
	CHECK_EQUAL(barrier_wait_until(&barrier, &last, 1), HEDDLE_OK);
	CHECK(last);
	for (unsigned i = 0; i < 2; i++)
		CHECK_EQUAL(waiting_end(&stays[i]), HEDDLE_OK);
	CHECK_EQUAL(barrier_destroy(&barrier), HEDDLE_OK);
}

TEST(barrier, uncooperative_regions)
{
	struct barrier barrier = HEDDLE_BARRIER_INITIALIZER(2);
	struct waiting inside = {.wait = come, .object = &barrier, .deadline = HEDDLE_NO_DEADLINE};
	struct waiting other = inside;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_UNCOOPERATIVE);
	CHECK(waiting_start(&other));
	/* It is about to wait, and may not have come yet. */
	enum heddle_error error = HEDDLE_UNCOOPERATIVE;
	for (uint64_t end = heddle_clock() + PATIENCE; error == HEDDLE_UNCOOPERATIVE && heddle_clock() < end;)
		error = uncooperatively(&inside);
	CHECK_EQUAL(error, HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&other), HEDDLE_OK);
	CHECK_EQUAL(barrier_destroy(&barrier), HEDDLE_OK);
}

/* A debug build panics: user/demo/misbehave.c. */
#ifndef HEDDLE_DEBUG
TEST(barrier, destroyed_in_use)
{
	struct barrier barrier = HEDDLE_BARRIER_INITIALIZER(2);
	struct waiting other = {.wait = come, .object = &barrier, .deadline = HEDDLE_NO_DEADLINE};
	CHECK(waiting_start(&other));
	CHECK_EQUAL(barrier_destroy(&barrier), HEDDLE_IN_USE);
	CHECK_EQUAL(barrier_wait(&barrier, NULL), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&other), HEDDLE_OK);
	CHECK_EQUAL(barrier_destroy(&barrier), HEDDLE_OK);
}
#endif

/* -------------------------------------------------------------------------------- some that give up -- */

struct tries {
	struct barrier barrier;
	_Atomic unsigned passed, last;
	uint64_t end;
};

/* Some come in time, others give up: those that passed did so PARTIES at a time. */
static intptr_t try_rounds(size_t number, void *argument)
{
	struct tries *tries = argument;
	uint64_t random = heddle_seed() + number;
	for (unsigned i = 0; i < 300 && heddle_clock() < tries->end; i++) {
		bool last = true;
		enum heddle_error error = barrier_wait_until(
		    &tries->barrier, &last, i % 8 ? heddle_clock() + random_next(&random) % 40000 : 0);
		atomic_fetch_add(&tries->passed, error == HEDDLE_OK);
		atomic_fetch_add(&tries->last, last);
		if (error != HEDDLE_OK && error != HEDDLE_TIMED_OUT)
			return 0;
	}
	return 1;
}

TEST(barrier, a_task_that_gives_up_is_not_counted)
{
	struct tries tries = {.barrier = HEDDLE_BARRIER_INITIALIZER(3), .end = after(200)};
	struct crew crew = {.function = try_rounds, .argument = &tries, .count = PARTIES};
	intptr_t done = 0;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
	CHECK_EQUAL(done, PARTIES);
	CHECK_EQUAL(atomic_load(&tries.passed), 3 * atomic_load(&tries.last));
	CHECK_EQUAL(tries.barrier.arrived, 0);
	CHECK_EQUAL(barrier_destroy(&tries.barrier), HEDDLE_OK);
}

/* The task that is told that it was the last may free the barrier once all have left: here, the last to leave
 * does. */
#define OBJECTS 100

struct object {
	struct barrier barrier;
	_Atomic unsigned users;
};

static intptr_t use_each(size_t number, void *argument)
{
	struct object *objects = argument;
	for (unsigned i = 0; i < OBJECTS; i++) {
		struct object *object = &objects[i];
		if ((number + i) % 3 == 0)
			task_yield();
		if (barrier_wait(&object->barrier, NULL) != HEDDLE_OK)
			return 0;
		if (atomic_fetch_sub_explicit(&object->users, 1, memory_order_acq_rel) == 1)
			object->barrier = (struct barrier)HEDDLE_BARRIER_INITIALIZER(UINT32_MAX);
	}
	return 1;
}

TEST(barrier, is_freed_by_its_last_user)
{
	struct object *objects = heddle_allocate(OBJECTS * sizeof(*objects));
	struct crew crew = {.function = use_each, .argument = objects, .count = PARTIES};
	intptr_t done = 0;
	CHECK(objects);
	for (unsigned i = 0; i < OBJECTS; i++)
		objects[i] = (struct object){.barrier = HEDDLE_BARRIER_INITIALIZER(PARTIES), .users = PARTIES};
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
	CHECK_EQUAL(done, PARTIES);
	bool unchanged = true;
	for (unsigned i = 0; i < OBJECTS; i++)
		unchanged &= objects[i].barrier.arrived == 0 && objects[i].barrier.parties == UINT32_MAX &&
		             barrier_destroy(&objects[i].barrier) == HEDDLE_OK;
	CHECK(unchanged);
	heddle_free(objects, OBJECTS * sizeof(*objects));
}
