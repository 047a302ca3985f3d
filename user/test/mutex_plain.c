/* A mutex that is unlocked by a plain store, because no task has waited for it for long (sync/mutex_plain.h). */
#include "heddle/condition.h"
#include "heddle/mutex.h"
#include "user/crew.h"
#include "user/test/mutex_plain.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

static uintptr_t word_of(const struct mutex *mutex)
{
	return atomic_load_explicit(&mutex->word, memory_order_relaxed);
}

/* Returns whether every call succeeded. */
static bool use(struct mutex *mutex, unsigned times)
{
	for (unsigned i = 0; i < times; i++)
		if (mutex_lock(mutex) != HEDDLE_OK || mutex_unlock(mutex) != HEDDLE_OK)
			return false;
	return true;
}

static enum heddle_error lock_and_unlock(struct waiting *waiting)
{
	enum heddle_error error = mutex_lock(waiting->object);
	return error == HEDDLE_OK ? mutex_unlock(waiting->object) : error;
}

static enum heddle_error lock_until(struct waiting *waiting)
{
	return mutex_lock_until(waiting->object, waiting->deadline);
}

TEST(mutex_plain, after_locks_without_a_wait)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	CHECK(use(&mutex, MUTEX_PERIOD - 2));
	CHECK_EQUAL(word_of(&mutex), MUTEX_FREE);
	CHECK(use(&mutex, 1));
	CHECK_EQUAL(word_of(&mutex), MUTEX_PLAIN);
	CHECK_EQUAL(mutex_try_lock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(word_of(&mutex), MUTEX_PLAIN | MUTEX_LOCKED);
	CHECK_EQUAL(mutex_try_lock(&mutex), HEDDLE_RELOCKED);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_OK);
}

/* And then needs more of them. */
TEST(mutex_plain, until_a_task_waits)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct waiting waiting = {.wait = lock_and_unlock, .object = &mutex};
	CHECK(use(&mutex, MUTEX_PERIOD));
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	CHECK(waiting_start(&waiting));
	CHECK(word_of(&mutex) && mutex_word_waiter(word_of(&mutex)));
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(word_of(&mutex), MUTEX_FREE);
	CHECK_EQUAL(mutex.counters.contended, 1);
	/* The period in which the task waited, and one more than before. */
	CHECK(use(&mutex, 2 * MUTEX_PERIOD));
	CHECK_EQUAL(word_of(&mutex), MUTEX_FREE);
	CHECK(use(&mutex, MUTEX_PERIOD));
	CHECK_EQUAL(word_of(&mutex), MUTEX_PLAIN);
}

/* A deadline that has passed when the task comes there, on a busy host, begins no wait. */
TEST(mutex_plain, until_a_task_waits_with_a_deadline)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	CHECK(use(&mutex, MUTEX_PERIOD));
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	for (uint64_t patience = 5; mutex_word_is_plain(word_of(&mutex)) && patience < 10000; patience *= 2) {
		struct waiting waiting = {.wait = lock_until, .object = &mutex, .deadline = after(patience)};
		CHECK(waiting_create(&waiting));
		CHECK_EQUAL(waiting_end(&waiting), HEDDLE_TIMED_OUT);
	}
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(word_of(&mutex), MUTEX_FREE);
	CHECK_EQUAL(mutex_destroy(&mutex), HEDDLE_OK);
}

TEST(mutex_plain, when_its_holder_ends)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct waiting holder = {.wait = lock_until, .object = &mutex, .deadline = HEDDLE_NO_DEADLINE};
	CHECK(use(&mutex, MUTEX_PERIOD));
	CHECK(waiting_create(&holder));
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_OK); /* it ends with the mutex, which is in the log */
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(mutex_repair(&mutex), HEDDLE_OK);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
}

struct held {
	struct mutex mutex;
	_Atomic bool is_held, is_over;
};

static enum heddle_error hold(struct waiting *waiting)
{
	struct held *held = waiting->object;
	enum heddle_error error = mutex_lock(&held->mutex);
	atomic_store_explicit(&held->is_held, true, memory_order_release);
	while (!atomic_load_explicit(&held->is_over, memory_order_acquire))
		task_yield();
	return error == HEDDLE_OK ? mutex_unlock(&held->mutex) : error;
}

static enum heddle_error lock_held(struct waiting *waiting)
{
	return mutex_lock(&((struct held *)waiting->object)->mutex);
}

/* A task that must not wait leaves it as it is. */
TEST(mutex_plain, not_turned_in_an_uncooperative_region)
{
	struct held held = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct waiting holder = {.wait = hold, .object = &held}, other = {.wait = lock_held, .object = &held};
	CHECK(use(&held.mutex, MUTEX_PERIOD));
	CHECK(waiting_create(&holder));
	while (!atomic_load_explicit(&held.is_held, memory_order_acquire))
		task_yield();
	CHECK_EQUAL(uncooperatively(&other), HEDDLE_UNCOOPERATIVE);
	CHECK_EQUAL(mutex_try_lock(&held.mutex), HEDDLE_BUSY);
	CHECK_EQUAL(word_of(&held.mutex), MUTEX_PLAIN | MUTEX_LOCKED);
	atomic_store_explicit(&held.is_over, true, memory_order_release);
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_OK);
	CHECK_EQUAL(word_of(&held.mutex), MUTEX_PLAIN);
}

/* A condition's waiters are put into the queue by others. */
TEST(mutex_plain, never_with_a_condition)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct condition condition = HEDDLE_CONDITION_INITIALIZER;
	CHECK(use(&mutex, MUTEX_PERIOD));
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(condition_wait_until(&condition, &mutex, after(1)), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(word_of(&mutex), MUTEX_LOCKED);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK(use(&mutex, 4 * MUTEX_PERIOD));
	CHECK_EQUAL(word_of(&mutex), MUTEX_FREE);
}

/* In another order than they were locked. */
TEST(mutex_plain, several_at_once)
{
	struct mutex mutexes[3] = {HEDDLE_MUTEX_INITIALIZER};
	for (unsigned i = 0; i < 3; i++)
		CHECK(use(&mutexes[i], MUTEX_PERIOD));
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQUAL(mutex_lock(&mutexes[i]), HEDDLE_OK);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQUAL(mutex_unlock(&mutexes[i]), HEDDLE_OK);
	for (unsigned i = 0; i < 3; i++) {
		CHECK(mutex_word_is_free(word_of(&mutexes[i])));
		CHECK_EQUAL(mutex_lock(&mutexes[i]), HEDDLE_OK);
		CHECK_EQUAL(mutex_unlock(&mutexes[i]), HEDDLE_OK);
	}
}

/* -------------------------------------------------------------------------------------------- turning -- */

#define MEMBERS 8
#define TURNS   2000

/* Each member mostly locks a mutex of its own. */
static struct owned {
	struct mutex mutex;
	uint64_t sum;
	unsigned inside, wrong;
} owned[MEMBERS];

static bool add(struct owned *to)
{
	if (mutex_lock(&to->mutex) != HEDDLE_OK)
		return false;
	to->wrong += to->inside++ != 0;
	to->sum++;
	to->wrong += --to->inside != 0;
	return mutex_unlock(&to->mutex) == HEDDLE_OK;
}

static intptr_t visit(size_t number, void *unused)
{
	(void)unused;
	uint64_t random = number;
	for (unsigned i = 0; i < TURNS; i++) {
		unsigned repeats = random_next(&random) % 64;
		make_plain(&owned[number].mutex);
		while (repeats-- > 0)
			if (!add(&owned[number]))
				return 0;
		if (!add(&owned[random_next(&random) % MEMBERS]))
			return 0;
		if (i % 16 == 0)
			task_yield();
	}
	return 1;
}

TEST(mutex_plain, excludes_visitors)
{
	struct crew crew = {.name = "visitor", .function = visit, .count = MEMBERS, .bound = true};
	intptr_t done = 0;
	uint64_t sum = 0, acquisitions = 0;
	for (unsigned i = 0; i < MEMBERS; i++)
		owned[i] = (struct owned){.mutex = HEDDLE_MUTEX_INITIALIZER};
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
	CHECK_EQUAL(done, MEMBERS);
	for (unsigned i = 0; i < MEMBERS; i++) {
		CHECK_EQUAL(owned[i].wrong, 0);
		CHECK_EQUAL(mutex_destroy(&owned[i].mutex), HEDDLE_OK);
		sum += owned[i].sum;
		acquisitions += owned[i].mutex.counters.acquisitions;
	}
	CHECK_EQUAL(sum, acquisitions);
	CHECK(sum > MEMBERS * TURNS);
}
