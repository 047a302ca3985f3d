/*
 * Semaphores: as many threads inside as there are permits; a semaphore that the thread destroys which has taken its
 * last permit; and such as have a name.
 */
#include "storm.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

#define PERMITS 3

static sem_t permits;
static sem_t *named;
static char name[40];
static _Atomic unsigned inside, inside_named;
static _Atomic unsigned names; /* made so far */

static void prepare(void)
{
	CHECK(sem_init(&permits, 0, PERMITS) == 0);
	snprintf(name, sizeof(name), "/heddle-storm-%d", (int)getpid());
	named = sem_open(name, O_CREAT | O_EXCL, 0600, 1);
	CHECK(named != SEM_FAILED);
}

static bool acquire(struct self *self, sem_t *semaphore)
{
	clockid_t clock = any_clock(self);
	struct timespec time;
	int result;
	uint32_t way = draw(self, storm.clocks ? 5 : 4);
	do {
		switch (way) {
		case 0:
			result = GIVES(self, ERROR(sem_trywait(semaphore)), 0, EAGAIN, EINTR);
			break;
		case 1:
			time = soon(self, CLOCK_REALTIME);
			result = GIVES(self, ERROR(sem_timedwait(semaphore, &time)), 0, ETIMEDOUT, EINTR);
			break;
		case 4:
			time = soon(self, clock);
			result = GIVES(self, ERROR(sem_clockwait(semaphore, clock, &time)), 0, ETIMEDOUT, EINTR);
			break;
		default:
			result = GIVES(self, ERROR(sem_wait(semaphore)), 0, EINTR);
		}
	} while (result == EINTR);
	return result == 0;
}

static void use(struct self *self, sem_t *semaphore, _Atomic unsigned *there, unsigned limit)
{
	if (!acquire(self, semaphore))
		return;
	CHECK(atomic_fetch_add_explicit(there, 1, memory_order_relaxed) < limit);
	dawdle(self);
	atomic_fetch_sub_explicit(there, 1, memory_order_relaxed);
	OK(self, ERROR(sem_post(semaphore)));
}

/* ------------------------------------------------------------------------------------ posted by children -- */

static void *post(void *argument)
{
	struct child *child = argument;
	dawdle(&child->self);
	OK(&child->self, ERROR(sem_post(child->shared)));
	return child;
}

static void wait_for_all(struct self *self, sem_t *semaphore, unsigned count)
{
	for (unsigned i = 0; i < count; i++)
		while (!acquire(self, semaphore))
			continue;
	GIVES(self, ERROR(sem_trywait(semaphore)), EAGAIN);
}

/* The poster may not have gone yet when the semaphore is destroyed. */
static void await_children(struct self *self)
{
	struct child children[STORM_CHILDREN];
	unsigned count = 1 + draw(self, STORM_CHILDREN);
	sem_t *semaphore = malloc(sizeof(*semaphore));
	OK(self, ERROR(sem_init(semaphore, 0, 0)));
	children_begin(self, children, count, post, semaphore);
	wait_for_all(self, semaphore, count);
	OK(self, ERROR(sem_destroy(semaphore)));
	scribble(semaphore, sizeof(*semaphore));
	free(semaphore);
	children_end(self, children, count);
}

static void *post_by_name(void *argument)
{
	struct child *child = argument;
	sem_t *semaphore = sem_open(child->shared, 0);
	CHECK(semaphore != SEM_FAILED);
	dawdle(&child->self);
	OK(&child->self, ERROR(sem_post(semaphore)));
	OK(&child->self, ERROR(sem_close(semaphore)));
	return child;
}

static void await_by_name(struct self *self)
{
	struct child children[2];
	char own[60];
	snprintf(own, sizeof(own), "%s-%u", name, atomic_fetch_add(&names, 1));
	sem_t *semaphore = sem_open(own, O_CREAT | O_EXCL, 0600, 0);
	CHECK(semaphore != SEM_FAILED);
	CHECK(sem_open(own, O_CREAT | O_EXCL, 0600, 0) == SEM_FAILED && errno == EEXIST);
	children_begin(self, children, 2, post_by_name, own);
	wait_for_all(self, semaphore, 2);
	children_end(self, children, 2);
	OK(self, ERROR(sem_unlink(own)));
	CHECK(sem_open(own, 0) == SEM_FAILED && errno == ENOENT);
	OK(self, ERROR(sem_post(semaphore)));
	OK(self, ERROR(sem_close(semaphore)));
}

static void turn(struct self *self)
{
	switch (draw(self, 16)) {
	case 0:
		await_children(self);
		break;
	case 1:
		await_by_name(self);
		break;
	case 2:
	case 3:
	case 4:
		use(self, named, &inside_named, 1);
		break;
	default:
		use(self, &permits, &inside, PERMITS);
	}
}

static void finish(void)
{
	int value;
	CHECK(sem_getvalue(&permits, &value) == 0 && value == PERMITS);
	CHECK(sem_destroy(&permits) == 0);
	CHECK(sem_getvalue(named, &value) == 0 && value == 1);
	CHECK(sem_unlink(name) == 0 && sem_close(named) == 0);
}

const struct kind kind_semaphores = {
    .name = "semaphores", .weight = 15, .prepare = prepare, .turn = turn, .finish = finish};
