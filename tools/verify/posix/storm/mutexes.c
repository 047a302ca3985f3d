/*
 * Mutexes of all types that any thread may use, locked in all ways, some at a time; and objects that the last of their
 * users destroys and frees as soon as it has unlocked their mutex.
 */
#include "storm.h"

#define MUTEXES 8
#define DEPTH   3 /* of recursion */
#define NESTED  3

static struct shared {
	pthread_mutex_t mutex;
	int type;
	_Atomic(struct self *) inside;
	uint64_t entries; /* under the mutex */
	_Atomic uint64_t entered;
} shared[MUTEXES];

static void prepare(void)
{
	static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_RECURSIVE,
	                            PTHREAD_MUTEX_DEFAULT};
	for (unsigned i = 0; i < MUTEXES; i++) {
		pthread_mutexattr_t attributes;
		shared[i].type = types[i % 4];
		CHECK(pthread_mutexattr_init(&attributes) == 0);
		CHECK(pthread_mutexattr_settype(&attributes, shared[i].type) == 0);
		CHECK(pthread_mutex_init(&shared[i].mutex, &attributes) == 0);
		CHECK(pthread_mutexattr_destroy(&attributes) == 0);
	}
}

static bool lock(struct self *self, pthread_mutex_t *mutex)
{
	clockid_t clock = any_clock(self);
	struct timespec time;
	switch (draw(self, storm.clocks ? 5 : 4)) {
	case 0:
		return GIVES(self, pthread_mutex_trylock(mutex), 0, EBUSY) == 0;
	case 1:
		time = soon(self, CLOCK_REALTIME);
		return GIVES(self, pthread_mutex_timedlock(mutex, &time), 0, ETIMEDOUT) == 0;
	case 4:
		time = soon(self, clock);
		return GIVES(self, pthread_mutex_clocklock(mutex, clock, &time), 0, ETIMEDOUT) == 0;
	default:
		return OK(self, pthread_mutex_lock(mutex)) == 0;
	}
}

/* The caller holds it; what its type says of a further lock. */
static void lock_again(struct self *self, struct shared *one)
{
	pthread_mutex_t *mutex = &one->mutex;
	if (one->type == PTHREAD_MUTEX_RECURSIVE) {
		unsigned depth = draw(self, DEPTH);
		for (unsigned i = 0; i < depth; i++)
			OK(self, draw(self, 2) ? pthread_mutex_lock(mutex) : pthread_mutex_trylock(mutex));
		dawdle(self);
		for (unsigned i = 0; i < depth; i++)
			OK(self, pthread_mutex_unlock(mutex));
	} else if (draw(self, 2)) {
		GIVES(self, pthread_mutex_trylock(mutex), EBUSY);
	} else if (one->type == PTHREAD_MUTEX_ERRORCHECK) {
		struct timespec time = far_away(CLOCK_REALTIME);
		GIVES(self, draw(self, 2) ? pthread_mutex_lock(mutex) : pthread_mutex_timedlock(mutex, &time),
		      EDEADLK);
	}
}

/* Only mutexes of greater numbers are locked by a holder, so that none waits for itself. */
static void use(struct self *self, unsigned from, unsigned nested)
{
	struct shared *one = &shared[from + draw(self, MUTEXES - from)];
	if (!lock(self, &one->mutex)) {
		if (one->type == PTHREAD_MUTEX_ERRORCHECK || one->type == PTHREAD_MUTEX_RECURSIVE)
			GIVES(self, pthread_mutex_unlock(&one->mutex), EPERM);
		return;
	}
	CHECK(atomic_exchange_explicit(&one->inside, self, memory_order_relaxed) == NULL);
	one->entries++;
	atomic_fetch_add_explicit(&one->entered, 1, memory_order_relaxed);
	dawdle(self);
	lock_again(self, one);
	if (nested > 0 && one + 1 < shared + MUTEXES)
		use(self, (unsigned)(one - shared) + 1, nested - 1);
	CHECK(atomic_exchange_explicit(&one->inside, NULL, memory_order_relaxed) == self);
	OK(self, pthread_mutex_unlock(&one->mutex));
}

/* ------------------------------------------------------------------------------- freed by its last user -- */

struct counted {
	pthread_mutex_t mutex;
	unsigned users;
};

static void drop(struct self *self, struct counted *counted)
{
	OK(self, pthread_mutex_lock(&counted->mutex));
	bool last = --counted->users == 0;
	OK(self, pthread_mutex_unlock(&counted->mutex));
	if (!last)
		return;
	OK(self, pthread_mutex_destroy(&counted->mutex));
	scribble(counted, sizeof(*counted));
	free(counted);
}

static void *drop_later(void *argument)
{
	struct child *child = argument;
	dawdle(&child->self);
	drop(&child->self, child->shared);
	return child;
}

static void use_counted(struct self *self)
{
	struct child children[STORM_CHILDREN];
	unsigned count = 1 + draw(self, STORM_CHILDREN);
	struct counted *counted = malloc(sizeof(*counted));
	*counted = (struct counted){PTHREAD_MUTEX_INITIALIZER, count + 1};
	children_begin(self, children, count, drop_later, counted);
	drop(self, counted);
	children_end(self, children, count);
}

static void turn(struct self *self)
{
	if (draw(self, 20) == 0)
		use_counted(self);
	else
		use(self, 0, draw(self, NESTED));
}

static void finish(void)
{
	for (unsigned i = 0; i < MUTEXES; i++) {
		CHECK(shared[i].entries == atomic_load(&shared[i].entered));
		CHECK(pthread_mutex_destroy(&shared[i].mutex) == 0);
	}
}

const struct kind kind_mutexes = {
    .name = "mutexes", .weight = 20, .prepare = prepare, .turn = turn, .finish = finish};
