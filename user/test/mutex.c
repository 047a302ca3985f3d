/* The mutex: exclusion, order, hand-over, deadlines, misuse. The end of its holder: mutex_holder.c. */
#include "heddle/mutex.h"

#include <string.h>

#include "kernel/memory.h"
#include "sync/mutex.h"
#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

/* ------------------------------------------------------------------------------------------ exclusion -- */

#define TASKS  40
#define ROUNDS 200

struct shared {
	struct mutex mutex;
	uint64_t sum;
	unsigned inside, wrong;
};

static void add(struct shared *shared, uint64_t number)
{
	shared->wrong += shared->inside++ != 0;
	for (volatile unsigned spent = 0; spent < 20; spent++)
		continue;
	shared->sum += number;
	shared->wrong += --shared->inside != 0;
}

static intptr_t add_up(size_t number, void *argument)
{
	struct shared *shared = argument;
	for (unsigned i = 0; i < ROUNDS; i++) {
		if (mutex_lock(&shared->mutex) != HEDDLE_OK)
			return 0;
		add(shared, number);
		mutex_unlock(&shared->mutex);
	}
	return 1;
}

TEST(mutex, excludes)
{
	struct shared shared = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct crew crew = {.name = "adder", .function = add_up, .argument = &shared, .count = TASKS};
	intptr_t done = 0;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
	CHECK_EQUAL(done, TASKS);
	CHECK_EQUAL(shared.wrong, 0);
	CHECK_EQUAL(shared.sum, (uint64_t)ROUNDS * TASKS * (TASKS - 1) / 2);
	CHECK_EQUAL(mutex_destroy(&shared.mutex), HEDDLE_OK);
	CHECK_EQUAL(shared.mutex.counters.acquisitions, TASKS * ROUNDS);
}

/* In each possible way, with yields inside. */
static intptr_t add_in_all_ways(size_t number, void *argument)
{
	struct shared *shared = argument;
	uint64_t random = heddle_seed() + number;
	intptr_t sections = 0;
	for (unsigned i = 0; i < ROUNDS / 2; i++) {
		uint32_t way = random_next(&random);
		enum heddle_error error = HEDDLE_BUSY;
		if (way % 3 == 0)
			error = mutex_lock(&shared->mutex);
		else if (way % 3 == 1)
			error = mutex_try_lock(&shared->mutex);
		else
			error = mutex_lock_until(&shared->mutex, heddle_clock() + way / 3 % 50000);
		if (error != HEDDLE_OK)
			continue;
		sections++;
		shared->wrong += shared->inside++ != 0;
		if (way % 7 == 0)
			task_yield();
		shared->wrong += --shared->inside != 0;
		mutex_unlock(&shared->mutex);
	}
	return sections;
}

TEST(mutex, excludes_in_all_ways)
{
	for (int bound = 0; bound <= 1; bound++) {
		struct shared shared = {.mutex = HEDDLE_MUTEX_INITIALIZER};
		struct crew crew = {.function = add_in_all_ways, .argument = &shared, .count = TASKS, .bound = bound};
		intptr_t sections = 0;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &sections), HEDDLE_OK);
		CHECK_EQUAL(shared.wrong, 0);
		CHECK_EQUAL(shared.mutex.counters.acquisitions, sections);
		CHECK_EQUAL(mutex_destroy(&shared.mutex), HEDDLE_OK);
	}
}

/* ---------------------------------------------------------------------------------------------- order -- */

#define WAITERS 20

struct queue_of_tasks {
	struct mutex mutex;
	unsigned left; /* how many tasks have not had it yet */
	unsigned came; /* how many have had it */
	size_t order[WAITERS];
};

static enum heddle_error note_order(struct waiting *waiting)
{
	struct queue_of_tasks *queue = waiting->object;
	enum heddle_error error = mutex_lock_until(&queue->mutex, waiting->deadline);
	if (error != HEDDLE_OK)
		return error;
	queue->order[queue->came++] = waiting->number;
	queue->left--;
	task_yield();
	return mutex_unlock(&queue->mutex);
}

/* Bound tasks and others, of all priorities: each gets it in its turn. */
TEST(mutex, first_come_first_served)
{
	struct queue_of_tasks queue = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct waiting waiting[WAITERS];
	CHECK_EQUAL(mutex_lock(&queue.mutex), HEDDLE_OK);
	for (unsigned i = 0; i < WAITERS; i++) {
		waiting[i] = (struct waiting){.wait = note_order,
		                              .object = &queue,
		                              .number = i,
		                              .deadline = HEDDLE_NO_DEADLINE,
		                              .priority = HEDDLE_PRIORITY_IDLE + (int)(i % HEDDLE_PRIORITIES),
		                              .bound = i % 3 == 0,
		                              .processor = i};
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK_EQUAL(mutex_unlock(&queue.mutex), HEDDLE_OK);
	for (unsigned i = 0; i < WAITERS; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK_EQUAL(queue.came, WAITERS);
	for (unsigned i = 0; i < WAITERS; i++)
		CHECK_EQUAL(queue.order[i], i);
	CHECK_EQUAL(mutex_destroy(&queue.mutex), HEDDLE_OK);
}

struct intruder {
	struct queue_of_tasks *queue;
	_Atomic bool over;
};

/* Returns how often it got the mutex while others waited. */
static intptr_t intrude(size_t number, void *argument)
{
	struct intruder *intruder = argument;
	intptr_t wrong = 0;
	(void)number;
	while (!atomic_load_explicit(&intruder->over, memory_order_relaxed)) {
		if (mutex_try_lock(&intruder->queue->mutex) == HEDDLE_OK) {
			wrong += intruder->queue->left > 0;
			mutex_unlock(&intruder->queue->mutex);
		}
		task_yield();
	}
	return wrong;
}

/* It is handed over without looking free: no try succeeds while a task waits. */
TEST(mutex, is_never_free_while_a_task_waits)
{
	struct queue_of_tasks queue = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct intruder intruder = {.queue = &queue};
	struct crew crew = {.function = intrude, .argument = &intruder, .count = 3};
	struct waiting waiting[WAITERS];
	intptr_t wrong = 0;
	bool all = true;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	for (unsigned round = 0; round < 3; round++) {
		mutex_lock(&queue.mutex);
		crew_start(&crew);
		queue.left = WAITERS;
		queue.came = 0;
		for (unsigned i = 0; i < WAITERS; i++) {
			waiting[i] =
			    (struct waiting){.wait = note_order, .object = &queue, .deadline = HEDDLE_NO_DEADLINE};
			all &= waiting_start(&waiting[i]);
		}
		mutex_unlock(&queue.mutex);
		for (unsigned i = 0; i < WAITERS; i++)
			all &= waiting_end(&waiting[i]) == HEDDLE_OK;
	}
	atomic_store_explicit(&intruder.over, true, memory_order_relaxed);
	CHECK_EQUAL(crew_join(&crew, &wrong), HEDDLE_OK);
	CHECK(all);
	CHECK_EQUAL(wrong, 0);
}

/* Everything is counted as documented: the owner, and no exchange without a waiter. */
TEST(mutex, counts)
{
	struct queue_of_tasks queue = {.mutex.counters.measured = true};
	struct waiting waiting = {.wait = note_order, .object = &queue, .deadline = HEDDLE_NO_DEADLINE};
	mutex_set_strict(&queue.mutex, true);
	CHECK_EQUAL(mutex_lock(&queue.mutex), HEDDLE_OK);
	CHECK_EQUAL(mutex_unlock(&queue.mutex), HEDDLE_OK);
	CHECK_EQUAL(queue.mutex.counters.exchanges, 0);
	CHECK_EQUAL(mutex_lock(&queue.mutex), HEDDLE_OK);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(mutex_unlock(&queue.mutex), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(queue.mutex.counters.acquisitions, 3);
	CHECK_EQUAL(queue.mutex.counters.contended, 1);
	CHECK_EQUAL(queue.mutex.counters.exchanges, 1);
}

/* ------------------------------------------------------------------------------------------ deadlines -- */

static enum heddle_error lock_until(struct waiting *waiting)
{
	enum heddle_error error = mutex_lock_until(waiting->object, waiting->deadline);
	if (error == HEDDLE_TIMED_OUT && heddle_clock() < waiting->deadline)
		return HEDDLE_BUSY;
	if (error == HEDDLE_OK)
		mutex_unlock(waiting->object);
	return error;
}

TEST(mutex, deadlines)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct waiting past = {.wait = lock_until, .object = &mutex, .deadline = 1};
	struct waiting soon = {.wait = lock_until, .object = &mutex, .deadline = after(3)};
	struct waiting late = {.wait = lock_until, .object = &mutex, .deadline = after(1000000)};
	/* It is free, so the deadline does not matter. */
	CHECK_EQUAL(mutex_lock_until(&mutex, 0), HEDDLE_OK);
	CHECK(waiting_create(&past));
	CHECK(waiting_create(&soon));
	CHECK(waiting_start(&late));
	CHECK_EQUAL(waiting_end(&past), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(waiting_end(&soon), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&late), HEDDLE_OK);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_OK);
}

/* Every second one gives up: the others get it, in order. */
TEST(mutex, a_task_that_gives_up_leaves_the_queue_unharmed)
{
	struct queue_of_tasks queue = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct waiting waiting[WAITERS];
	CHECK_EQUAL(mutex_lock(&queue.mutex), HEDDLE_OK);
	for (unsigned i = 0; i < WAITERS; i++) {
		waiting[i] = (struct waiting){.wait = note_order,
		                              .object = &queue,
		                              .number = i,
		                              .deadline = i % 2 ? HEDDLE_NO_DEADLINE : after(20)};
		/* If it takes long, it may have given up already. */
		CHECK(i % 2 ? waiting_start(&waiting[i]) : waiting_create(&waiting[i]));
	}
	for (unsigned i = 0; i < WAITERS; i += 2)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(mutex_unlock(&queue.mutex), HEDDLE_OK);
	for (unsigned i = 1; i < WAITERS; i += 2)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK_EQUAL(queue.came, WAITERS / 2);
	for (unsigned i = 0; i < WAITERS / 2; i++)
		CHECK_EQUAL(queue.order[i], 2 * i + 1);
	CHECK_EQUAL(mutex_destroy(&queue.mutex), HEDDLE_OK);
}

/* The places in the queue of a mutex that the caller holds. */
static size_t places(const struct mutex *mutex)
{
	size_t count = 0;
	uintptr_t word = atomic_load_explicit(&mutex->word, memory_order_acquire);
	const struct waiter *waiter = mutex_word_waiter(word);
	for (; waiter; waiter = waiter->next)
		count++;
	for (waiter = mutex->first; waiter; waiter = waiter->next)
		count++;
	return count;
}

#define POLLERS 4

/* Thousands of times, but not for ever. Returns how often it timed out. */
static enum heddle_error poll(struct waiting *waiting)
{
	struct mutex *mutex = waiting->object;
	for (unsigned i = 0; i < 5000 && heddle_clock() < waiting->deadline; i++) {
		enum heddle_error error = mutex_lock_until(mutex, heddle_clock() + 1000);
		if (error != HEDDLE_TIMED_OUT)
			return error;
	}
	return HEDDLE_OK;
}

/* A task that comes again and again has one place in the queue, and takes no memory. */
TEST(mutex, polling_with_a_deadline_leaves_nothing)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct waiting waiting[POLLERS];
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	for (unsigned i = 0; i < POLLERS; i++) {
		waiting[i] = (struct waiting){.wait = poll, .object = &mutex, .deadline = after(250)};
		CHECK(waiting_create(&waiting[i]));
	}
	for (unsigned i = 0; i < POLLERS; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK(places(&mutex) <= POLLERS);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_OK);
}

#define SEVERAL 8

struct several {
	struct mutex mutexes[SEVERAL];
	_Atomic unsigned gave_up; /* tasks that gave up at all of them */
};

/* Give up at each mutex; then, if requested, get each. */
static enum heddle_error wander(struct waiting *waiting)
{
	struct several *several = waiting->object;
	struct mutex *mutexes = several->mutexes;
	for (unsigned i = 0; i < SEVERAL; i++)
		if (mutex_lock_until(&mutexes[i], heddle_clock() + 1000) != HEDDLE_TIMED_OUT)
			return HEDDLE_BUSY;
	atomic_fetch_add_explicit(&several->gave_up, 1, memory_order_relaxed);
	for (unsigned i = 0; i < waiting->number; i++) {
		if (mutex_lock(&mutexes[i]) != HEDDLE_OK)
			return HEDDLE_BUSY;
		mutex_unlock(&mutexes[i]);
	}
	return HEDDLE_OK;
}

/* Places that are left in several queues do no harm: neither to a task that comes back to them, nor after their task
 * has ended. */
TEST(mutex, places_in_several_queues)
{
	struct several several = {0};
	struct waiting waiting[SEVERAL];
	for (unsigned i = 0; i < SEVERAL; i++)
		CHECK_EQUAL(mutex_lock(&several.mutexes[i]), HEDDLE_OK);
	for (unsigned i = 0; i < SEVERAL; i++) {
		waiting[i] = (struct waiting){.wait = wander, .object = &several, .number = i % 2 ? SEVERAL : 0};
		CHECK(waiting_create(&waiting[i]));
	}
	for (unsigned i = 0; i < SEVERAL; i += 2)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	while (atomic_load_explicit(&several.gave_up, memory_order_relaxed) < SEVERAL)
		CHECK_EQUAL(task_sleep_until(after(1)), HEDDLE_OK);
	for (unsigned i = SEVERAL; i > 0; i--)
		CHECK_EQUAL(mutex_unlock(&several.mutexes[i - 1]), HEDDLE_OK);
	for (unsigned i = 1; i < SEVERAL; i += 2)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	for (unsigned i = 0; i < SEVERAL; i++)
		CHECK_EQUAL(mutex_destroy(&several.mutexes[i]), HEDDLE_OK);
}
