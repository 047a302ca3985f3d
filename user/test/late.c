/* A deadline in the past: whatever a task waits for, it has what is there, and does not wait for what is not. */
#include "heddle/barrier.h"
#include "heddle/channel.h"
#include "heddle/event.h"
#include "heddle/future.h"
#include "heddle/latch.h"
#include "heddle/mrqd_lock.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "heddle/ttas_lock.h"
#include "user/test/test.h"

#define PAST 1

static struct {
	struct mutex mutex;
	struct reader_writer_lock lock;
	struct mrqd_lock delegation;
	struct ttas_lock ttas;
	struct semaphore semaphore;
	struct event event;
	struct latch latch;
	struct barrier barrier;
	struct future future;
	struct channel full, empty;
} all;

/* The same wait for each kind of object, with a deadline in the past. */
static enum heddle_error lock_mutex(void)
{
	enum heddle_error error = mutex_lock_until(&all.mutex, PAST);
	return error == HEDDLE_OK ? mutex_unlock(&all.mutex) : error;
}

static enum heddle_error read_lock(void)
{
	enum heddle_error error = reader_writer_lock_read_until(&all.lock, PAST);
	return error == HEDDLE_OK ? reader_writer_lock_read_unlock(&all.lock) : error;
}

static enum heddle_error write_lock(void)
{
	enum heddle_error error = reader_writer_lock_write_until(&all.lock, PAST);
	return error == HEDDLE_OK ? reader_writer_lock_write_unlock(&all.lock) : error;
}

static enum heddle_error hold_delegation(void)
{
	enum heddle_error error = mrqd_lock_until(&all.delegation, PAST);
	return error == HEDDLE_OK ? mrqd_unlock(&all.delegation) : error;
}

static enum heddle_error read_delegation(void)
{
	enum heddle_error error = mrqd_read_lock_until(&all.delegation, PAST);
	return error == HEDDLE_OK ? mrqd_read_unlock(&all.delegation) : error;
}

static enum heddle_error hold_ttas(void)
{
	enum heddle_error error = ttas_lock_lock_until(&all.ttas, PAST);
	return error == HEDDLE_OK ? ttas_lock_unlock(&all.ttas) : error;
}

static enum heddle_error take_permit(void)
{
	return semaphore_acquire_until(&all.semaphore, 1, PAST);
}

static enum heddle_error await_event(void)
{
	return event_wait_until(&all.event, PAST);
}

static enum heddle_error await_latch(void)
{
	return latch_wait_until(&all.latch, PAST);
}

static enum heddle_error meet(void)
{
	return barrier_wait_until(&all.barrier, NULL, PAST);
}

static enum heddle_error await_future(void)
{
	return future_wait_until(&all.future, PAST);
}

static enum heddle_error send(void)
{
	uint64_t message = 1;
	return channel_send_until(&all.full, &message, PAST);
}

static enum heddle_error receive(void)
{
	uint64_t message;
	return channel_receive_until(&all.empty, &message, PAST);
}

static enum heddle_error select_one(void)
{
	uint64_t message;
	size_t chosen;
	const struct channel_case one = {&all.empty, false, &message};
	return channel_select(&one, 1, &chosen, PAST);
}

static enum heddle_error (*const waits[])(void) = {lock_mutex,      read_lock, write_lock,   hold_delegation,
                                                   read_delegation, hold_ttas, take_permit,  await_event,
                                                   await_latch,     meet,      await_future, send,
                                                   receive,         select_one};
#define WAITS (sizeof(waits) / sizeof(waits[0]))

/* Which of them end otherwise: a bit for each. */
static intptr_t unlike(void *expected)
{
	intptr_t others = 0;
	for (size_t i = 0; i < WAITS; i++)
		others |= (intptr_t)(waits[i]() != (enum heddle_error)(intptr_t)expected) << i;
	return others;
}

static bool make(uint32_t there)
{
	static uint64_t buffers[2][2];
	static struct qd_slot slots[4];
	const uint64_t message = 7;
	all.semaphore = (struct semaphore)HEDDLE_SEMAPHORE_INITIALIZER(there);
	all.latch = (struct latch)HEDDLE_LATCH_INITIALIZER(1 - there);
	all.barrier = (struct barrier)HEDDLE_BARRIER_INITIALIZER(2 - there);
	all.event = (struct event)HEDDLE_EVENT_INITIALIZER;
	all.future = (struct future)HEDDLE_FUTURE_INITIALIZER;
	if (channel_create(&all.full, buffers[0], sizeof(message), 1 + there) != HEDDLE_OK ||
	    channel_create(&all.empty, buffers[1], sizeof(message), 2) != HEDDLE_OK ||
	    channel_send(&all.full, &message) != HEDDLE_OK || ttas_lock_create(&all.ttas, NULL) != HEDDLE_OK ||
	    mrqd_lock_create(&all.delegation, slots, 4, 4) != HEDDLE_OK)
		return false;
	return !there || (event_set(&all.event) == HEDDLE_OK && future_set(&all.future, 1) == HEDDLE_OK &&
	                  channel_send(&all.empty, &message) == HEDDLE_OK &&
	                  channel_send(&all.empty, &message) == HEDDLE_OK);
}

TEST(late, what_is_there_is_had)
{
	CHECK(make(1));
	CHECK_EQUAL(unlike((void *)(intptr_t)HEDDLE_OK), 0);
}

TEST(late, what_is_not_there_is_not_waited_for)
{
	struct task *task;
	intptr_t others = -1;
	CHECK(make(0));
	CHECK_EQUAL(mutex_lock(&all.mutex), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_write(&all.lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_lock(&all.delegation), HEDDLE_OK);
	CHECK_EQUAL(ttas_lock_lock(&all.ttas), HEDDLE_OK);
	CHECK_EQUAL(task_create(&task, unlike, (void *)(intptr_t)HEDDLE_TIMED_OUT, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, &others), HEDDLE_OK);
	CHECK_EQUAL(others, 0);
	CHECK_EQUAL(mutex_unlock(&all.mutex), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_write_unlock(&all.lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_unlock(&all.delegation), HEDDLE_OK);
	CHECK_EQUAL(ttas_lock_unlock(&all.ttas), HEDDLE_OK);
}
