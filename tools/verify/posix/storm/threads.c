/*
 * Threads that begin, end, are joined in all ways, or detached; with stacks of several sizes.
 */
#include "storm.h"

#include <stdio.h>
#include <unistd.h>

/* Use some of the stack. */
static unsigned go_deep(unsigned depth)
{
	volatile char bytes[512];
	memset((char *)bytes, (int)depth, sizeof(bytes));
	return depth == 0 ? 0 : go_deep(depth - 1) + (bytes[100] == (char)depth);
}

static void *live(void *argument)
{
	struct child *child = argument;
	CHECK(pthread_equal(pthread_self(), pthread_self()));
	dawdle(&child->self);
	CHECK(go_deep(12) == 12);
	if (draw(&child->self, 2))
		pthread_exit(child);
	return child;
}

static void join(struct self *self, pthread_t thread, void *wanted)
{
	struct timespec time = far_away(CLOCK_REALTIME);
	void *result = NULL;
	switch (draw(self, 5)) {
	case 0:
		while (GIVES(self, pthread_tryjoin_np(thread, &result), 0, EBUSY) == EBUSY)
			usleep(100);
		break;
	case 1:
		OK(self, pthread_timedjoin_np(thread, &result, &time));
		break;
	case 2:
		do
			time = soon(self, CLOCK_REALTIME);
		while (GIVES(self, pthread_timedjoin_np(thread, &result, &time), 0, ETIMEDOUT) == ETIMEDOUT);
		break;
	default:
		OK(self, pthread_join(thread, &result));
	}
	CHECK(result == wanted);
}

static void *live_and_beget(void *argument)
{
	struct child *child = argument, grandchild;
	self_begin(&grandchild.self, child->self.random);
	thread_begin(&child->self, &grandchild.thread, NULL, live, &grandchild);
	dawdle(&child->self);
	join(&child->self, grandchild.thread, &grandchild);
	return child;
}

static void join_children(struct self *self)
{
	static const size_t sizes[] = {32768, 65536, 300000, 1 << 20, 3 << 20};
	struct child children[STORM_CHILDREN];
	unsigned count = 1 + draw(self, STORM_CHILDREN);
	pthread_attr_t attributes;
	OK(self, pthread_attr_init(&attributes));
	OK(self, pthread_attr_setstacksize(&attributes, sizes[draw(self, 5)]));
	for (unsigned i = 0; i < count; i++) {
		self_begin(&children[i].self, self->random + i);
		thread_begin(self, &children[i].thread, draw(self, 2) ? &attributes : NULL,
		             draw(self, 4) ? live : live_and_beget, &children[i]);
	}
	OK(self, pthread_attr_destroy(&attributes));
	for (unsigned i = 0; i < count; i++)
		join(self, children[i].thread, &children[i]);
}

/* ---------------------------------------------------------------------------------------------- detached -- */

static void *live_alone(void *argument)
{
	struct child *child = argument;
	dawdle(&child->self);
	if (child->number)
		CHECK(pthread_detach(pthread_self()) == 0);
	free(child);
	atomic_fetch_sub(&storm.detached, 1);
	return NULL;
}

/* Detached from the beginning, by itself, or by its creator. */
static void detach(struct self *self)
{
	struct child *child = calloc(1, sizeof(*child));
	pthread_attr_t attributes;
	pthread_t thread;
	uint32_t way = draw(self, 3);
	self_begin(&child->self, self->random);
	child->number = way == 1;
	atomic_fetch_add(&storm.detached, 1);
	OK(self, pthread_attr_init(&attributes));
	OK(self, pthread_attr_setdetachstate(&attributes,
	                                     way == 0 ? PTHREAD_CREATE_DETACHED : PTHREAD_CREATE_JOINABLE));
	thread_begin(self, &thread, &attributes, live_alone, child);
	OK(self, pthread_attr_destroy(&attributes));
	if (way == 2)
		OK(self, pthread_detach(thread));
}

static void turn(struct self *self)
{
	if (draw(self, 2))
		join_children(self);
	else
		detach(self);
}

const struct kind kind_threads = {.name = "threads", .weight = 4, .turn = turn};
