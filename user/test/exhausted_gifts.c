/*
 * Giving something up in an uncooperative section, while another processor serves the object, when there is no memory
 * for that: a task that cannot still holds it, and gives it up later.
 */
#include "heddle/condition.h"
#include "heddle/event.h"
#include "heddle/latch.h"
#include "heddle/mutex.h"
#include "heddle/semaphore.h"
#include "sync/serve.h"
#include "user/test/hoard.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

/* ----------------------------------------------------------------------------- no memory for requests -- */

enum { HOLD = 1, NOTE };

struct held {
	struct served served;
	_Atomic bool ended;
	unsigned noted;
};

/* In the serving task. */
static void step(struct served *served, struct request *request, struct granted *granted)
{
	struct held *held = (struct held *)served;
	while (request->operation == HOLD && !atomic_load(&held->ended))
		task_yield();
	held->noted += request->operation == NOTE;
	request_grant(request, HEDDLE_OK, granted);
}

static const struct serve_kind held_kind = {"held", step};

static enum heddle_error serve_until_ended(struct waiting *waiting)
{
	struct request request = {.operation = HOLD, .immediate = true};
	struct held *held = waiting->object;
	return serve(&held->served, &held_kind, &request, HEDDLE_NO_DEADLINE, true);
}

/* Leave up to `most` requests with the serving task, fewer if there is no memory for more. Returns how many. */
static unsigned take_requests(struct held *held, unsigned most)
{
	unsigned count = 0;
	enum heddle_error error;
	uncooperative_begin();
	do {
		struct request request = {.operation = NOTE, .immediate = true};
		error = serve(&held->served, &held_kind, &request, HEDDLE_NO_DEADLINE, true);
		count += error == HEDDLE_OK;
	} while (error == HEDDLE_OK && count < most);
	uncooperative_end();
	return count;
}

/* --------------------------------------------------------------------------------------- what is given -- */

static enum heddle_error release(struct waiting *waiting)
{
	return semaphore_release(waiting->object, 1);
}

static enum heddle_error notify(struct waiting *waiting)
{
	return condition_notify_one(waiting->object);
}

static enum heddle_error count_down(struct waiting *waiting)
{
	return latch_count_down(waiting->object, 1);
}

static enum heddle_error set(struct waiting *waiting)
{
	return event_set(waiting->object);
}

#define GIFTS 4

struct objects {
	struct semaphore semaphore;
	struct mutex monitor;
	struct condition condition;
	struct latch latch;
	struct event event;
	struct waiting takers[GIFTS], gifts[GIFTS];
	struct served *served[GIFTS];
};

/* Tasks that wait for something that is given up, each at another object. */
static enum heddle_error take(struct waiting *waiting)
{
	struct objects *objects = waiting->object;
	enum heddle_error error;
	switch (waiting->number) {
	case 0:
		return semaphore_acquire(&objects->semaphore, 1);
	case 1:
		mutex_lock(&objects->monitor);
		error = condition_wait(&objects->condition, &objects->monitor);
		return mutex_unlock(&objects->monitor) == HEDDLE_OK ? error : HEDDLE_NOT_OWNER;
	case 2:
		return latch_wait(&objects->latch);
	default:
		return event_wait(&objects->event);
	}
}

static bool objects_start(struct objects *objects)
{
	*objects = (struct objects){.latch = HEDDLE_LATCH_INITIALIZER(1),
	                            .gifts = {{.wait = release, .object = &objects->semaphore},
	                                      {.wait = notify, .object = &objects->condition},
	                                      {.wait = count_down, .object = &objects->latch},
	                                      {.wait = set, .object = &objects->event}},
	                            .served = {&objects->semaphore.served, &objects->condition.served,
	                                       &objects->latch.served, &objects->event.served}};
	bool started = true;
	for (size_t i = 0; i < GIFTS && started; i++) {
		objects->takers[i] = (struct waiting){.wait = take, .object = objects, .number = i, .bound = true};
		started = waiting_start(&objects->takers[i]);
	}
	return started;
}

/* In an uncooperative section, while another task serves: the object's word has 1 for it. */
static enum heddle_error give_while_served(struct objects *objects, size_t number)
{
	struct served *served = objects->served[number];
	atomic_store(&served->word, 1);
	enum heddle_error error = uncooperatively(&objects->gifts[number]);
	return atomic_exchange(&served->word, 0) == 1 ? error : HEDDLE_BAD_ARGUMENT;
}

/* -------------------------------------------------------------------------------------------- the test -- */

/* Bound to a processor that has no memory then. */
struct giver {
	struct objects objects;
	struct hoard hoard;
	unsigned refused, given;
	bool started, ended;
};

static enum heddle_error give_without_memory(struct waiting *waiting)
{
	struct giver *giver = waiting->object;
	struct held held = {0};
	struct waiting server = {.wait = serve_until_ended, .object = &held, .bound = true};
	giver->started = objects_start(&giver->objects) && waiting_create(&server);
	if (!giver->started)
		return HEDDLE_NO_MEMORY;
	while (atomic_load(&held.served.word) == 0)
		task_yield();
	unsigned taken = take_requests(&held, 1);
	hoard_fill(&giver->hoard);
	taken += take_requests(&held, UINT32_MAX);
	for (size_t i = 0; i < GIFTS; i++)
		giver->refused += give_while_served(&giver->objects, i) == HEDDLE_NO_MEMORY;
	for (size_t i = 0; i < GIFTS; i++)
		giver->given += uncooperatively(&giver->objects.gifts[i]) == HEDDLE_OK &&
		                waiting_end(&giver->objects.takers[i]) == HEDDLE_OK;
	hoard_empty(&giver->hoard);
	atomic_store(&held.ended, true);
	giver->ended = waiting_end(&server) == HEDDLE_OK && taken > 0 && held.noted == taken;
	return HEDDLE_OK;
}

TEST(exhausted, no_request)
{
	static struct giver giver;
	struct waiting waiting = {.wait = give_without_memory, .object = &giver, .bound = true};
	giver = (struct giver){0};
	CHECK(waiting_create(&waiting));
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK(giver.started);
	CHECK_EQUAL(giver.refused, GIFTS);
	CHECK_EQUAL(giver.given, GIFTS);
	CHECK(giver.ended);
}
