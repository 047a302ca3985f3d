/*
 * Whole stacks of many megabytes: all of it may be used, with switches far down; what goes further ends its task; the
 * memory serves the next one.
 */
#include "user/test/large_stack.h"

#include "heddle/system.h"
#include "kernel/pool.h"
#include "sched/task.h"

#define ON_A_HOST (2 * HEDDLE_TASK_STACK_MAXIMUM)

static struct task_options whole(size_t size)
{
	return (struct task_options){.name = "large", .stack = HEDDLE_TASK_STACK_WHOLE, .stack_size = size};
}

static intptr_t is_guarded(void *unused)
{
	(void)unused;
	return task_current()->guarded;
}

TEST(large_stack, whole)
{
	if (!has_memory(test))
		return;
	for (size_t size = LARGE; size <= VERY; size *= 16) {
		struct task_options options = whole(size);
		intptr_t guarded;
		CHECK(goes(size / 16 * 15, options));
		CHECK_EQUAL(run_task(is_guarded, 0, &options, &guarded), HEDDLE_OK);
		if (arch_stack_guard == 0)
			continue;
		CHECK(guarded);
		CHECK(ends(size * 2, options));
		CHECK(goes(size / 16 * 15, options));
	}
}

/* However many processors there are, and whichever had the last one. There are more rounds than stacks that processors
 * may keep at hand. */
TEST(large_stack, whole_serves_the_next)
{
	struct task_options options = whole(VERY);
	uint64_t kept = memory_count(MEMORY_ANY_NODE).total / POOL_KEPT_PART;
	if (!has_memory(test))
		return;
	CHECK(goes(LARGE, options));
	uint64_t bytes = pool_total().bytes;
	options.bound = true;
	for (unsigned round = 0; round < 2 * heddle_processors() + kept / VERY; round++) {
		options.processor = (int)(round % heddle_processors());
		CHECK(goes(LARGE, options));
	}
	CHECK(pool_total().bytes < bytes + kept + VERY);
}

/* The largest one is there, or is said not to be; a larger one is no stack. */
TEST(large_stack, largest)
{
	struct task_options options = whole(HEDDLE_TASK_STACK_MAXIMUM);
	intptr_t result;
	bool has_it = memory_count(MEMORY_ANY_NODE).free >= ON_A_HOST;
	enum heddle_error error = run_task(is_guarded, 0, &options, &result);
	CHECK(error == HEDDLE_OK || (!has_it && error == HEDDLE_NO_MEMORY));
	options.stack_size++;
	CHECK_EQUAL(run_task(is_guarded, 0, &options, &result), HEDDLE_BAD_ARGUMENT);
	options.stack = HEDDLE_TASK_STACK_GROWS;
	CHECK_EQUAL(run_task(is_guarded, 0, &options, &result), HEDDLE_BAD_ARGUMENT);
}
