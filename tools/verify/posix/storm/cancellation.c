/*
 * Cancellation: a child waits in one of the functions that are cancellation points, with handlers; another thread
 * cancels it at some time. Its handlers run once each, the last one first, with the mutex of a condition held; and a
 * permit or a notification that came at the same time is not lost.
 */
#include "storm.h"

#include <semaphore.h>
#include <unistd.h>

/* What the children of a turn share. */
struct scene {
	pthread_mutex_t mutex;
	pthread_cond_t condition;
	sem_t semaphore;
	unsigned tokens;           /* under the mutex */
	_Atomic unsigned permits;  /* that children took */
	_Atomic unsigned handlers; /* that have run */
};

struct handled {
	struct scene *scene;
	bool unlocks;
	unsigned order; /* of those that have run; the first that was pushed is to be the last */
	bool joins;
	pthread_t sleeper;
	_Atomic bool sleeper_may_end;
};

static void end_sleeper(struct handled *handled)
{
	void *result = NULL;
	atomic_store(&handled->sleeper_may_end, true);
	CHECK(pthread_join(handled->sleeper, &result) == 0);
	CHECK(result == handled);
}

static void handle_inner(void *argument)
{
	struct handled *handled = argument;
	CHECK(handled->order == 0);
	handled->order = 1;
	if (handled->unlocks)
		CHECK(pthread_mutex_unlock(&handled->scene->mutex) == 0);
	if (handled->joins)
		end_sleeper(handled);
	atomic_fetch_add(&handled->scene->handlers, 1);
}

static void handle_outer(void *argument)
{
	struct handled *handled = argument;
	CHECK(handled->order == 1);
	handled->order = 2;
	atomic_fetch_add(&handled->scene->handlers, 1);
}

/* ------------------------------------------------------------------------------- what children wait for -- */

static void wait_for_condition(struct self *self, struct handled *handled)
{
	struct scene *scene = handled->scene;
	struct timespec time = far_away(CLOCK_REALTIME);
	OK(self, pthread_mutex_lock(&scene->mutex));
	handled->unlocks = true;
	for (;;)
		OK(self, draw(self, 2) ? pthread_cond_wait(&scene->condition, &scene->mutex)
		                       : pthread_cond_timedwait(&scene->condition, &scene->mutex, &time));
}

static void wait_for_semaphore(struct self *self, struct handled *handled)
{
	struct scene *scene = handled->scene;
	struct timespec time = far_away(CLOCK_REALTIME);
	int error;
	do
		error = GIVES(
		    self,
		    ERROR(draw(self, 2) ? sem_wait(&scene->semaphore) : sem_timedwait(&scene->semaphore, &time)), 0,
		    EINTR);
	while (error == EINTR);
	atomic_fetch_add(&scene->permits, 1);
}

static void wait_for_time(struct self *self, struct handled *handled)
{
	(void)handled;
	struct timespec time = {.tv_nsec = 200000};
	for (unsigned i = 0; i < 100000; i++)
		switch (draw(self, 4)) {
		case 0:
			usleep(200);
			break;
		case 1:
			nanosleep(&time, NULL);
			break;
		case 2:
			clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
			break;
		default:
			pthread_testcancel();
		}
}

static void *sleep_until_told(void *argument)
{
	struct handled *handled = argument;
	while (!atomic_load(&handled->sleeper_may_end))
		usleep(1000);
	return argument;
}

/* Its handler ends what it waits for. */
static void wait_for_thread(struct self *self, struct handled *handled)
{
	int old;
	OK(self, pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
	thread_begin(self, &handled->sleeper, NULL, sleep_until_told, handled);
	handled->joins = true;
	OK(self, pthread_setcancelstate(old, NULL));
	OK(self, pthread_join(handled->sleeper, NULL));
	CHECK(false);
}

/* It can come only in functions that change how it comes, with tasks; with the host's threads, anywhere. */
static void compute_asynchronously(struct self *self, struct handled *handled)
{
	(void)self, (void)handled;
	int old;
	volatile unsigned sum = 0;
	CHECK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old) == 0);
	for (unsigned i = 0; i < 400000000; i++) {
		sum += i;
		if (i % 1024 == 0)
			pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
	}
	CHECK(pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old) == 0);
}

/* It is not cancelled where that is disabled, and is right after. */
static void disable(struct self *self, struct handled *handled)
{
	int old;
	OK(self, pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
	CHECK(old == PTHREAD_CANCEL_ENABLE);
	handled->order = 100;
	usleep(draw(self, 500));
	pthread_testcancel();
	handled->order = 0;
	OK(self, pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
	wait_for_time(self, handled);
}

static void (*const waits[])(struct self *, struct handled *) = {
    wait_for_condition, wait_for_semaphore, wait_for_time, wait_for_thread, compute_asynchronously, disable};
#define WAITS (sizeof(waits) / sizeof(*waits))

static void *wait_to_be_cancelled(void *argument)
{
	struct child *child = argument;
	struct handled handled = {.scene = child->shared};
	struct handled *own = &handled;
	void (*wait)(struct self *, struct handled *) = waits[draw(&child->self, WAITS)];
	pthread_cleanup_push(handle_outer, own);
	pthread_cleanup_push(handle_inner, own);
	wait(&child->self, own);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return child;
}

static void scene_begin(struct self *self, struct scene *scene)
{
	*scene = (struct scene){0};
	OK(self, pthread_mutex_init(&scene->mutex, NULL));
	OK(self, pthread_cond_init(&scene->condition, NULL));
	OK(self, ERROR(sem_init(&scene->semaphore, 0, 0)));
}

static void scene_end(struct self *self, struct scene *scene)
{
	OK(self, pthread_mutex_destroy(&scene->mutex));
	OK(self, pthread_cond_destroy(&scene->condition));
	OK(self, ERROR(sem_destroy(&scene->semaphore)));
}

/* Returns whether it was cancelled. */
static bool end(struct self *self, struct child *child)
{
	void *result;
	OK(self, pthread_join(child->thread, &result));
	CHECK(result == child || result == PTHREAD_CANCELED);
	atomic_fetch_add(&storm.cancels, result == PTHREAD_CANCELED);
	return result == PTHREAD_CANCELED;
}

/* Permits come while children are cancelled: each was taken, or is left. */
static void cancel_children(struct self *self)
{
	struct child children[STORM_CHILDREN];
	unsigned count = 1 + draw(self, STORM_CHILDREN), cancelled = 0, posted = 0;
	struct scene *scene = malloc(sizeof(*scene));
	int left;
	scene_begin(self, scene);
	children_begin(self, children, count, wait_to_be_cancelled, scene);
	for (unsigned i = 0; i < count; i++) {
		dawdle(self);
		if (draw(self, 2)) {
			OK(self, ERROR(sem_post(&scene->semaphore)));
			posted++;
		}
		OK(self, pthread_cancel(children[i].thread));
	}
	for (unsigned i = 0; i < count; i++)
		cancelled += end(self, &children[i]);
	CHECK(scene->handlers == 2 * cancelled);
	OK(self, ERROR(sem_getvalue(&scene->semaphore, &left)));
	CHECK((unsigned)left + scene->permits == posted);
	scene_end(self, scene);
	free(scene);
}

/* ----------------------------------------------------------------------- a notification is not lost -- */

static void unlock(void *mutex)
{
	CHECK(pthread_mutex_unlock(mutex) == 0);
}

static void *take_token(void *argument)
{
	struct child *child = argument;
	struct self *self = &child->self;
	struct scene *scene = child->shared;
	OK(self, pthread_mutex_lock(&scene->mutex));
	pthread_cleanup_push(unlock, &scene->mutex);
	while (scene->tokens == 0)
		OK(self, pthread_cond_wait(&scene->condition, &scene->mutex));
	scene->tokens--;
	pthread_cleanup_pop(1);
	return child;
}

/* Two wait, one of them is cancelled, and there is one token and one notification: one of them ends with it. */
static void cancel_one_and_notify(struct self *self)
{
	struct child children[2];
	struct scene *scene = malloc(sizeof(*scene));
	scene_begin(self, scene);
	children_begin(self, children, 2, take_token, scene);
	dawdle(self);
	uint32_t first = draw(self, 2);
	if (first)
		OK(self, pthread_cancel(children[0].thread));
	OK(self, pthread_mutex_lock(&scene->mutex));
	scene->tokens++;
	OK(self, pthread_cond_signal(&scene->condition));
	OK(self, pthread_mutex_unlock(&scene->mutex));
	if (!first)
		OK(self, pthread_cancel(children[0].thread));
	if (!end(self, &children[0])) {
		OK(self, pthread_mutex_lock(&scene->mutex));
		scene->tokens++;
		OK(self, pthread_cond_signal(&scene->condition));
		OK(self, pthread_mutex_unlock(&scene->mutex));
	}
	CHECK(!end(self, &children[1]));
	CHECK(scene->tokens == 0);
	scene_end(self, scene);
	free(scene);
}

static void turn(struct self *self)
{
	worker_cancel(self);
	if (draw(self, 3))
		cancel_children(self);
	else
		cancel_one_and_notify(self);
}

const struct kind kind_cancellation = {.name = "cancellation", .weight = 6, .turn = turn};
