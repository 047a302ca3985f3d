/*
 * C11's threads: a turn's children share a mutex, a condition, a key and a function that is called once.
 */
#include "storm.h"

#include <threads.h>

#define ROUNDS 4

struct meeting {
	mtx_t mutex, recursive, timed;
	cnd_t changed;
	tss_t key;
	unsigned count, arrived; /* under the mutex; `count` children */
	_Atomic unsigned destroyed;
};

struct member {
	struct self self; /* first */
	struct meeting *meeting;
	thrd_t thread;
	int number;
};

static once_flag once = ONCE_FLAG_INIT;
static _Atomic unsigned once_calls;

static void count_once(void)
{
	atomic_fetch_add(&once_calls, 1);
}

static void destroy(void *value)
{
	struct member *member = value;
	atomic_fetch_add(&member->meeting->destroyed, 1);
}

static void use_recursive(struct self *self, mtx_t *mutex)
{
	GIVES(self, mtx_lock(mutex), thrd_success);
	GIVES(self, mtx_trylock(mutex), thrd_success);
	GIVES(self, mtx_unlock(mutex), thrd_success);
	GIVES(self, mtx_unlock(mutex), thrd_success);
}

static void use_timed(struct self *self, mtx_t *mutex)
{
	struct timespec time = soon(self, CLOCK_REALTIME);
	if (GIVES(self, mtx_timedlock(mutex, &time), thrd_success, thrd_timedout) == thrd_success) {
		dawdle(self);
		GIVES(self, mtx_unlock(mutex), thrd_success);
	}
}

/* All have arrived as often as it has. */
static void meet(struct member *member, unsigned round)
{
	struct self *self = &member->self;
	struct meeting *meeting = member->meeting;
	struct timespec time = soon(self, CLOCK_REALTIME);
	GIVES(self, mtx_lock(&meeting->mutex), thrd_success);
	if (++meeting->arrived % meeting->count == 0)
		GIVES(self, cnd_broadcast(&meeting->changed), thrd_success);
	while (meeting->arrived < round * meeting->count)
		if (draw(self, 2))
			GIVES(self, cnd_wait(&meeting->changed, &meeting->mutex), thrd_success);
		else
			GIVES(self, cnd_timedwait(&meeting->changed, &meeting->mutex, &time), thrd_success,
			      thrd_timedout);
	GIVES(self, mtx_unlock(&meeting->mutex), thrd_success);
}

static int attend(void *argument)
{
	struct member *member = argument;
	struct self *self = &member->self;
	call_once(&once, count_once);
	CHECK(atomic_load(&once_calls) == 1);
	CHECK(tss_get(member->meeting->key) == NULL);
	GIVES(self, tss_set(member->meeting->key, member), thrd_success);
	for (unsigned round = 1; round <= ROUNDS; round++) {
		meet(member, round);
		use_recursive(self, &member->meeting->recursive);
		use_timed(self, &member->meeting->timed);
		dawdle(self);
		thrd_yield();
	}
	CHECK(tss_get(member->meeting->key) == member);
	if (draw(self, 2))
		thrd_exit(member->number);
	return member->number;
}

static int live_alone(void *unused)
{
	(void)unused;
	atomic_fetch_sub(&storm.detached, 1);
	return 0;
}

static void make(struct self *self, thrd_t *thread, thrd_start_t function, void *argument)
{
	while (GIVES(self, thrd_create(thread, function, argument), thrd_success, thrd_nomem, thrd_error) !=
	       thrd_success)
		thrd_yield();
}

static void detach(struct self *self)
{
	thrd_t thread;
	atomic_fetch_add(&storm.detached, 1);
	make(self, &thread, live_alone, NULL);
	GIVES(self, thrd_detach(thread), thrd_success);
}

static void turn(struct self *self)
{
	struct member members[STORM_CHILDREN];
	struct meeting *meeting = calloc(1, sizeof(*meeting));
	meeting->count = 1 + draw(self, STORM_CHILDREN);
	GIVES(self, mtx_init(&meeting->mutex, mtx_plain), thrd_success);
	GIVES(self, mtx_init(&meeting->recursive, mtx_plain | mtx_recursive), thrd_success);
	GIVES(self, mtx_init(&meeting->timed, mtx_timed), thrd_success);
	GIVES(self, cnd_init(&meeting->changed), thrd_success);
	GIVES(self, tss_create(&meeting->key, destroy), thrd_success);
	for (unsigned i = 0; i < meeting->count; i++) {
		self_begin(&members[i].self, self->random + i);
		members[i].meeting = meeting;
		members[i].number = (int)draw(self, 100000) - 50000;
		make(self, &members[i].thread, attend, &members[i]);
	}
	detach(self);
	for (unsigned i = 0; i < meeting->count; i++) {
		int result;
		GIVES(self, thrd_join(members[i].thread, &result), thrd_success);
		CHECK(result == members[i].number);
	}
	CHECK(meeting->destroyed == meeting->count);
	cnd_destroy(&meeting->changed);
	mtx_destroy(&meeting->mutex);
	mtx_destroy(&meeting->recursive);
	mtx_destroy(&meeting->timed);
	tss_delete(meeting->key);
	scribble(meeting, sizeof(*meeting));
	free(meeting);
}

const struct kind kind_c11 = {.name = "c11", .weight = 2, .turn = turn};
