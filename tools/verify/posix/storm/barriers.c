/*
 * Barriers: children meet some times. Of those that meet one is told that it is the one; the last time, that thread
 * destroys the barrier at once, while the others may not have gone yet. A cancellation that is disabled changes
 * nothing.
 */
#include "storm.h"

#define MEETINGS 4

struct meeting {
	pthread_barrier_t barrier;
	unsigned parties, times;
	_Atomic unsigned arrived, serials;
};

static void *meet(void *argument)
{
	struct child *child = argument;
	struct meeting *meeting = child->shared;
	CHECK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL) == 0);
	unsigned parties = meeting->parties, times = meeting->times;
	for (unsigned time = 1; time <= times; time++) {
		dawdle(&child->self);
		atomic_fetch_add_explicit(&meeting->arrived, 1, memory_order_relaxed);
		bool last = GIVES(&child->self, pthread_barrier_wait(&meeting->barrier), 0,
		                  PTHREAD_BARRIER_SERIAL_THREAD) == PTHREAD_BARRIER_SERIAL_THREAD;
		CHECK(atomic_load_explicit(&meeting->arrived, memory_order_relaxed) >= time * parties);
		if (last)
			atomic_fetch_add_explicit(&meeting->serials, 1, memory_order_relaxed);
		if (last && time == times) {
			OK(&child->self, pthread_barrier_destroy(&meeting->barrier));
			scribble(&meeting->barrier, sizeof(meeting->barrier));
		}
	}
	return child;
}

static void turn(struct self *self)
{
	struct child children[STORM_CHILDREN];
	struct meeting *meeting = calloc(1, sizeof(*meeting));
	bool cancels = draw(self, 2);
	meeting->parties = 1 + draw(self, STORM_CHILDREN);
	meeting->times = 1 + draw(self, MEETINGS);
	OK(self, pthread_barrier_init(&meeting->barrier, NULL, meeting->parties));
	children_begin(self, children, meeting->parties, meet, meeting);
	for (unsigned i = 0; i < meeting->parties && cancels; i++)
		OK(self, pthread_cancel(children[i].thread));
	children_end(self, children, meeting->parties);
	CHECK(meeting->serials == meeting->times);
	CHECK(meeting->arrived == meeting->times * meeting->parties);
	free(meeting);
}

const struct kind kind_barriers = {.name = "barriers", .weight = 3, .turn = turn};
