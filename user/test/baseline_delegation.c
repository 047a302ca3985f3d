/* The baselines of the delegation locks: nothing is lost, and no task is inside too early. */
#include <stdatomic.h>

#include "heddle/system.h"
#include "sync/baseline/ccsynch_lock.h"
#include "sync/baseline/drmcs_lock.h"
#include "user/crew.h"
#include "user/test/exclusion.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define MEMBERS 40
#define ROUNDS  1000

/* ------------------------------------------------------------------------------------------- cc-synch -- */

/* Only the lock protects `value`. */
struct combining {
	struct ccsynch_lock lock;
	struct ccsynch_node nodes[MEMBERS + 1];
	uint64_t value;
	_Atomic unsigned inside, wrong;
};

struct addition {
	struct combining *shared;
	uint64_t seen;
};

static void add(void *argument)
{
	struct addition *addition = argument;
	struct combining *shared = addition->shared;
	if (atomic_fetch_add_explicit(&shared->inside, 1, memory_order_relaxed) != 0)
		atomic_fetch_add_explicit(&shared->wrong, 1, memory_order_relaxed);
	addition->seen = shared->value++;
	atomic_fetch_sub_explicit(&shared->inside, 1, memory_order_relaxed);
}

/* The values that a task sees increase. */
static intptr_t add_repeatedly(size_t number, void *argument)
{
	struct combining *shared = argument;
	struct ccsynch_node *mine = &shared->nodes[number + 1];
	struct addition addition = {shared, 0};
	uint64_t last = 0;
	for (unsigned round = 0; round < ROUNDS; round++) {
		ccsynch_lock_run(&shared->lock, &mine, add, &addition);
		if (round > 0 && addition.seen <= last)
			atomic_fetch_add_explicit(&shared->wrong, 1, memory_order_relaxed);
		last = addition.seen;
		if ((round + number) % 8 == 5)
			task_yield();
	}
	return ROUNDS;
}

TEST(baseline, ccsynch_lock)
{
	struct combining *shared = heddle_allocate(sizeof(*shared));
	CHECK(shared);
	for (unsigned round = 0; round < 4; round++) {
		struct crew crew = {.function = add_repeatedly,
		                    .argument = shared,
		                    .count = round < 2 ? 2 : MEMBERS,
		                    .bound = round % 2};
		intptr_t sum;
		*shared = (struct combining){.value = 0};
		ccsynch_lock_create(&shared->lock, &shared->nodes[0]);
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &sum), HEDDLE_OK);
		CHECK_EQUAL(shared->value, sum);
		CHECK_EQUAL(atomic_load(&shared->wrong), 0);
	}
	heddle_free(shared, sizeof(*shared));
}

/* --------------------------------------------------------------------------------------------- DR-MCS -- */

struct reading {
	struct drmcs_lock lock;
	struct exclusion inside;
};

static intptr_t visit_repeatedly(size_t number, void *argument)
{
	struct reading *shared = argument;
	intptr_t written = 0;
	for (unsigned round = 0; round < ROUNDS / 2; round++) {
		bool writes = (round + number) % 4 == 0;
		(writes ? drmcs_write_lock : drmcs_read_lock)(&shared->lock);
		exclusion_visit(&shared->inside, writes, (round + number) % 16 < 2);
		(writes ? drmcs_write_unlock : drmcs_read_unlock)(&shared->lock);
		written += writes;
		if ((round + number) % 8 == 5)
			task_yield();
	}
	return written;
}

TEST(baseline, drmcs_lock)
{
	struct reading *shared = heddle_allocate(sizeof(*shared));
	CHECK(shared);
	for (unsigned round = 0; round < 4; round++) {
		struct crew crew = {.function = visit_repeatedly,
		                    .argument = shared,
		                    .count = round < 2 ? 2 : MEMBERS,
		                    .bound = round % 2};
		intptr_t written;
		*shared = (struct reading){.inside = {0}};
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &written), HEDDLE_OK);
		CHECK_EQUAL(shared->inside.value, written);
		CHECK_EQUAL(atomic_load(&shared->inside.wrong), 0);
	}
	heddle_free(shared, sizeof(*shared));
}

struct course {
	struct drmcs_lock lock;
	_Atomic unsigned step, writer_at, reader_at;
};

static intptr_t write_once(void *argument)
{
	struct course *course = argument;
	drmcs_write_lock(&course->lock);
	atomic_store(&course->writer_at, atomic_fetch_add(&course->step, 1) + 1);
	drmcs_write_unlock(&course->lock);
	return 0;
}

static intptr_t read_once(void *argument)
{
	struct course *course = argument;
	drmcs_read_lock(&course->lock);
	atomic_store(&course->reader_at, atomic_fetch_add(&course->step, 1) + 1);
	drmcs_read_unlock(&course->lock);
	return 0;
}

/* Readers are inside together; a writer that waits for them goes before a reader that comes later. */
TEST(baseline, drmcs_lock_prefers_writers)
{
	static struct course course;
	struct task *reader, *writer;
	course = (struct course){.step = 0};
	drmcs_read_lock(&course.lock);
	CHECK_EQUAL(task_create(&reader, read_once, &course, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_join(reader, NULL), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&course.reader_at), 1);
	CHECK_EQUAL(task_create(&writer, write_once, &course, NULL), HEDDLE_OK);
	while (!atomic_load(&course.lock.newest))
		task_yield();
	CHECK_EQUAL(task_create(&reader, read_once, &course, NULL), HEDDLE_OK);
	task_sleep_until(after(5));
	CHECK_EQUAL(atomic_load(&course.step), 1);
	drmcs_read_unlock(&course.lock);
	CHECK_EQUAL(task_join(writer, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_join(reader, NULL), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&course.writer_at), 2);
	CHECK_EQUAL(atomic_load(&course.reader_at), 3);
}
