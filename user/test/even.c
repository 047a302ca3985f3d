/*
 * Busy processors balance how many tasks wait on each (sched/balance.h): tasks that were all made ready on one of
 * three move to the others, though these never look for work.
 */
#include <stdatomic.h>

#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/test.h"

#define PROCESSORS 3
#define WANDERERS  30
#define ENOUGH     5 /* of them on each processor: an even share is 10 */
#define SECONDS    20

struct spread {
	_Atomic unsigned busy; /* processors with a yielding task bound to them */
	atomic_bool done;
	_Atomic uint8_t place[WANDERERS];
};

static intptr_t keep_busy(void *argument)
{
	struct spread *spread = argument;
	atomic_fetch_add_explicit(&spread->busy, 1, memory_order_relaxed);
	while (!atomic_load_explicit(&spread->done, memory_order_relaxed))
		task_yield();
	return 0;
}

static intptr_t wander(size_t number, void *argument)
{
	struct spread *spread = argument;
	while (!atomic_load_explicit(&spread->done, memory_order_relaxed)) {
		atomic_store_explicit(&spread->place[number], (uint8_t)heddle_processor(), memory_order_relaxed);
		task_yield();
	}
	return 0;
}

static bool is_even(struct spread *spread)
{
	unsigned count[PROCESSORS] = {0};
	for (unsigned i = 0; i < WANDERERS; i++)
		count[atomic_load_explicit(&spread->place[i], memory_order_relaxed) % PROCESSORS]++;
	for (unsigned i = 0; i < PROCESSORS; i++)
		if (count[i] < ENOUGH)
			return false;
	return true;
}

static bool comes(struct spread *spread)
{
	uint64_t end = heddle_clock() + SECONDS * UINT64_C(1000000000);
	bool even = false;
	while (!even && heddle_clock() < end) {
		task_yield();
		even = is_even(spread);
	}
	return even;
}

TEST(even, comes_even)
{
	struct spread spread = {.busy = 0};
	struct task *busy[PROCESSORS];
	intptr_t sum;
	struct crew crew = {.function = wander, .argument = &spread, .count = WANDERERS};
	if (heddle_processors() != PROCESSORS) {
		test_skip(test, "needs three processors");
		return;
	}
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	for (unsigned i = 0; i < PROCESSORS; i++) {
		struct task_options options = HEDDLE_TASK_OPTIONS;
		options.bound = true;
		options.processor = (int)i;
		CHECK_EQUAL(task_create(&busy[i], keep_busy, &spread, &options), HEDDLE_OK);
	}
	while (atomic_load_explicit(&spread.busy, memory_order_relaxed) < PROCESSORS)
		task_yield();
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK(comes(&spread));
	atomic_store_explicit(&spread.done, true, memory_order_relaxed);
	for (unsigned i = 0; i < PROCESSORS; i++)
		CHECK_EQUAL(task_join(busy[i], &sum), HEDDLE_OK);
	CHECK_EQUAL(crew_join(&crew, &sum), HEDDLE_OK);
	CHECK_EQUAL(task_bind(HEDDLE_TASK_ANY_PROCESSOR), HEDDLE_OK);
}
