/* The semaphore: permits, order, large requests, deadlines, misuse. */
#include "heddle/semaphore.h"

#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

static enum heddle_error acquire(struct waiting *waiting)
{
	return semaphore_acquire_until(waiting->object, (uint32_t)waiting->number, waiting->deadline);
}

static struct waiting acquirer(struct semaphore *semaphore, uint32_t count)
{
	return (struct waiting){
	    .wait = acquire, .object = semaphore, .number = count, .deadline = HEDDLE_NO_DEADLINE};
}

/* ------------------------------------------------------------------------------------------- permits -- */

TEST(semaphore, permits)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(3);
	CHECK_EQUAL(semaphore_permits(&semaphore), 3);
	CHECK_EQUAL(semaphore_acquire(&semaphore, 2), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), 1);
	CHECK_EQUAL(semaphore_try_acquire(&semaphore, 2), HEDDLE_BUSY);
	CHECK_EQUAL(semaphore_try_acquire(&semaphore, 1), HEDDLE_OK);
	CHECK_EQUAL(semaphore_try_acquire(&semaphore, 1), HEDDLE_BUSY);
	CHECK_EQUAL(semaphore_release(&semaphore, 3), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), 3);
	CHECK_EQUAL(semaphore_destroy(&semaphore), HEDDLE_OK);
}

TEST(semaphore, none_and_too_many)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(0);
	CHECK_EQUAL(semaphore_acquire(&semaphore, 0), HEDDLE_OK);
	CHECK_EQUAL(semaphore_try_acquire(&semaphore, 0), HEDDLE_OK);
	CHECK_EQUAL(semaphore_release(&semaphore, 0), HEDDLE_OK);
	CHECK_EQUAL(semaphore_acquire(&semaphore, HEDDLE_SEMAPHORE_MAXIMUM + 1), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(semaphore_try_acquire(&semaphore, UINT32_MAX), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(semaphore_release(&semaphore, HEDDLE_SEMAPHORE_MAXIMUM), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), HEDDLE_SEMAPHORE_MAXIMUM);
	CHECK_EQUAL(semaphore_acquire(&semaphore, HEDDLE_SEMAPHORE_MAXIMUM), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), 0);
}

/* A debug build panics: user/demo/misbehave.c. */
#ifndef HEDDLE_DEBUG
TEST(semaphore, misuse_changes_nothing)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(1);
	struct waiting waiting = acquirer(&semaphore, 5);
	CHECK_EQUAL(semaphore_release(&semaphore, HEDDLE_SEMAPHORE_MAXIMUM), HEDDLE_OVERFLOW);
	CHECK_EQUAL(semaphore_release(&semaphore, UINT32_MAX), HEDDLE_OVERFLOW);
	CHECK_EQUAL(semaphore_permits(&semaphore), 1);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(semaphore_destroy(&semaphore), HEDDLE_IN_USE);
	/* With a waiting task it takes another path. */
	CHECK_EQUAL(semaphore_release(&semaphore, HEDDLE_SEMAPHORE_MAXIMUM), HEDDLE_OVERFLOW);
	CHECK_EQUAL(semaphore_release(&semaphore, UINT32_MAX), HEDDLE_OVERFLOW);
	CHECK_EQUAL(semaphore_permits(&semaphore), 1);
	CHECK_EQUAL(semaphore_release(&semaphore, 4), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), 0);
	CHECK_EQUAL(semaphore_destroy(&semaphore), HEDDLE_OK);
}
#endif

/* --------------------------------------------------------------------------------------------- order -- */

/* A release lets as many tasks go as it has permits for, in order, and no others. */
TEST(semaphore, release_of_several)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(0);
	struct waiting waiting[6];
	for (unsigned i = 0; i < 6; i++) {
		waiting[i] = acquirer(&semaphore, 2);
		waiting[i].bound = i % 2;
		waiting[i].processor = i;
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK_EQUAL(semaphore_release(&semaphore, 7), HEDDLE_OK);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	for (unsigned i = 3; i < 6; i++)
		CHECK(task_waits(waiting[i].task));
	CHECK_EQUAL(semaphore_permits(&semaphore), 1);
	/* The remaining permits belong to the waiting tasks. */
	CHECK_EQUAL(semaphore_try_acquire(&semaphore, 1), HEDDLE_BUSY);
	CHECK_EQUAL(semaphore_acquire_until(&semaphore, 1, 0), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(semaphore_release(&semaphore, 6), HEDDLE_OK);
	for (unsigned i = 3; i < 6; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), 1);
	CHECK_EQUAL(semaphore_destroy(&semaphore), HEDDLE_OK);
}

/* Tasks behind it wait, though there would be enough permits for them. */
TEST(semaphore, a_large_request_goes_first)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(2);
	struct waiting large = acquirer(&semaphore, 10), small = acquirer(&semaphore, 1);
	CHECK(waiting_start(&large));
	CHECK(waiting_start(&small));
	CHECK_EQUAL(semaphore_try_acquire(&semaphore, 1), HEDDLE_BUSY);
	for (unsigned i = 0; i < 7; i++)
		CHECK_EQUAL(semaphore_release(&semaphore, 1), HEDDLE_OK);
	CHECK(task_waits(large.task) && task_waits(small.task));
	CHECK_EQUAL(semaphore_release(&semaphore, 1), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&large), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), 0);
	CHECK(task_waits(small.task));
	CHECK_EQUAL(semaphore_release(&semaphore, 1), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&small), HEDDLE_OK);
	CHECK_EQUAL(semaphore_destroy(&semaphore), HEDDLE_OK);
}

struct small_change {
	struct semaphore semaphore;
	_Atomic bool over;
};

static intptr_t take_small(size_t number, void *argument)
{
	struct small_change *change = argument;
	(void)number;
	while (!atomic_load_explicit(&change->over, memory_order_relaxed)) {
		semaphore_acquire(&change->semaphore, 1);
		task_yield();
		semaphore_release(&change->semaphore, 1);
	}
	return 0;
}

/* While small requests keep coming, a large one gets all the permits, again and again. */
TEST(semaphore, a_large_request_is_not_starved)
{
	struct small_change change = {.semaphore = HEDDLE_SEMAPHORE_INITIALIZER(4)};
	struct crew crew = {.function = take_small, .argument = &change, .count = 8};
	intptr_t unused;
	bool in_time = true;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	for (unsigned i = 0; i < 20 && in_time; i++) {
		in_time = semaphore_acquire_until(&change.semaphore, 4, heddle_clock() + PATIENCE) == HEDDLE_OK;
		if (in_time)
			semaphore_release(&change.semaphore, 4);
	}
	atomic_store_explicit(&change.over, true, memory_order_relaxed);
	CHECK_EQUAL(crew_join(&crew, &unused), HEDDLE_OK);
	CHECK(in_time);
	CHECK_EQUAL(semaphore_permits(&change.semaphore), 4);
	CHECK_EQUAL(semaphore_destroy(&change.semaphore), HEDDLE_OK);
}

/* ----------------------------------------------------------------------------------------- deadlines -- */

/* The first gives up: those behind it get the permits that it waited for. */
TEST(semaphore, a_task_that_gives_up_lets_others_by)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(3);
	struct waiting large = acquirer(&semaphore, 5), small[3];
	/* Usually late enough for the others to come first; they get their permits in any case. */
	large.deadline = after(10);
	CHECK(waiting_create(&large));
	for (unsigned i = 0; i < 3; i++) {
		small[i] = acquirer(&semaphore, 1);
		CHECK(waiting_create(&small[i]));
	}
	CHECK_EQUAL(waiting_end(&large), HEDDLE_TIMED_OUT);
	CHECK(heddle_clock() >= large.deadline);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQUAL(waiting_end(&small[i]), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), 0);
	CHECK_EQUAL(semaphore_acquire_until(&semaphore, 1, 1), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(semaphore_release(&semaphore, 1), HEDDLE_OK);
	CHECK_EQUAL(semaphore_acquire_until(&semaphore, 1, 1), HEDDLE_OK);
	CHECK_EQUAL(semaphore_destroy(&semaphore), HEDDLE_OK);
}

static intptr_t poll(size_t number, void *argument)
{
	struct semaphore *semaphore = argument;
	uint64_t end = after(150);
	intptr_t got = 0;
	for (unsigned i = 0; i < 3000 && heddle_clock() < end; i++) {
		uint32_t count = 1 + (uint32_t)(number + i) % 3;
		if (semaphore_acquire_until(semaphore, count, heddle_clock() + i % 7 * 500) != HEDDLE_OK)
			continue;
		got++;
		semaphore_release(semaphore, count);
	}
	return got;
}

/* Deadlines pass while permits come: none is lost, and none is created. */
TEST(semaphore, deadlines_against_releases)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(3);
	struct crew crew = {.function = poll, .argument = &semaphore, .count = 8};
	intptr_t got = 0;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &got), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), 3);
	CHECK_EQUAL(semaphore_try_acquire(&semaphore, 3), HEDDLE_OK);
	CHECK_EQUAL(semaphore_destroy(&semaphore), HEDDLE_OK);
	CHECK(got > 0);
}

/* ------------------------------------------------------------------------------ uncooperative regions -- */

static enum heddle_error release(struct waiting *waiting)
{
	return semaphore_release(waiting->object, (uint32_t)waiting->number);
}

TEST(semaphore, uncooperative_regions)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(1);
	struct waiting waiting = acquirer(&semaphore, 3), inside = acquirer(&semaphore, 1);
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_UNCOOPERATIVE);
	CHECK(waiting_start(&waiting));
	inside.wait = release;
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(semaphore_permits(&semaphore), 0);
	CHECK_EQUAL(semaphore_destroy(&semaphore), HEDDLE_OK);
}

/* -------------------------------------------------------------------------------------------- stress -- */

#define PERMITS 5

struct pool_of_permits {
	struct semaphore semaphore;
	_Atomic int64_t taken;
	_Atomic unsigned wrong;
};

static intptr_t take_some(size_t number, void *argument)
{
	struct pool_of_permits *pool = argument;
	uint64_t random = heddle_seed() + number;
	bool rude = false;
	for (unsigned i = 0; i < 100; i++) {
		uint32_t draw = random_next(&random), count = 1 + draw % PERMITS;
		if (draw & 0x100 ? semaphore_try_acquire(&pool->semaphore, count) != HEDDLE_OK
		                 : semaphore_acquire(&pool->semaphore, count) != HEDDLE_OK)
			continue;
		int64_t taken = atomic_fetch_add(&pool->taken, count) + count;
		if (taken > PERMITS)
			atomic_fetch_add(&pool->wrong, 1);
		if (draw & 0x200)
			task_yield();
		atomic_fetch_sub(&pool->taken, count);
		/* Sometimes where it cannot wait for the serving task. */
		struct waiting inside = {.wait = release, .object = &pool->semaphore, .number = count};
		rude = !rude;
		if ((rude ? uncooperatively(&inside) : semaphore_release(&pool->semaphore, count)) != HEDDLE_OK)
			atomic_fetch_add(&pool->wrong, 1);
	}
	return 1;
}

TEST(semaphore, gives_no_more_than_it_has)
{
	for (int bound = 0; bound <= 1; bound++) {
		struct pool_of_permits pool = {.semaphore = HEDDLE_SEMAPHORE_INITIALIZER(PERMITS)};
		struct crew crew = {.function = take_some, .argument = &pool, .count = 30, .bound = bound};
		intptr_t done = 0;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, 30);
		CHECK_EQUAL(atomic_load(&pool.wrong), 0);
		CHECK_EQUAL(semaphore_permits(&pool.semaphore), PERMITS);
		CHECK_EQUAL(semaphore_destroy(&pool.semaphore), HEDDLE_OK);
	}
}
