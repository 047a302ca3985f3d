/*
 * Where tasks run: bound ones on their processor, others wherever there is time.
 */
#include <stdatomic.h>

#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/test.h"

static intptr_t stay(size_t number, void *argument)
{
	unsigned home = (unsigned)(number % heddle_processors());
	intptr_t elsewhere = 0;
	(void)argument;
	for (unsigned round = 0; round < 50; round++) {
		elsewhere += heddle_processor() != home;
		if (round % 10 == 9)
			task_sleep_until(heddle_clock() + 100000);
		else
			task_yield();
	}
	return elsewhere;
}

TEST(bind, from_the_start)
{
	struct crew crew = {.function = stay, .count = 3 * heddle_processors(), .bound = true};
	intptr_t elsewhere;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &elsewhere), HEDDLE_OK);
	CHECK_EQUAL(elsewhere, 0);
}

TEST(bind, goes_there_before_it_returns)
{
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < heddle_processors(); i++) {
			CHECK_EQUAL(task_bind((int)i), HEDDLE_OK);
			CHECK_EQUAL(heddle_processor(), i);
			task_yield();
			CHECK_EQUAL(heddle_processor(), i);
		}
	}
	CHECK_EQUAL(task_bind(HEDDLE_TASK_ANY_PROCESSOR), HEDDLE_OK);
	task_yield();
}

TEST(bind, bad_arguments)
{
	CHECK_EQUAL(task_bind((int)heddle_processors()), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(task_bind(-2), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(task_bind(INT32_MAX), HEDDLE_BAD_ARGUMENT);
}

static intptr_t wander(size_t number, void *argument)
{
	uint64_t rounds = *(const uint64_t *)argument, random = heddle_seed() + number;
	intptr_t wrong = 0;
	for (uint64_t round = 0; round < rounds; round++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		int target = (int)((random >> 33) % (heddle_processors() + 1)) - 1;
		if (task_bind(target) != HEDDLE_OK || (target >= 0 && heddle_processor() != (unsigned)target))
			wrong++;
		task_yield();
		if (target >= 0 && heddle_processor() != (unsigned)target)
			wrong++;
	}
	return wrong;
}

TEST(bind, wanderers)
{
	uint64_t rounds = 4000 / heddle_processors() + 10;
	struct crew crew = {.function = wander, .argument = &rounds, .count = heddle_processors() + 4};
	intptr_t wrong;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &wrong), HEDDLE_OK);
	CHECK_EQUAL(wrong, 0);
}

/* Tasks that run at the same time without a switch, so each on a different processor. */
struct gathering {
	unsigned wanted;
	_Atomic unsigned arrived;
	uint64_t end;
};

static intptr_t wait_busily(size_t number, void *argument)
{
	struct gathering *gathering = argument;
	(void)number;
	atomic_fetch_add_explicit(&gathering->arrived, 1, memory_order_relaxed);
	while (heddle_clock() < gathering->end)
		if (atomic_load_explicit(&gathering->arrived, memory_order_relaxed) >= gathering->wanted)
			return 1;
	return 0;
}

static intptr_t gather(unsigned count, uint64_t seconds)
{
	struct gathering gathering = {.wanted = count, .end = heddle_clock() + seconds * 1000000000};
	struct crew crew = {.function = wait_busily, .argument = &gathering, .count = count};
	intptr_t met = -1;
	if (crew_create(&crew) != HEDDLE_OK)
		return -1;
	crew_start(&crew);
	crew_join(&crew, &met);
	return met;
}

/* At most four: many emulated processors that spin on few real ones would delay each other for half a minute. */
TEST(bind, busy_tasks_run_apart)
{
	unsigned most = heddle_processors() < 4 ? heddle_processors() : 4;
	if (most < 2) {
		test_skip(test, "needs two processors");
		return;
	}
	for (unsigned round = 0; round < 10; round++)
		for (unsigned count = 2; count <= most; count++)
			CHECK_EQUAL(gather(count, 10), count);
}
