/*
 * pthread_once(): the function has returned before any of the calls has; one that was cancelled is called again.
 */
#include "storm.h"

#include <semaphore.h>
#include <unistd.h>

struct place {
	pthread_once_t once;
	unsigned calls;
	_Atomic bool cancels; /* the next call ends by cancellation */
	sem_t begun;
	_Atomic bool taken; /* by a turn */
};
static struct place places[4];

static void call(struct place *place)
{
	place->calls++;
	if (!atomic_exchange(&place->cancels, false))
		return;
	CHECK(sem_post(&place->begun) == 0);
	for (;;)
		usleep(1000000);
}

/* A function has no argument, so each place has its own. */
#define FUNCTION(number)            \
	static void call_##number(void) \
	{                               \
		call(&places[number]);      \
	}
FUNCTION(0)
FUNCTION(1)
FUNCTION(2)
FUNCTION(3)
static void (*const functions[])(void) = {call_0, call_1, call_2, call_3};
#define PLACES (sizeof(places) / sizeof(*places))
_Static_assert(sizeof(functions) / sizeof(*functions) == PLACES, "a function for each place");

static void *call_once_only(void *argument)
{
	struct child *child = argument;
	struct place *place = child->shared;
	dawdle(&child->self);
	OK(&child->self, pthread_once(&place->once, functions[place - places]));
	CHECK(place->calls >= 1);
	return child;
}

/* The first call is cancelled, and the next one begins anew. */
static void cancel_first(struct self *self, struct place *place)
{
	struct child child;
	void *result;
	place->cancels = true;
	children_begin(self, &child, 1, call_once_only, place);
	while (GIVES(self, ERROR(sem_wait(&place->begun)), 0, EINTR) != 0)
		continue;
	OK(self, pthread_cancel(child.thread));
	OK(self, pthread_join(child.thread, &result));
	CHECK(result == PTHREAD_CANCELED);
	atomic_fetch_add(&storm.cancels, 1);
}

static void turn(struct self *self)
{
	struct child children[STORM_CHILDREN];
	unsigned count = 1 + draw(self, STORM_CHILDREN);
	struct place *place = &places[draw(self, PLACES)];
	if (atomic_exchange(&place->taken, true))
		return;
	place->once = (pthread_once_t)PTHREAD_ONCE_INIT;
	place->calls = 0;
	OK(self, ERROR(sem_init(&place->begun, 0, 0)));
	bool cancels = draw(self, 4) == 0;
	if (cancels)
		cancel_first(self, place);
	children_begin(self, children, count, call_once_only, place);
	children_end(self, children, count);
	CHECK(place->calls == 1u + cancels);
	OK(self, ERROR(sem_destroy(&place->begun)));
	atomic_store(&place->taken, false);
}

const struct kind kind_once = {.name = "once", .weight = 2, .turn = turn};
