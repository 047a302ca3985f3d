/*
 * Conditions that are destroyed right after their last waiters were notified, as POSIX allows: a list of elements, each
 * with a condition of its own, as in the rationale of pthread_cond_destroy(). A thread that finds a busy element waits
 * for it; the thread that uses one removes it, wakes them all, and frees it, while they may not have gone yet.
 */
#include "storm.h"

#define KEYS 4

struct element {
	pthread_cond_t not_busy;
	bool busy;
	uint64_t uses; /* while it is busy */
};

static pthread_mutex_t list_mutex = PTHREAD_MUTEX_INITIALIZER;
static struct element *list[KEYS]; /* NULL: there is none of that key */

/* Under the mutex. */
static struct element *element_make(void)
{
	struct element *element = malloc(sizeof(*element));
	element->busy = false;
	element->uses = 0;
	CHECK(pthread_cond_init(&element->not_busy, NULL) == 0);
	return element;
}

/* Also a wait whose time is over has nothing to do with a condition that was destroyed since. */
static void wait(struct self *self, pthread_cond_t *not_busy)
{
	struct timespec time = soon(self, CLOCK_REALTIME);
	if (draw(self, 2))
		OK(self, pthread_cond_wait(not_busy, &list_mutex));
	else
		GIVES(self, pthread_cond_timedwait(not_busy, &list_mutex, &time), 0, ETIMEDOUT);
}

static struct element *take(struct self *self, unsigned key)
{
	OK(self, pthread_mutex_lock(&list_mutex));
	while (list[key] && list[key]->busy)
		wait(self, &list[key]->not_busy);
	if (!list[key])
		list[key] = element_make();
	struct element *element = list[key];
	element->busy = true;
	OK(self, pthread_mutex_unlock(&list_mutex));
	return element;
}

static void give_back(struct self *self, struct element *element)
{
	OK(self, pthread_mutex_lock(&list_mutex));
	CHECK(element->busy);
	element->busy = false;
	OK(self,
	   draw(self, 2) ? pthread_cond_signal(&element->not_busy) : pthread_cond_broadcast(&element->not_busy));
	OK(self, pthread_mutex_unlock(&list_mutex));
}

static void delete (struct self *self, unsigned key)
{
	struct element *element = list[key]; /* this thread has made it busy: nobody changes that */
	OK(self, pthread_mutex_lock(&list_mutex));
	CHECK(list[key] == element && element->busy);
	list[key] = NULL;
	element->busy = false;
	OK(self, pthread_cond_broadcast(&element->not_busy));
	OK(self, pthread_mutex_unlock(&list_mutex));
	OK(self, pthread_cond_destroy(&element->not_busy));
	scribble(element, sizeof(*element));
	free(element);
}

static void turn(struct self *self)
{
	unsigned key = draw(self, KEYS);
	struct element *element = take(self, key);
	uint64_t uses = element->uses;
	dawdle(self);
	CHECK(element->uses == uses);
	element->uses++;
	if (draw(self, 2))
		delete (self, key);
	else
		give_back(self, element);
}

static void finish(void)
{
	for (unsigned key = 0; key < KEYS; key++)
		if (list[key]) {
			CHECK(!list[key]->busy);
			CHECK(pthread_cond_destroy(&list[key]->not_busy) == 0);
			free(list[key]);
		}
	CHECK(pthread_mutex_destroy(&list_mutex) == 0);
}

const struct kind kind_list = {.name = "list", .weight = 12, .turn = turn, .finish = finish};
