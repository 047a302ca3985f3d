/* What a mutex counts, and when asked for, how long it was between holders. */
#include "heddle/mutex.h"
#include "heddle/task.h"

#include "user/test/test.h"

#define WAITERS 5

static intptr_t lock_once(void *mutex)
{
	return mutex_lock(mutex) == HEDDLE_OK && mutex_unlock(mutex) == HEDDLE_OK;
}

/* Five tasks on this processor queue while the mutex is held; then it goes through all of them in one chain.
 */
static intptr_t pass_through_all(struct mutex *mutex)
{
	struct task_options options = TASK_OPTIONS;
	struct task *tasks[WAITERS];
	intptr_t right = 0, result;
	unsigned made = 0;
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

TEST(mutex, counts)
{
	struct mutex mutex = MUTEX_INITIALIZER;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(pass_through_all(&mutex), WAITERS);
	CHECK_EQUAL(mutex.counters.acquisitions, 1 + WAITERS);
	CHECK_EQUAL(mutex.counters.contended, WAITERS);
	CHECK_EQUAL(mutex.counters.exchanges, WAITERS);
	CHECK(mutex.counters.longest_chain >= 1 && mutex.counters.longest_chain <= WAITERS);
}

TEST(mutex, measures_queuing_delays)
{
	struct mutex mutex = MUTEX_INITIALIZER;
	struct lock_delays delays = {0};
	uint64_t count = 0;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	mutex_measure(&mutex, &delays);
	CHECK_EQUAL(pass_through_all(&mutex), WAITERS);
	for (unsigned i = 0; i < LOCK_DELAYS; i++)
		count += delays.counts[i];
	CHECK_EQUAL(count, WAITERS);
}
