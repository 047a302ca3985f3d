/* More tasks than there is memory for, each waiting for something: those without memory for the wait are told so, all
 * others get what they wait for. */
#include "heddle/channel.h"
#include "heddle/condition.h"
#include "heddle/event.h"
#include "heddle/latch.h"
#include "heddle/mutex.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "kernel/memory.h"
#include "user/test/hoard.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define TASKS_MAXIMUM 4000
#define LEFT_BLOCKS   6
#define LEFT_BLOCK    ((size_t)1 << 20)

struct crowd {
	struct mutex mutex, monitor;
	struct semaphore semaphore;
	struct reader_writer_lock lock;
	struct condition condition;
	struct latch latch;
	struct event event;
	struct channel channel;
	uint32_t buffer;
	bool open;
	_Atomic unsigned come, refused, wrong;
	struct task *tasks[TASKS_MAXIMUM];
};

static enum heddle_error pass_mutex(struct crowd *crowd, uint64_t deadline)
{
	enum heddle_error error = mutex_lock_until(&crowd->mutex, deadline);
	return error == HEDDLE_OK ? mutex_unlock(&crowd->mutex) : error;
}

static enum heddle_error pass_semaphore(struct crowd *crowd, uint64_t deadline)
{
	enum heddle_error error = semaphore_acquire_until(&crowd->semaphore, 1, deadline);
	return error == HEDDLE_OK ? semaphore_release(&crowd->semaphore, 1) : error;
}

static enum heddle_error pass_lock(struct crowd *crowd, uint64_t deadline, bool write)
{
	enum heddle_error error = write ? reader_writer_lock_write_until(&crowd->lock, deadline)
	                                : reader_writer_lock_read_until(&crowd->lock, deadline);
	if (error != HEDDLE_OK)
		return error;
	return write ? reader_writer_lock_write_unlock(&crowd->lock)
	             : reader_writer_lock_read_unlock(&crowd->lock);
}

static enum heddle_error pass_condition(struct crowd *crowd, uint64_t deadline)
{
	enum heddle_error error = mutex_lock(&crowd->monitor);
	if (error != HEDDLE_OK)
		return error;
	while (!crowd->open && error == HEDDLE_OK)
		error = condition_wait_until(&crowd->condition, &crowd->monitor, deadline);
	return mutex_unlock(&crowd->monitor) == HEDDLE_OK ? error : HEDDLE_NOT_OWNER;
}

static enum heddle_error pass_channel(struct crowd *crowd, uint64_t deadline)
{
	uint32_t message;
	enum heddle_error error = channel_receive_until(&crowd->channel, &message, deadline);
	return error == HEDDLE_CLOSED ? HEDDLE_OK : error;
}

static enum heddle_error pass(struct crowd *crowd, unsigned number)
{
	uint64_t deadline = number % 3 ? heddle_clock() + PATIENCE : HEDDLE_NO_DEADLINE;
	switch (number % 8) {
	case 0:
		return pass_mutex(crowd, deadline);
	case 1:
		return pass_semaphore(crowd, deadline);
	case 2:
	case 3:
		return pass_lock(crowd, deadline, number % 2);
	case 4:
		return pass_condition(crowd, deadline);
	case 5:
		return latch_wait_until(&crowd->latch, deadline);
	case 6:
		return event_wait_until(&crowd->event, deadline);
	default:
		return pass_channel(crowd, deadline);
	}
}

static intptr_t come_and_pass(void *argument)
{
	struct crowd *crowd = argument;
	enum heddle_error error = pass(crowd, atomic_fetch_add(&crowd->come, 1));
	if (error == HEDDLE_NO_MEMORY)
		atomic_fetch_add(&crowd->refused, 1);
	else if (error != HEDDLE_OK)
		atomic_fetch_add(&crowd->wrong, 1);
	return 0;
}

/* Each task has to wait. */
static bool shut(struct crowd *crowd)
{
	*crowd = (struct crowd){.latch = HEDDLE_LATCH_INITIALIZER(1)};
	return channel_create(&crowd->channel, &crowd->buffer, sizeof(crowd->buffer), 1) == HEDDLE_OK &&
	       mutex_lock(&crowd->mutex) == HEDDLE_OK && reader_writer_lock_write(&crowd->lock) == HEDDLE_OK;
}

/* No task waits any more. None of this needs memory, except for the mutex if another task holds it just then. */
static bool open(struct crowd *crowd)
{
	while (mutex_lock(&crowd->monitor) == HEDDLE_NO_MEMORY)
		task_yield();
	crowd->open = true;
	return condition_notify_all(&crowd->condition) == HEDDLE_OK &&
	       mutex_unlock(&crowd->monitor) == HEDDLE_OK && mutex_unlock(&crowd->mutex) == HEDDLE_OK &&
	       reader_writer_lock_write_unlock(&crowd->lock) == HEDDLE_OK &&
	       semaphore_release(&crowd->semaphore, 1) == HEDDLE_OK &&
	       latch_count_down(&crowd->latch, 1) == HEDDLE_OK && event_set(&crowd->event) == HEDDLE_OK &&
	       channel_close(&crowd->channel) == HEDDLE_OK;
}

static bool is_left(struct crowd *crowd)
{
	return mutex_destroy(&crowd->mutex) == HEDDLE_OK && mutex_destroy(&crowd->monitor) == HEDDLE_OK &&
	       semaphore_destroy(&crowd->semaphore) == HEDDLE_OK && semaphore_permits(&crowd->semaphore) == 1 &&
	       reader_writer_lock_destroy(&crowd->lock) == HEDDLE_OK &&
	       condition_destroy(&crowd->condition) == HEDDLE_OK && latch_destroy(&crowd->latch) == HEDDLE_OK &&
	       event_destroy(&crowd->event) == HEDDLE_OK && channel_destroy(&crowd->channel) == HEDDLE_OK;
}

/* All except some MiB: a hosted machine has more memory nominally than a test can turn into tasks. */
static void hoard_most(struct hoard *hoard)
{
	void *left[LEFT_BLOCKS];
	for (unsigned i = 0; i < LEFT_BLOCKS; i++)
		left[i] = memory_allocate(LEFT_BLOCK, MEMORY_ANY_NODE);
	hoard_fill(hoard);
	for (unsigned i = 0; i < LEFT_BLOCKS; i++)
		if (left[i])
			memory_free(left[i], LEFT_BLOCK);
}

TEST(exhausted, more_tasks_than_memory)
{
	static struct crowd crowd;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct hoard hoard;
	unsigned made = 0, ended = 0;
	CHECK(shut(&crowd));
	hoard_most(&hoard);
	while (made < TASKS_MAXIMUM &&
	       task_create(&crowd.tasks[made], come_and_pass, &crowd, &options) == HEDDLE_OK)
		made++;
	while (atomic_load(&crowd.come) < made)
		task_yield();
	bool opened = open(&crowd);
	for (unsigned i = 0; i < made; i++)
		ended += task_join(crowd.tasks[i], NULL) == HEDDLE_OK;
	hoard_empty(&hoard);
	heddle_log("%u tasks, of which %u had no memory to wait with", made, atomic_load(&crowd.refused));
	CHECK(opened);
	CHECK_EQUAL(ended, made);
	CHECK_EQUAL(atomic_load(&crowd.wrong), 0);
	CHECK(is_left(&crowd));
}
