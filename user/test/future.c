/* The future: set once, waited for by many, freed by its last user. */
#include "heddle/future.h"

#include <string.h>

#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

static enum heddle_error await(struct waiting *waiting)
{
	return future_wait_until(waiting->object, waiting->deadline);
}

static enum heddle_error set(struct waiting *waiting)
{
	return future_set(waiting->object, 7);
}

static struct waiting waiting_for(struct future *future, uint64_t deadline)
{
	return (struct waiting){.wait = await, .object = future, .deadline = deadline};
}

TEST(future, is_set_once)
{
	struct future future = HEDDLE_FUTURE_INITIALIZER;
	CHECK(!future_is_set(&future));
	CHECK_EQUAL(future_wait_until(&future, 1), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(future_set(&future, 42), HEDDLE_OK);
	CHECK(future_is_set(&future));
	CHECK_EQUAL(future_set(&future, 43), HEDDLE_ALREADY_SET);
	CHECK_EQUAL(future_break(&future), HEDDLE_ALREADY_SET);
	CHECK(!future_claim(&future));
	CHECK_EQUAL(future_wait(&future), HEDDLE_OK);
	CHECK_EQUAL(future_wait_until(&future, 0), HEDDLE_OK);
	CHECK_EQUAL(future_value(&future), 42);
	CHECK_EQUAL(future_destroy(&future), HEDDLE_OK);
}

TEST(future, lets_all_go)
{
	struct future future = HEDDLE_FUTURE_INITIALIZER;
	struct waiting waiting[4];
	for (unsigned i = 0; i < 4; i++) {
		waiting[i] = waiting_for(&future, HEDDLE_NO_DEADLINE);
		waiting[i].bound = i % 2;
		waiting[i].processor = i;
		CHECK(waiting_start(&waiting[i]));
	}
	memset(future_claim(&future), 0x5a, HEDDLE_FUTURE_ROOM);
	CHECK(!future_is_set(&future));
	for (unsigned i = 0; i < 4; i++)
		CHECK(task_waits(waiting[i].task));
	CHECK_EQUAL(future_publish(&future), HEDDLE_OK);
	for (unsigned i = 0; i < 4; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK_EQUAL(((unsigned char *)future_room(&future))[HEDDLE_FUTURE_ROOM - 1], 0x5a);
	CHECK_EQUAL(future_destroy(&future), HEDDLE_OK);
}

TEST(future, deadlines_and_cancellation)
{
	struct future future = HEDDLE_FUTURE_INITIALIZER;
	struct waiting soon = waiting_for(&future, after(3)), late = waiting_for(&future, after(1000000));
	struct waiting cancelled = waiting_for(&future, HEDDLE_NO_DEADLINE);
	CHECK(waiting_create(&soon));
	CHECK(waiting_start(&late));
	CHECK(waiting_start(&cancelled));
	CHECK_EQUAL(task_cancel(cancelled.task), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&cancelled), HEDDLE_CANCELLED);
	CHECK_EQUAL(waiting_end(&soon), HEDDLE_TIMED_OUT);
	CHECK(heddle_clock() >= soon.deadline);
	CHECK_EQUAL(future_set(&future, 1), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&late), HEDDLE_OK);
	CHECK_EQUAL(future_destroy(&future), HEDDLE_OK);
}

TEST(future, uncooperative_regions)
{
	struct future future = HEDDLE_FUTURE_INITIALIZER;
	struct waiting inside = waiting_for(&future, HEDDLE_NO_DEADLINE), waiting = inside;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_UNCOOPERATIVE);
	CHECK(waiting_start(&waiting));
	inside.wait = set;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	inside.wait = await;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(future_value(&future), 7);
	CHECK_EQUAL(future_destroy(&future), HEDDLE_OK);
}

TEST(future, is_broken)
{
	struct promise promise;
	struct future *future;
	CHECK_EQUAL(promise_create(&promise, &future), HEDDLE_OK);
	struct waiting waiting = waiting_for(future, HEDDLE_NO_DEADLINE);
	CHECK(waiting_start(&waiting));
	promise_release(&promise);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_BROKEN);
	CHECK_EQUAL(future_wait(future), HEDDLE_BROKEN);
	CHECK_EQUAL(promise_set(&promise, 1), HEDDLE_ALREADY_SET);
	promise_release(&promise);
	CHECK_EQUAL(future_release(future), HEDDLE_OK);
	CHECK_EQUAL(future_release(NULL), HEDDLE_OK);
}

static unsigned destroyed;

static void count_destroyed(void *room)
{
	destroyed += *(unsigned *)room;
}

/* Each end may be given up first, and the last one destroys the value; a value that was never set is not
 * destroyed. */
TEST(future, is_destroyed_by_the_last_end)
{
	destroyed = 0;
	for (unsigned order = 0; order < 4; order++) {
		struct promise promise;
		struct future *future;
		CHECK_EQUAL(promise_create(&promise, &future), HEDDLE_OK);
		future->destroy = count_destroyed;
		if (order % 2)
			CHECK_EQUAL(future_release(future), HEDDLE_OK);
		if (order < 2)
			CHECK_EQUAL(promise_set(&promise, 1 + order), HEDDLE_OK);
		else
			promise_release(&promise);
		CHECK_EQUAL(destroyed, order == 0 ? 0 : order == 1 ? 3 : 3);
		if (order % 2 == 0)
			CHECK_EQUAL(future_release(future), HEDDLE_OK);
		CHECK_EQUAL(destroyed, order == 0 ? 1 : 3);
	}
}

/* A debug build panics. */
#ifndef HEDDLE_DEBUG
TEST(future, destroyed_in_use)
{
	struct future future = HEDDLE_FUTURE_INITIALIZER;
	struct waiting waiting = waiting_for(&future, HEDDLE_NO_DEADLINE);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(future_destroy(&future), HEDDLE_IN_USE);
	CHECK_EQUAL(future_set(&future, 1), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(future_destroy(&future), HEDDLE_OK);
}
#endif

/* --------------------------------------------------------------------------------------------- stress -- */

#define FUTURES 400

/* Four tasks try to set each future, and all others wait for it; the last user overwrites it. */
struct race {
	struct future futures[FUTURES];
	_Atomic unsigned users[FUTURES];
	_Atomic unsigned set, wrong;
	size_t members;
};

static bool use(struct race *race, size_t number, unsigned i)
{
	struct future *future = &race->futures[i];
	if ((number + i) % race->members < 4) {
		enum heddle_error error = future_set(future, (intptr_t)i);
		if (error == HEDDLE_OK)
			atomic_fetch_add(&race->set, 1);
		return error == HEDDLE_OK || error == HEDDLE_ALREADY_SET;
	}
	uint64_t deadline = (number + i) % 3 ? HEDDLE_NO_DEADLINE : heddle_clock() + 20000;
	enum heddle_error error = future_wait_until(future, deadline);
	if (error == HEDDLE_TIMED_OUT && deadline != HEDDLE_NO_DEADLINE)
		return true;
	return error == HEDDLE_OK && future_value(future) == (intptr_t)i;
}

static intptr_t use_each(size_t number, void *argument)
{
	struct race *race = argument;
	for (unsigned i = 0; i < FUTURES; i++) {
		if (!use(race, number, i))
			atomic_fetch_add(&race->wrong, 1);
		if (atomic_fetch_sub_explicit(&race->users[i], 1, memory_order_acq_rel) == 1)
			memset(&race->futures[i], 0xa5, sizeof(race->futures[i]));
	}
	return 1;
}

TEST(future, last_user)
{
	struct race *race = heddle_allocate(sizeof(*race));
	CHECK(race);
	for (int bound = 0; bound <= 1; bound++) {
		struct crew crew = {.function = use_each, .argument = race, .count = 10, .bound = bound};
		intptr_t done = 0;
		memset(race, 0, sizeof(*race));
		race->members = crew.count;
		for (unsigned i = 0; i < FUTURES; i++)
			race->users[i] = (unsigned)crew.count;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, crew.count);
		CHECK_EQUAL(atomic_load(&race->wrong), 0);
		CHECK_EQUAL(atomic_load(&race->set), FUTURES);
	}
	heddle_free(race, sizeof(*race));
}

/* Pairs of tasks, each with both ends of many futures, one after the other. */
#define PAIRS 8

struct ends {
	struct promise promises[PAIRS][FUTURES];
	struct future *futures[PAIRS][FUTURES];
};

static intptr_t use_end(size_t number, void *argument)
{
	struct ends *ends = argument;
	struct promise *promises = ends->promises[number / 2];
	intptr_t right = 0;
	for (unsigned i = 0; i < FUTURES; i++) {
		struct future *future = ends->futures[number / 2][i];
		if (number % 2 == 0 && i % 4 == 3) {
			promise_release(&promises[i]);
			right++;
		} else if (number % 2 == 0)
			right += promise_set(&promises[i], (intptr_t)i) == HEDDLE_OK;
		else {
			enum heddle_error error = i % 3 ? future_wait(future) : HEDDLE_OK;
			right += i % 3 == 0 || (error == (i % 4 == 3 ? HEDDLE_BROKEN : HEDDLE_OK) &&
			                        (error != HEDDLE_OK || future_value(future) == (intptr_t)i));
			future_release(future);
		}
	}
	return right;
}

TEST(future, both_ends)
{
	struct ends *ends = heddle_allocate(sizeof(*ends));
	struct crew crew = {.function = use_end, .argument = ends, .count = 2 * PAIRS};
	intptr_t right = 0;
	CHECK(ends);
	for (unsigned pair = 0; pair < PAIRS; pair++)
		for (unsigned i = 0; i < FUTURES; i++)
			CHECK_EQUAL(promise_create(&ends->promises[pair][i], &ends->futures[pair][i]), HEDDLE_OK);
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &right), HEDDLE_OK);
	CHECK_EQUAL(right, 2 * PAIRS * FUTURES);
	heddle_free(ends, sizeof(*ends));
}
