/*
 * Robust mutexes. Threads end holding them: of all that lock such a mutex after that, exactly one is told so. What is
 * not repaired is lost for all. What a thread that has ended held is not held by a later one in its place.
 */
#include "storm.h"

#define MUTEXES 4

struct robust {
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	int type;
	bool died;        /* its last holder ended with it, and nobody was told */
	uint64_t entries; /* under the mutex */
	_Atomic uint64_t entered;
};
static struct robust robust[MUTEXES];

static void begin(struct robust *one, int type)
{
	pthread_mutexattr_t attributes;
	*one = (struct robust){.type = type};
	CHECK(pthread_mutexattr_init(&attributes) == 0);
	CHECK(pthread_mutexattr_settype(&attributes, type) == 0);
	CHECK(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
	CHECK(pthread_mutex_init(&one->mutex, &attributes) == 0);
	CHECK(pthread_mutexattr_destroy(&attributes) == 0);
	CHECK(pthread_cond_init(&one->changed, NULL) == 0);
}

static void end(struct robust *one)
{
	CHECK(one->entries == atomic_load(&one->entered));
	CHECK(pthread_mutex_destroy(&one->mutex) == 0);
	CHECK(pthread_cond_destroy(&one->changed) == 0);
}

static void prepare(void)
{
	static const int types[] = {PTHREAD_MUTEX_NORMAL, PTHREAD_MUTEX_ERRORCHECK, PTHREAD_MUTEX_RECURSIVE};
	for (unsigned i = 0; i < MUTEXES; i++)
		begin(&robust[i], types[i % 3]);
}

/* The thread has got the mutex with that result. */
static void entered(struct robust *one, int result)
{
	CHECK(one->died == (result == EOWNERDEAD));
	one->died = false;
	if (result == EOWNERDEAD)
		CHECK(pthread_mutex_consistent(&one->mutex) == 0);
	one->entries++;
	atomic_fetch_add_explicit(&one->entered, 1, memory_order_relaxed);
}

static bool lock(struct self *self, struct robust *one)
{
	struct timespec time;
	int result;
	switch (draw(self, 4)) {
	case 0:
		result = GIVES(self, pthread_mutex_trylock(&one->mutex), 0, EBUSY, EOWNERDEAD);
		break;
	case 1:
		time = soon(self, CLOCK_REALTIME);
		result = GIVES(self, pthread_mutex_timedlock(&one->mutex, &time), 0, ETIMEDOUT, EOWNERDEAD);
		break;
	default:
		result = GIVES(self, pthread_mutex_lock(&one->mutex), 0, EOWNERDEAD);
	}
	if (result == EBUSY || result == ETIMEDOUT)
		return false;
	entered(one, result);
	return true;
}

static void use(struct self *self, struct robust *one)
{
	if (!lock(self, one))
		return;
	dawdle(self);
	if (draw(self, 4) == 0) {
		struct timespec time = soon(self, CLOCK_REALTIME);
		one->entries--;
		atomic_fetch_sub_explicit(&one->entered, 1, memory_order_relaxed);
		entered(one, GIVES(self, pthread_cond_timedwait(&one->changed, &one->mutex, &time), 0, ETIMEDOUT,
		                   EOWNERDEAD) == EOWNERDEAD
		                 ? EOWNERDEAD
		                 : 0);
	}
	OK(self, pthread_cond_signal(&one->changed));
	OK(self, pthread_mutex_unlock(&one->mutex));
}

/* ----------------------------------------------------------------------------------------------- deaths -- */

static void *die(void *argument)
{
	struct child *child = argument;
	struct self *self = &child->self;
	struct robust *one = child->shared;
	if (!lock(self, one))
		return child;
	if (one->type == PTHREAD_MUTEX_RECURSIVE && draw(self, 2))
		OK(self, pthread_mutex_lock(&one->mutex));
	dawdle(self);
	one->died = true;
	atomic_fetch_add_explicit(&storm.deaths, 1, memory_order_relaxed);
	if (draw(self, 2))
		pthread_exit(child);
	return child;
}

/* Right after it, another thread begins, perhaps in its place: it holds nothing. */
static void *hold_nothing(void *argument)
{
	struct child *child = argument;
	struct robust *one = child->shared;
	if (one->type != PTHREAD_MUTEX_NORMAL)
		GIVES(&child->self, pthread_mutex_unlock(&one->mutex), EPERM);
	use(&child->self, one);
	return child;
}

static void let_die(struct self *self, struct robust *one)
{
	struct child children[2];
	children_begin(self, children, 1, die, one);
	bool joins_first = draw(self, 2);
	if (joins_first)
		children_end(self, children, 1);
	children_begin(self, children + 1, 1, hold_nothing, one);
	children_end(self, children + joins_first, 2 - joins_first);
}

/* ------------------------------------------------------------------------------------------------- lost -- */

static void *find_lost(void *argument)
{
	struct child *child = argument;
	struct robust *one = child->shared;
	if (child->number == 0) {
		OK(&child->self, pthread_mutex_lock(&one->mutex));
		return child;
	}
	dawdle(&child->self);
	int result = GIVES(&child->self, pthread_mutex_lock(&one->mutex), 0, EOWNERDEAD, ENOTRECOVERABLE);
	if (result == EOWNERDEAD)
		one->entries++;
	if (result != ENOTRECOVERABLE)
		OK(&child->self, pthread_mutex_unlock(&one->mutex));
	return child;
}

/* One child ends with the mutex; the first of the others unlocks it as it is, and so all later ones get it no more. */
static void lose(struct self *self)
{
	struct child children[4];
	struct robust one;
	begin(&one, PTHREAD_MUTEX_NORMAL);
	children_begin(self, children, 1, find_lost, &one);
	children_end(self, children, 1);
	for (unsigned i = 1; i < 4; i++) {
		self_begin(&children[i].self, self->random + i);
		children[i].number = i;
		children[i].shared = &one;
		thread_begin(self, &children[i].thread, NULL, find_lost, &children[i]);
	}
	children_end(self, children + 1, 3);
	CHECK(one.entries == 1);
	GIVES(self, pthread_mutex_lock(&one.mutex), ENOTRECOVERABLE);
	CHECK(pthread_mutex_destroy(&one.mutex) == 0);
	CHECK(pthread_cond_destroy(&one.changed) == 0);
}

static void turn(struct self *self)
{
	struct robust *one = &robust[draw(self, MUTEXES)];
	switch (draw(self, 8)) {
	case 0:
	case 1:
		let_die(self, one);
		break;
	case 2:
		lose(self);
		break;
	default:
		use(self, one);
	}
}

static void finish(void)
{
	for (unsigned i = 0; i < MUTEXES; i++) {
		int result = pthread_mutex_lock(&robust[i].mutex);
		CHECK(result == 0 || result == EOWNERDEAD);
		entered(&robust[i], result);
		CHECK(pthread_mutex_unlock(&robust[i].mutex) == 0);
		end(&robust[i]);
	}
}

const struct kind kind_robust = {
    .name = "robust", .weight = 8, .prepare = prepare, .turn = turn, .finish = finish};
