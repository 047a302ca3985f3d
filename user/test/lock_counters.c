/* What locks count, and on request, the time between holders. */
#include "heddle/mutex.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "kernel/command_line.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define WAITERS 5

static intptr_t lock_once(void *mutex)
{
	return mutex_lock(mutex) == HEDDLE_OK && mutex_unlock(mutex) == HEDDLE_OK;
}

/* Five tasks on this processor queue while the mutex is held; then it goes through all of them in one chain.
 */
static intptr_t pass_through_all(struct mutex *mutex)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *tasks[WAITERS];
	intptr_t right = 0, result;
	unsigned made = 0;
	options.bound = true;
	options.processor = 0;
	mutex_lock(mutex);
	while (made < WAITERS && task_create(&tasks[made], lock_once, mutex, &options) == HEDDLE_OK)
		made++;
	for (unsigned i = 0; i < 2 * WAITERS; i++)
		task_yield();
	mutex_unlock(mutex);
	while (made > 0)
		right += task_join(tasks[--made], &result) == HEDDLE_OK ? result : 0;
	return right;
}

TEST(counters, of_a_mutex_passed_on)
{
	struct mutex mutex = {.counters.measured = true};
	mutex_set_strict(&mutex, true);
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(pass_through_all(&mutex), WAITERS);
	CHECK_EQUAL(mutex.counters.acquisitions, 1 + WAITERS);
	CHECK_EQUAL(mutex.counters.contended, WAITERS);
	CHECK_EQUAL(mutex.counters.exchanges, WAITERS);
	CHECK_EQUAL(mutex.counters.longest_chain, WAITERS);
}

/* ----------------------------------------------------------------------------------------- exchanges -- */

static enum heddle_error use_mutex(struct waiting *waiting)
{
	enum heddle_error error = mutex_lock(waiting->object);
	return error == HEDDLE_OK ? mutex_unlock(waiting->object) : error;
}

static enum heddle_error unlock_mutex(struct waiting *waiting)
{
	return mutex_unlock(waiting->object);
}

#define MANY 200

/* Many tasks wait at a mutex, all bound to its holder's processor: whenever a chain of exchanges has reached its
 * limit, the next task goes through the ready queue. */
TEST(counters, of_a_chain_that_ends)
{
	struct mutex mutex = {.counters.measured = true};
	struct waiting *waiting = heddle_allocate(MANY * sizeof(*waiting));
	unsigned chain = command_line.chain;
	bool right = true;
	CHECK(waiting);
	mutex_set_strict(&mutex, true);
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	for (unsigned i = 0; i < MANY; i++) {
		waiting[i] = (struct waiting){.wait = use_mutex, .object = &mutex, .bound = true};
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	for (unsigned i = 0; i < MANY; i++)
		right &= waiting_end(&waiting[i]) == HEDDLE_OK;
	heddle_free(waiting, MANY * sizeof(*waiting));
	CHECK(right);
	CHECK_EQUAL(mutex.counters.contended, MANY);
	CHECK_EQUAL(mutex.counters.exchanges, MANY - MANY / (chain + 1));
	CHECK_EQUAL(mutex.counters.longest_chain, chain < MANY ? chain : MANY);
}

/* A task on processor 0, where we are, waits until `give` hands it the lock; returns the counted exchanges, which are
 * also the longest chain. */
static uint64_t exchanges(struct waiting waiting, enum heddle_error (*give)(struct waiting *), bool at_once,
                          struct lock_counters *counters)
{
	struct waiting giving = {.wait = give, .object = waiting.object};
	*counters = (struct lock_counters){.measured = true};
	waiting.bound = true;
	bool right = waiting_start(&waiting);
	right &= (at_once ? give(&giving) : uncooperatively(&giving)) == HEDDLE_OK;
	right &= waiting_end(&waiting) == HEDDLE_OK;
	return right && counters->longest_chain == counters->exchanges ? counters->exchanges : UINT64_MAX;
}

/* In an uncooperative region the waiting task is made ready instead, which is not an exchange. */
TEST(counters, of_a_mutex)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct waiting waiting = {.wait = use_mutex, .object = &mutex};
	mutex_set_strict(&mutex, true);
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(exchanges(waiting, unlock_mutex, true, &mutex.counters), 1);
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(exchanges(waiting, unlock_mutex, false, &mutex.counters), 0);
	CHECK_EQUAL(mutex.counters.contended, 1);
}

static enum heddle_error acquire(struct waiting *waiting)
{
	return semaphore_acquire(waiting->object, 1);
}

static enum heddle_error release(struct waiting *waiting)
{
	return semaphore_release(waiting->object, 1);
}

TEST(counters, of_a_semaphore)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(0);
	struct waiting waiting = {.wait = acquire, .object = &semaphore};
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(exchanges(waiting, release, true, &semaphore.counters), 1);
	CHECK_EQUAL(exchanges(waiting, release, false, &semaphore.counters), 0);
	CHECK_EQUAL(semaphore.counters.contended, 1);
}

static enum heddle_error use_reading(struct waiting *waiting)
{
	enum heddle_error error = reader_writer_lock_read(waiting->object);
	return error == HEDDLE_OK ? reader_writer_lock_read_unlock(waiting->object) : error;
}

static enum heddle_error use_writing(struct waiting *waiting)
{
	enum heddle_error error = reader_writer_lock_write(waiting->object);
	return error == HEDDLE_OK ? reader_writer_lock_write_unlock(waiting->object) : error;
}

static enum heddle_error unlock_writing(struct waiting *waiting)
{
	return reader_writer_lock_write_unlock(waiting->object);
}

TEST(counters, of_a_reader_writer_lock)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	enum heddle_error (*const uses[])(struct waiting *) = {use_reading, use_writing};
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	for (unsigned i = 0; i < 2; i++) {
		struct waiting waiting = {.wait = uses[i], .object = &lock};
		CHECK_EQUAL(reader_writer_lock_write(&lock), HEDDLE_OK);
		CHECK_EQUAL(exchanges(waiting, unlock_writing, true, &lock.counters), 1);
		CHECK_EQUAL(reader_writer_lock_write(&lock), HEDDLE_OK);
		CHECK_EQUAL(exchanges(waiting, unlock_writing, false, &lock.counters), 0);
		CHECK_EQUAL(lock.counters.contended, 1);
	}
}

/* -------------------------------------------------------------------------------------------- delays -- */

TEST(mutex, measures_queuing_delays)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct lock_delays delays = {0};
	uint64_t count = 0;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	mutex_measure(&mutex, &delays);
	CHECK_EQUAL(pass_through_all(&mutex), WAITERS);
	for (unsigned i = 0; i < HEDDLE_LOCK_DELAYS; i++)
		count += delays.counts[i];
	CHECK_EQUAL(count, WAITERS);
}
