/*
 * The locks that spin, yield, then suspend: exclusion and no lost wake-up with each strategy, sections that switch
 * and that wait, order, the last user's memory. Misuse and invalid strategies: strategy_misuse.c.
 */
#include <stdatomic.h>
#include <string.h>

#include "heddle/system.h"
#include "sched/wait.h"
#include "user/crew.h"
#include "user/test/strategy.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

/* ----------------------------------------------------------------------------------------- exclusion -- */

enum inside { NOTHING, YIELDS, WAITS };

struct shared {
	const struct strategy_kind *kind;
	struct waiting_strategy strategy;
	struct strategy_lock lock;
	enum inside inside;
	unsigned rounds;
	uint64_t end; /* clock: no more sections then */
	/* With the lock held. */
	uint64_t sections;
	unsigned holders, wrong;
};

static intptr_t nothing(void *unused)
{
	(void)unused;
	return 0;
}

static void be_inside(struct shared *shared, unsigned way)
{
	struct task *task;
	shared->wrong += shared->holders++ != 0;
	if (shared->inside == YIELDS && way % 3 == 0)
		task_yield();
	if (shared->inside == WAITS && way % 5 == 0 && task_create(&task, nothing, NULL, NULL) == HEDDLE_OK)
		task_join(task, NULL);
	shared->sections++;
	shared->wrong += --shared->holders != 0;
}

/* Returns how many sections it had. */
static intptr_t enter_repeatedly(size_t number, void *argument)
{
	struct shared *shared = argument;
	uint64_t random = heddle_seed() + number;
	intptr_t sections = 0;
	for (unsigned i = 0; i < shared->rounds && heddle_clock() < shared->end; i++) {
		uint32_t way = random_next(&random);
		bool tries = way % 4 == 0;
		enum heddle_error error =
		    tries ? shared->kind->try_lock(&shared->lock) : shared->kind->lock(&shared->lock);
		if (error != HEDDLE_OK)
			continue;
		be_inside(shared, way / 4);
		if (shared->kind->unlock(&shared->lock) == HEDDLE_OK)
			sections++;
		if (way % 7 == 0)
			task_yield();
	}
	return sections;
}

static void check_exclusion(struct test_state *test, struct shared *shared, size_t count, bool bound)
{
	struct crew crew = {.function = enter_repeatedly, .argument = shared, .count = count, .bound = bound};
	intptr_t sections = 0;
	shared->rounds = 2000 / (unsigned)count + 10;
	shared->end = after(300);
	CHECK_EQUAL(shared->kind->create(&shared->lock, &shared->strategy), HEDDLE_OK);
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &sections), HEDDLE_OK);
	const struct waiting_counters *counters = &shared->kind->common(&shared->lock)->counters;
	CHECK_EQUAL(shared->wrong, 0);
	CHECK_EQUAL(shared->sections, sections);
	CHECK_EQUAL(counters->at_once + counters->spun + counters->yielded + counters->suspended, sections);
	CHECK(counters->spun == 0 || shared->strategy.spins);
	CHECK(counters->suspended == 0 || (shared->strategy.suspends && shared->kind->suspends));
	CHECK_EQUAL(shared->kind->destroy(&shared->lock), HEDDLE_OK);
}

static void check_kind(struct test_state *test, const struct strategy_kind *kind)
{
	for (unsigned i = 0; i < STRATEGY_LETTERS; i++)
		for (enum inside inside = NOTHING; inside <= WAITS; inside++) {
			struct shared shared = {.kind = kind, .inside = inside};
			CHECK_EQUAL(waiting_parse(strategy_letters[i], &shared.strategy), HEDDLE_OK);
			check_exclusion(test, &shared, 2, i % 2);
			shared = (struct shared){.kind = kind, .inside = inside, .strategy = shared.strategy};
			check_exclusion(test, &shared, 12, i % 2 == 0);
		}
}

TEST(strategy_locks, exclude_ttas)
{
	check_kind(test, &strategy_kinds[0]);
}

TEST(strategy_locks, exclude_mcs)
{
	check_kind(test, &strategy_kinds[1]);
}

TEST(strategy_locks, exclude_cohort_of_one_queue)
{
	check_kind(test, &strategy_kinds[2]);
}

TEST(strategy_locks, exclude_cohort_by_processor)
{
	check_kind(test, &strategy_kinds[3]);
}

TEST(strategy_locks, exclude_cohort_by_node)
{
	check_kind(test, &strategy_kinds[4]);
}

TEST(strategy_locks, exclude_cohort_at_random)
{
	check_kind(test, &strategy_kinds[5]);
}

#define MANY 500

TEST(strategy_locks, many_tasks)
{
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		struct shared shared = {.kind = &strategy_kinds[i], .inside = YIELDS, .strategy = waiting_default};
		check_exclusion(test, &shared, MANY, false);
		shared = (struct shared){.kind = &strategy_kinds[i], .inside = YIELDS};
		CHECK_EQUAL(waiting_parse("adaptive", &shared.strategy), HEDDLE_OK);
		check_exclusion(test, &shared, MANY, false);
	}
}

/* With the shortest limits every stage is reached; with uncooperative sections, spinning alone is allowed. */
TEST(strategy_locks, limits)
{
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		struct shared shared = {.kind = &strategy_kinds[i], .inside = WAITS, .strategy = waiting_default};
		shared.strategy.spins_maximum = shared.strategy.spin_longest = shared.strategy.yields_maximum = 1;
		check_exclusion(test, &shared, 12, false);
		shared = (struct shared){.kind = &strategy_kinds[i],
		                         .inside = NOTHING,
		                         .strategy = {.spins = true, .uncooperative = true}};
		check_exclusion(test, &shared, 4, false);
	}
}

/* ------------------------------------------------------------------------------------ one at a time -- */

struct course {
	const struct strategy_kind *kind;
	struct strategy_lock lock;
	unsigned came;
	size_t order[8];
};

static enum heddle_error come(struct waiting *waiting)
{
	struct course *course = waiting->object;
	enum heddle_error error = course->kind->lock(&course->lock);
	if (error != HEDDLE_OK)
		return error;
	course->order[course->came++] = waiting->number;
	return course->kind->unlock(&course->lock);
}

static bool is_suspended(const struct task *task)
{
	return wait_is_under_way(task);
}

/* A task whose lock has a suspending stage reaches it, and does not come back by itself. */
static bool await_suspended(const struct task *task)
{
	uint64_t end = heddle_clock() + PATIENCE;
	while (!is_suspended(task) && heddle_clock() < end)
		task_sleep_until(heddle_clock() + MILLISECOND / 20);
	return is_suspended(task);
}

/* Behind one holder all waiting tasks are in one queue, if there is one. In the cohort lock the first of it is never
 * suspended. */
TEST(strategy_locks, first_come_first_served)
{
	for (unsigned kind = 1; kind <= 2; kind++) {
		struct course course = {.kind = &strategy_kinds[kind]};
		struct waiting waiting[8];
		CHECK_EQUAL(course.kind->create(&course.lock, NULL), HEDDLE_OK);
		CHECK_EQUAL(course.kind->lock(&course.lock), HEDDLE_OK);
		for (unsigned i = 0; i < 8; i++) {
			waiting[i] = (struct waiting){.wait = come, .object = &course, .number = i};
			CHECK(waiting_create(&waiting[i]));
			if (kind == 1 || i > 0)
				CHECK(await_suspended(waiting[i].task));
			else
				CHECK_EQUAL(task_sleep_until(after(20)), HEDDLE_OK);
		}
		CHECK_EQUAL(waiting[7].task->wait_cold.object.owner == &course.kind->common(&course.lock)->owner,
		            true);
		CHECK_EQUAL(atomic_load(waiting[7].task->wait_cold.object.owner) == task_current(), true);
		CHECK_EQUAL(course.kind->unlock(&course.lock), HEDDLE_OK);
		for (unsigned i = 0; i < 8; i++)
			CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
		for (unsigned i = 0; i < 8 && kind == 1; i++)
			CHECK_EQUAL(course.order[i], i);
		CHECK_EQUAL(course.came, 8);
	}
}

/* A task that is kept awake is suspended when it has waited for long. */
TEST(strategy_locks, awake_not_for_ever)
{
	struct waiting_strategy adaptive;
	struct course course = {.kind = &strategy_kinds[1]};
	struct waiting waiting = {.wait = come, .object = &course};
	CHECK_EQUAL(waiting_parse("adaptive", &adaptive), HEDDLE_OK);
	CHECK_EQUAL(course.kind->create(&course.lock, &adaptive), HEDDLE_OK);
	CHECK_EQUAL(course.kind->lock(&course.lock), HEDDLE_OK);
	atomic_store(&course.lock.mcs.queue.awake.room, 1);
	CHECK(waiting_create(&waiting));
	CHECK(await_suspended(waiting.task));
	CHECK_EQUAL(atomic_load(&course.lock.mcs.queue.awake.room), 0);
	CHECK_EQUAL(course.kind->unlock(&course.lock), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(course.came, 1);
}

/* ---------------------------------------------------------------------------------------- last user -- */

#define USERS   6
#define OBJECTS 100
#define OVER    0xa5

struct object {
	struct strategy_lock lock;
	_Atomic unsigned users; /* tasks whose last call has not returned */
};

struct objects {
	const struct strategy_kind *kind;
	struct object *all;
};

/* Counted down inside, so the last one to enter frees it when its own unlock has returned, wherever the others are in
 * theirs. */
static intptr_t use_each(size_t number, void *argument)
{
	const struct objects *objects = argument;
	for (unsigned i = 0; i < OBJECTS; i++) {
		struct object *object = &objects->all[i];
		if (objects->kind->lock(&object->lock) != HEDDLE_OK)
			return 0;
		bool last = atomic_fetch_sub_explicit(&object->users, 1, memory_order_relaxed) == 1;
		if ((number + i) % 5 == 0)
			task_yield();
		if (objects->kind->unlock(&object->lock) != HEDDLE_OK)
			return 0;
		if (last)
			memset(&object->lock, OVER, sizeof(object->lock));
	}
	return 1;
}

static bool is_overwritten(const struct strategy_lock *lock)
{
	const unsigned char *bytes = (const unsigned char *)lock;
	for (size_t i = 0; i < sizeof(*lock); i++)
		if (bytes[i] != OVER)
			return false;
	return true;
}

static void check_last_user(struct test_state *test, const struct objects *objects)
{
	struct crew crew = {.function = use_each, .argument = (void *)(uintptr_t)objects, .count = USERS};
	intptr_t done = 0;
	for (unsigned i = 0; i < OBJECTS; i++) {
		objects->all[i] = (struct object){.users = USERS};
		CHECK_EQUAL(objects->kind->create(&objects->all[i].lock, NULL), HEDDLE_OK);
	}
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
	CHECK_EQUAL(done, USERS);
	for (unsigned i = 0; i < OBJECTS; i++)
		CHECK(is_overwritten(&objects->all[i].lock));
}

TEST(strategy_locks, last_user_may_overwrite)
{
	size_t bytes = OBJECTS * sizeof(struct object);
	struct objects objects = {.all = heddle_allocate(bytes)};
	CHECK(objects.all);
	for (unsigned i = 0; i < STRATEGY_KINDS; i++) {
		objects.kind = &strategy_kinds[i];
		check_last_user(test, &objects);
	}
	heddle_free(objects.all, bytes);
}
