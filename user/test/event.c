/* The event: set and reset, and no task waits for an event that is set. */
#include "heddle/event.h"

#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

static enum heddle_error await(struct waiting *waiting)
{
	return event_wait_until(waiting->object, waiting->deadline);
}

static enum heddle_error set(struct waiting *waiting)
{
	return event_set(waiting->object);
}

static enum heddle_error reset(struct waiting *waiting)
{
	return event_reset(waiting->object);
}

TEST(event, set_and_reset)
{
	struct event event = HEDDLE_EVENT_INITIALIZER;
	struct waiting waiting[4];
	CHECK(!event_is_set(&event));
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 4; i++) {
			waiting[i] = (struct waiting){.wait = await,
			                              .object = &event,
			                              .deadline = HEDDLE_NO_DEADLINE,
			                              .priority = HEDDLE_PRIORITY_IDLE + (int)i,
			                              .bound = i % 2,
			                              .processor = i};
			CHECK(waiting_start(&waiting[i]));
		}
		CHECK_EQUAL(event_reset(&event), HEDDLE_OK);
		for (unsigned i = 0; i < 4; i++)
			CHECK(task_waits(waiting[i].task));
		CHECK_EQUAL(event_set(&event), HEDDLE_OK);
		CHECK_EQUAL(event_set(&event), HEDDLE_OK);
		CHECK(event_is_set(&event));
		for (unsigned i = 0; i < 4; i++)
			CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
		CHECK_EQUAL(event_wait(&event), HEDDLE_OK);
		CHECK_EQUAL(event_wait_until(&event, 0), HEDDLE_OK);
		CHECK_EQUAL(event_reset(&event), HEDDLE_OK);
		CHECK(!event_is_set(&event));
	}
	CHECK_EQUAL(event_destroy(&event), HEDDLE_OK);
}

TEST(event, deadlines)
{
	struct event event = HEDDLE_EVENT_INITIALIZER;
	struct waiting soon = {.wait = await, .object = &event, .deadline = after(3)};
	struct waiting late = {.wait = await, .object = &event, .deadline = after(1000000)};
	CHECK_EQUAL(event_wait_until(&event, 1), HEDDLE_TIMED_OUT);
	CHECK(waiting_create(&soon));
	CHECK(waiting_start(&late));
	CHECK_EQUAL(waiting_end(&soon), HEDDLE_TIMED_OUT);
	CHECK(heddle_clock() >= soon.deadline);
	CHECK_EQUAL(event_set(&event), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&late), HEDDLE_OK);
	CHECK_EQUAL(event_destroy(&event), HEDDLE_OK);
}

TEST(event, uncooperative_regions)
{
	struct event event = HEDDLE_EVENT_INITIALIZER;
	struct waiting inside = {.wait = await, .object = &event, .deadline = HEDDLE_NO_DEADLINE};
	struct waiting waiting = inside;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_UNCOOPERATIVE);
	CHECK(waiting_start(&waiting));
	inside.wait = set;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	inside.wait = await;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	inside.wait = reset;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK(!event_is_set(&event));
	CHECK_EQUAL(event_destroy(&event), HEDDLE_OK);
}

/* A debug build panics: user/demo/misbehave.c. */
#ifndef HEDDLE_DEBUG
TEST(event, destroyed_in_use)
{
	struct event event = HEDDLE_EVENT_INITIALIZER;
	struct waiting waiting = {.wait = await, .object = &event, .deadline = HEDDLE_NO_DEADLINE};
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(event_destroy(&event), HEDDLE_IN_USE);
	CHECK_EQUAL(event_set(&event), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(event_destroy(&event), HEDDLE_OK);
}
#endif

/* Returns how often it was told to wait. */
static intptr_t wait_in_vain(size_t number, void *argument)
{
	struct event *event = argument;
	intptr_t wrong = 0;
	for (unsigned i = 0; i < 500; i++)
		wrong += event_wait_until(event, number % 2 ? 0 : HEDDLE_NO_DEADLINE) != HEDDLE_OK;
	return wrong;
}

/* However many come at once, also with a deadline in the past. */
TEST(event, that_is_set_is_not_waited_for)
{
	struct event event = HEDDLE_EVENT_INITIALIZER;
	struct crew crew = {.function = wait_in_vain, .argument = &event, .count = 16};
	intptr_t wrong = 0;
	CHECK_EQUAL(event_set(&event), HEDDLE_OK);
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &wrong), HEDDLE_OK);
	CHECK_EQUAL(wrong, 0);
}

/* ----------------------------------------------------------------------------------------- ping-pong -- */

#define TURNS 300

/* Two tasks take turns by two events; others wait for the same events with deadlines that pass. */
struct game {
	struct event events[2];
	_Atomic unsigned turn, wrong;
	_Atomic bool over;
};

static intptr_t play(size_t number, void *argument)
{
	struct game *game = argument;
	if (number >= 2) {
		while (!atomic_load(&game->over))
			event_wait_until(&game->events[number % 2], heddle_clock() + 20000);
		return 1;
	}
	for (unsigned turn = (unsigned)number; turn < TURNS; turn += 2) {
		if (event_wait(&game->events[number]) != HEDDLE_OK || event_reset(&game->events[number]) != HEDDLE_OK)
			atomic_fetch_add(&game->wrong, 1);
		if (atomic_fetch_add(&game->turn, 1) != turn)
			atomic_fetch_add(&game->wrong, 1);
		if (event_set(&game->events[1 - number]) != HEDDLE_OK)
			atomic_fetch_add(&game->wrong, 1);
	}
	atomic_store(&game->over, true);
	return 1;
}

TEST(event, ping_pong)
{
	for (int bound = 0; bound <= 1; bound++) {
		struct game game = {.events = {HEDDLE_EVENT_INITIALIZER, HEDDLE_EVENT_INITIALIZER}};
		struct crew crew = {.function = play, .argument = &game, .count = 6, .bound = bound};
		intptr_t done = 0;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(event_set(&game.events[0]), HEDDLE_OK);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, 6);
		CHECK_EQUAL(atomic_load(&game.turn), TURNS);
		CHECK_EQUAL(atomic_load(&game.wrong), 0);
		CHECK_EQUAL(event_destroy(&game.events[0]), HEDDLE_OK);
		CHECK_EQUAL(event_destroy(&game.events[1]), HEDDLE_OK);
	}
}
