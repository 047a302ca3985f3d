/*
 * The baselines of the exchange locks: no waiter is lost, none enters too early, the first to come is served first,
 * and the next one runs as the variant defines.
 */
#include <stdatomic.h>
#include <string.h>

#include "heddle/system.h"
#include "sched/wait.h"
#include "sync/baseline/dispatch_mutex.h"
#include "sync/baseline/dispatch_reader_writer_lock.h"
#include "sync/baseline/inline_mutex.h"
#include "sync/baseline/inline_reader_writer_lock.h"
#include "sync/baseline/spin_mutex.h"
#include "sync/baseline/spin_reader_writer_lock.h"
#include "user/crew.h"
#include "user/test/exclusion.h"
#include "user/test/test.h"

/* ------------------------------------------------------------------------------------------ variants -- */

union any_lock {
	struct dispatch_mutex dispatch_mutex;
	struct inline_mutex inline_mutex;
	struct spin_mutex spin_mutex;
	struct dispatch_reader_writer_lock dispatch_reader_writer_lock;
	struct inline_reader_writer_lock inline_reader_writer_lock;
	struct spin_reader_writer_lock spin_reader_writer_lock;
};

/* A mutex is a lock that all tasks take as writers. */
struct variant {
	void (*lock)(union any_lock *lock, bool writes);
	void (*unlock)(union any_lock *lock, bool writes);
	bool shared;
};

#define MUTEX_VARIANT(name)                                          \
	static void name##_lock_any(union any_lock *lock, bool writes)   \
	{                                                                \
		(void)writes;                                                \
		name##_lock(&lock->name);                                    \
	}                                                                \
	static void name##_unlock_any(union any_lock *lock, bool writes) \
	{                                                                \
		(void)writes;                                                \
		name##_unlock(&lock->name);                                  \
	}                                                                \
	static const struct variant name = {name##_lock_any, name##_unlock_any, false};

#define READER_WRITER_VARIANT(name)                                                            \
	static void name##_lock_any(union any_lock *lock, bool writes)                             \
	{                                                                                          \
		(writes ? name##_write_lock : name##_read_lock)(&lock->name##_reader_writer_lock);     \
	}                                                                                          \
	static void name##_unlock_any(union any_lock *lock, bool writes)                           \
	{                                                                                          \
		(writes ? name##_write_unlock : name##_read_unlock)(&lock->name##_reader_writer_lock); \
	}                                                                                          \
	static const struct variant name##_shared = {name##_lock_any, name##_unlock_any, true};

MUTEX_VARIANT(dispatch_mutex)
MUTEX_VARIANT(inline_mutex)
MUTEX_VARIANT(spin_mutex)
READER_WRITER_VARIANT(dispatch)
READER_WRITER_VARIANT(inline)
READER_WRITER_VARIANT(spin)

/* ----------------------------------------------------------------------------------------- exclusion -- */

/* Every fourth time a task writes. */
struct contest {
	const struct variant *variant;
	union any_lock lock;
	unsigned rounds;
	bool bound;
	struct exclusion inside;
};

static intptr_t enter_repeatedly(size_t number, void *argument)
{
	struct contest *shared = argument;
	intptr_t written = 0;
	for (unsigned round = 0; round < shared->rounds; round++) {
		bool writes = !shared->variant->shared || (round + number) % 4 == 0;
		shared->variant->lock(&shared->lock, writes);
		if (shared->bound && heddle_processor() != number % heddle_processors())
			atomic_fetch_add_explicit(&shared->inside.wrong, 1, memory_order_relaxed);
		exclusion_visit(&shared->inside, writes, (round + number) % 16 < 2);
		shared->variant->unlock(&shared->lock, writes);
		written += writes;
		if ((round + number) % 8 == 5)
			task_yield();
	}
	return written;
}

static void check_exclusion_of(struct test_state *test, const struct variant *variant, size_t count,
                               bool bound)
{
	struct contest shared = {.variant = variant, .bound = bound, .rounds = 30000 / (unsigned)count};
	struct crew crew = {.function = enter_repeatedly, .argument = &shared, .count = count, .bound = bound};
	intptr_t written;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &written), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&shared.inside.wrong), 0);
	CHECK_EQUAL(shared.inside.value, written);
}

/* With two tasks, the lock is often given up just when the other has seen it locked; also with many. */
static void check_exclusion(struct test_state *test, const struct variant *variant)
{
	for (unsigned bound = 0; bound < 2; bound++) {
		check_exclusion_of(test, variant, 2, bound);
		check_exclusion_of(test, variant, 2 * heddle_processors() + 6, bound);
	}
}

/* --------------------------------------------------------------------------------- order of the next -- */

#define STEPS 32

/* What happens on one processor, one letter per step: X enters, x has left. */
struct course {
	const struct variant *variant;
	union any_lock lock;
	char steps[STEPS + 1];
	unsigned count;
	bool yields;
};

struct visitor {
	struct course *course;
	struct task *task;
	char letter;
	bool writes;
};

HEDDLE_UNCOOPERATIVE_FUNCTION static void note(struct course *course, char letter)
{
	if (course->count < STEPS)
		course->steps[course->count++] = letter;
}

static intptr_t visit(void *argument)
{
	struct visitor *visitor = argument;
	struct course *course = visitor->course;
	course->variant->lock(&course->lock, visitor->writes);
	note(course, visitor->letter);
	if (course->yields) {
		task_yield();
		note(course, '+');
	}
	course->variant->unlock(&course->lock, visitor->writes);
	note(course, (char)(visitor->letter | 0x20));
	return 0;
}

/* A task that waits here has also run its finalizer, because this is its processor. None should enter. */
static void await_visitor(const struct visitor *visitor)
{
	while (!wait_is_under_way(visitor->task) && visitor->course->count == 0)
		task_yield();
}

/* Be inside while visitors come, one letter each, lower case for a reader; then leave, recorded as '.'. */
static enum heddle_error run_course(struct course *course, bool writes, const char *visitors)
{
	struct visitor visits[STEPS];
	struct task_options options = HEDDLE_TASK_OPTIONS;
	unsigned made = 0;
	options.bound = true;
	options.processor = (int)heddle_processor();
	enum heddle_error error = task_bind(options.processor);
	course->variant->lock(&course->lock, writes);
	for (; visitors[made] && error == HEDDLE_OK; made++) {
		char letter = visitors[made];
		visits[made] = (struct visitor){course, NULL, (char)(letter & ~0x20), !(letter & 0x20)};
		error = task_create(&visits[made].task, visit, &visits[made], &options);
		if (error != HEDDLE_OK)
			break;
		await_visitor(&visits[made]);
	}
	course->variant->unlock(&course->lock, writes);
	note(course, '.');
	for (unsigned i = 0; i < made; i++)
		task_join(visits[i].task, NULL);
	return error;
}

static void compare_steps(struct test_state *test, const struct course *course, const char *visitors,
                          const char *expected)
{
	if (strcmp(course->steps, expected) != 0)
		heddle_print("%s came as %s instead of %s", visitors, course->steps, expected);
	CHECK(strcmp(course->steps, expected) == 0);
}

static void check_course(struct test_state *test, const struct variant *variant, const char *visitors,
                         bool yields, const char *expected)
{
	struct course course = {.variant = variant, .yields = yields};
	CHECK_EQUAL(run_course(&course, true, visitors), HEDDLE_OK);
	compare_steps(test, &course, visitors, expected);
}

/* A reader is inside, a writer comes, then another reader, which must not go first. */
static void check_order_behind_reader(struct test_state *test, const struct variant *variant,
                                      const char *expected)
{
	struct course course = {.variant = variant};
	CHECK_EQUAL(run_course(&course, false, "Ab"), HEDDLE_OK);
	compare_steps(test, &course, "Ab", expected);
}

/* Readers together with a reader: if one waited, both would wait for ever. */
static intptr_t read_twice(void *argument)
{
	struct course *course = argument;
	for (unsigned i = 0; i < 2; i++) {
		course->variant->lock(&course->lock, false);
		course->variant->unlock(&course->lock, false);
	}
	return 0;
}

static void check_readers_together(struct test_state *test, const struct variant *variant)
{
	struct course course = {.variant = variant};
	struct task *task;
	variant->lock(&course.lock, false);
	enum heddle_error error = task_create(&task, read_twice, &course, NULL);
	if (error == HEDDLE_OK)
		error = task_join(task, NULL);
	variant->unlock(&course.lock, false);
	CHECK_EQUAL(error, HEDDLE_OK);
}

/* --------------------------------------------------------------------------------------------- tests -- */

TEST(baseline, dispatch_mutex)
{
	check_exclusion(test, &dispatch_mutex);
	check_course(test, &dispatch_mutex, "ABC", false, ".AaBbCc");
	check_course(test, &dispatch_mutex, "A", true, ".A+a");
}

/* They leave in the inverse of the order in which they came. */
TEST(baseline, inline_mutex)
{
	check_exclusion(test, &inline_mutex);
	check_course(test, &inline_mutex, "ABC", false, "ABCcba.");
	check_course(test, &inline_mutex, "A", true, "A.+a");
}

TEST(baseline, spin_mutex)
{
	check_exclusion(test, &spin_mutex);
	check_course(test, &spin_mutex, "ABC", false, "ABCc.ab");
	check_course(test, &spin_mutex, "A", true, "A.+a");
}

TEST(baseline, dispatch_reader_writer_lock)
{
	check_exclusion(test, &dispatch_shared);
	check_readers_together(test, &dispatch_shared);
	check_order_behind_reader(test, &dispatch_shared, ".AaBb");
	check_course(test, &dispatch_shared, "ABC", false, ".AaBbCc");
	check_course(test, &dispatch_shared, "abCd", false, ".AaBbCcDd");
	check_course(test, &dispatch_shared, "abCd", true, ".AB+a+bC+cD+d");
}

TEST(baseline, inline_reader_writer_lock)
{
	check_exclusion(test, &inline_shared);
	check_readers_together(test, &inline_shared);
	check_order_behind_reader(test, &inline_shared, "ABba.");
	check_course(test, &inline_shared, "ABC", false, "ABCcba.");
	check_course(test, &inline_shared, "abCd", false, "AaBCDdcb.");
}

TEST(baseline, spin_reader_writer_lock)
{
	check_exclusion(test, &spin_shared);
	check_readers_together(test, &spin_shared);
	check_order_behind_reader(test, &spin_shared, "ABb.a");
	check_course(test, &spin_shared, "ABC", false, "ABCc.ab");
	check_course(test, &spin_shared, "abCd", false, "AaBCDd.bc");
}
