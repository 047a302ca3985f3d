/*
 * Turns of the storm: a group of tasks that meet at their own objects, of every kind, without deadlines. The last one
 * to make its last call destroys the objects and frees their memory. That memory is set aside for a while, so that a
 * late write is detected.
 */
#include <string.h>

#include "heddle/barrier.h"
#include "heddle/channel.h"
#include "heddle/condition.h"
#include "heddle/event.h"
#include "heddle/future.h"
#include "heddle/latch.h"
#include "heddle/mcs_lock.h"
#include "heddle/mrqd_lock.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "user/test/storm.h"

#define CHILDREN 4
#define MESSAGES 6
#define SLOTS    4
#define VALUE    4711
#define OVER     0xa5
#define ASIDE    16

struct group {
	_Atomic unsigned users; /* tasks that have not made their last call */
	unsigned members;
	struct latch start;
	struct barrier barrier;
	struct event event;
	struct future future;
	struct mutex mutex;
	struct condition condition;
	struct reader_writer_lock lock;
	struct semaphore semaphore;
	struct mcs_lock mcs;
	struct channel channel;
	uint64_t places[2];
	struct mrqd_lock delegated;
	struct qd_slot slots[SLOTS];
	unsigned locked, written, spun, sections; /* under the mutex, the lock, the MCS lock, the delegated one */
	_Atomic unsigned lasts, claims, received;
	struct group_member {
		struct storm_task self;
		struct group *group;
	} member[CHILDREN + 1];
};

static _Atomic(struct group *) aside[ASIDE];

/* ------------------------------------------------------------------------------------- the last user -- */

static void look_whether_overwritten(const struct group *group)
{
	for (size_t i = 0; i < sizeof(*group); i++)
		if (!STORM_CHECK(((const unsigned char *)group)[i] == OVER))
			return;
}

static void put_aside(struct group *group, unsigned place)
{
	if (group)
		memset(group, OVER, sizeof(*group));
	struct group *other = atomic_exchange_explicit(&aside[place], group, memory_order_acq_rel);
	if (!other)
		return;
	look_whether_overwritten(other);
	heddle_free(other, sizeof(*other));
}

static void destroy(struct storm_task *self, struct group *group)
{
	STORM_CHECK(group->lasts == 2 && group->claims == 1 && group->received == MESSAGES * (MESSAGES + 1) / 2);
	STORM_CHECK(group->locked == group->members && group->written == group->members);
	STORM_CHECK(group->spun == group->members && group->sections == 3 * group->members);
	STORM_OK(latch_destroy(&group->start));
	STORM_OK(barrier_destroy(&group->barrier));
	STORM_OK(event_destroy(&group->event));
	STORM_OK(future_destroy(&group->future));
	STORM_OK(mutex_destroy(&group->mutex));
	STORM_OK(condition_destroy(&group->condition));
	STORM_OK(reader_writer_lock_destroy(&group->lock));
	STORM_OK(semaphore_destroy(&group->semaphore));
	STORM_OK(mcs_lock_destroy(&group->mcs));
	STORM_OK(channel_destroy(&group->channel));
	STORM_OK(mrqd_lock_destroy(&group->delegated));
	put_aside(group, storm_draw(self, ASIDE));
}

/* ------------------------------------------------------------------------------------------- a member -- */

/* A call that must complete: it is repeated if it was cancelled, or if there was no memory for it. */
#define PERSIST(self, call)                                                                       \
	do {                                                                                          \
		enum heddle_error error;                                                                  \
		while ((error = STORM_CALL(self, call)) == HEDDLE_CANCELLED || error == HEDDLE_NO_MEMORY) \
			task_yield();                                                                         \
		STORM_GIVES(error, STORM_BIT(HEDDLE_OK));                                                 \
	} while (0)

static void meet(struct storm_task *self, struct group *group)
{
	bool last = false;
	PERSIST(self, barrier_wait(&group->barrier, &last));
	atomic_fetch_add_explicit(&group->lasts, last, memory_order_relaxed);
}

/* The last one to come wakes all. */
static void use_monitor(struct storm_task *self, struct group *group)
{
	PERSIST(self, mutex_lock(&group->mutex));
	if (++group->locked == group->members)
		STORM_OK(condition_notify_all(&group->condition));
	while (group->locked < group->members)
		STORM_GIVES(STORM_CALL(self, condition_wait(&group->condition, &group->mutex)),
		            storm_waits(HEDDLE_NO_DEADLINE));
	PERSIST(self, mutex_unlock(&group->mutex));
}

static void use_locks(struct storm_task *self, struct group *group)
{
	unsigned seen;
	PERSIST(self, reader_writer_lock_write(&group->lock));
	seen = group->written++;
	storm_dawdle(self);
	STORM_CHECK(group->written == seen + 1);
	PERSIST(self, reader_writer_lock_write_unlock(&group->lock));
	PERSIST(self, reader_writer_lock_read(&group->lock));
	STORM_CHECK(group->written > seen);
	PERSIST(self, reader_writer_lock_read_unlock(&group->lock));
	PERSIST(self, semaphore_acquire(&group->semaphore, 1));
	storm_dawdle(self);
	PERSIST(self, semaphore_release(&group->semaphore, 1));
	PERSIST(self, mcs_lock_lock(&group->mcs));
	group->spun++;
	PERSIST(self, mcs_lock_unlock(&group->mcs));
}

static void use_future(struct storm_task *self, struct group *group)
{
	intptr_t *room = future_claim(&group->future);
	if (room) {
		*room = VALUE;
		atomic_fetch_add_explicit(&group->claims, 1, memory_order_relaxed);
		PERSIST(self, future_publish(&group->future));
	}
	PERSIST(self, future_wait(&group->future));
	STORM_CHECK(future_value(&group->future) == VALUE);
}

/* Number 0 sends. */
static void use_channel(struct storm_task *self, struct group *group)
{
	uint64_t message, last = 0;
	if (self->number == 0) {
		for (message = 1; message <= MESSAGES; message++)
			PERSIST(self, channel_send(&group->channel, &message));
		PERSIST(self, channel_close(&group->channel));
		return;
	}
	for (;;) {
		enum heddle_error error;
		STORM_GIVES(error = STORM_CALL(self, channel_receive(&group->channel, &message)),
		            storm_waits(HEDDLE_NO_DEADLINE) | STORM_BIT(HEDDLE_CLOSED));
		if (error == HEDDLE_CLOSED)
			return;
		if (error != HEDDLE_OK)
			continue;
		STORM_CHECK(message > last);
		last = message;
		atomic_fetch_add_explicit(&group->received, (unsigned)message, memory_order_relaxed);
	}
}

static void section(size_t size, void *argument)
{
	struct group *group = *(struct group **)argument;
	STORM_CHECK(size == sizeof(group));
	group->sections++;
}

static void delegate(struct storm_task *self, struct group *group)
{
	unsigned seen;
	PERSIST(self, mrqd_delegate(&group->delegated, section, sizeof(group), &group));
	PERSIST(self, mrqd_delegate_wait(&group->delegated, section, sizeof(group), &group));
	PERSIST(self, mrqd_read_lock(&group->delegated));
	seen = group->sections;
	storm_dawdle(self);
	STORM_CHECK(seen >= 2 && group->sections == seen);
	PERSIST(self, mrqd_read_unlock(&group->delegated));
	PERSIST(self, mrqd_delegate(&group->delegated, section, sizeof(group), &group));
}

static intptr_t take_part(void *argument)
{
	struct group_member *member = argument;
	struct group *group = member->group;
	struct storm_task self_kept = member->self, *self = &self_kept; /* outlives the group */
	PERSIST(self, latch_wait(&group->start));
	meet(self, group);
	use_monitor(self, group);
	if (self->number == 1)
		PERSIST(self, event_set(&group->event));
	use_locks(self, group);
	use_channel(self, group);
	PERSIST(self, event_wait(&group->event));
	use_future(self, group);
	meet(self, group);
	delegate(self, group);
	if (atomic_fetch_sub_explicit(&group->users, 1, memory_order_acq_rel) == 1)
		destroy(self, group);
	return 1;
}

/* ---------------------------------------------------------------------------------------------- turn -- */

static struct group *group_make(struct storm_task *self)
{
	struct group *group = heddle_allocate(sizeof(*group));
	if (!group)
		return NULL;
	memset(group, 0, sizeof(*group));
	group->start = (struct latch)HEDDLE_LATCH_INITIALIZER(1);
	group->semaphore = (struct semaphore)HEDDLE_SEMAPHORE_INITIALIZER(1);
	STORM_OK(channel_create(&group->channel, group->places, sizeof(uint64_t), 2));
	STORM_OK(mrqd_lock_create(&group->delegated, group->slots, SLOTS, 2));
	for (unsigned i = 0; i <= CHILDREN; i++) {
		group->member[i].group = group;
		group->member[i].self.number = i;
		group->member[i].self.random = (uint64_t)storm_draw(self, UINT32_MAX) << 32 | i;
	}
	return group;
}

static void turn(struct storm_task *self)
{
	struct task *tasks[CHILDREN];
	struct group *group = group_make(self);
	unsigned made = 0, wanted = 1 + storm_draw(self, CHILDREN);
	if (!group)
		return;
	for (; made < wanted; made++) {
		struct task_options options = storm_options(self, "member");
		if (!STORM_GIVES(task_create(&tasks[made], take_part, &group->member[made + 1], &options),
		                 STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY)))
			break;
	}
	if (made == 0) {
		heddle_free(group, sizeof(*group));
		return;
	}
	group->users = group->members = made + 1;
	group->barrier = (struct barrier)HEDDLE_BARRIER_INITIALIZER(made + 1);
	STORM_OK(latch_count_down(&group->start, 1));
	take_part(&group->member[0]);
	for (unsigned i = 0; i < made; i++) {
		intptr_t result = 0;
		enum heddle_error error;
		do
			STORM_GIVES(error = STORM_CALL(self, task_join(tasks[i], &result)),
			            STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_CANCELLED));
		while (error == HEDDLE_CANCELLED);
		STORM_CHECK(result == 1);
	}
}

static void finish(void)
{
	for (unsigned i = 0; i < ASIDE; i++)
		put_aside(NULL, i);
}

const struct storm_kind storm_group = {.name = "group", .weight = 1, .turn = turn, .finish = finish};
