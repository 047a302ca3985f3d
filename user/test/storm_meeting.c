/*
 * Turns of the storm: a barrier for some, and an event that is set and reset. Both stop when the time is over.
 */
#include "heddle/barrier.h"
#include "heddle/event.h"
#include "user/test/storm.h"

#define PARTIES 2 /* so that one more task is enough for those that are left */

static struct barrier barrier;
static _Atomic uint64_t met, lasts;
static struct event event;

static bool prepare(void)
{
	barrier = (struct barrier)HEDDLE_BARRIER_INITIALIZER(PARTIES);
	event = (struct event)HEDDLE_EVENT_INITIALIZER;
	met = lasts = 0;
	return true;
}

static bool meet(struct storm_task *self, uint64_t deadline)
{
	bool last = false;
	if (!STORM_GIVES(STORM_CALL(self, barrier_wait_until(&barrier, &last, deadline)), storm_waits(deadline)))
		return false;
	atomic_fetch_add_explicit(&met, 1, memory_order_relaxed);
	atomic_fetch_add_explicit(&lasts, last, memory_order_relaxed);
	return true;
}

static void turn(struct storm_task *self)
{
	uint64_t deadline = storm_deadline(self);
	switch (storm_draw(self, 4)) {
	case 0:
		meet(self, deadline);
		break;
	case 1:
		STORM_GIVES(STORM_CALL(self, event_wait_until(&event, deadline)), storm_waits(deadline));
		break;
	case 2:
		STORM_OK(STORM_CALL(self, event_set(&event)));
		break;
	case 3:
		if (!atomic_load_explicit(&storm.over, memory_order_relaxed))
			STORM_OK(STORM_CALL(self, event_reset(&event)));
		break;
	}
}

/* One task may be left at the barrier. */
static void release(void)
{
	bool last = false;
	event_set(&event);
	if (barrier_wait_until(&barrier, &last, heddle_clock() + 1000000) == HEDDLE_OK) {
		atomic_fetch_add_explicit(&met, 1, memory_order_relaxed);
		atomic_fetch_add_explicit(&lasts, last, memory_order_relaxed);
	}
}

static void finish(void)
{
	STORM_CHECK(met == PARTIES * lasts);
	STORM_OK(barrier_destroy(&barrier));
	STORM_OK(event_destroy(&event));
}

const struct storm_kind storm_meeting = {
    .name = "meeting", .weight = 3, .prepare = prepare, .turn = turn, .release = release, .finish = finish};
