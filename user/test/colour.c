/*
 * Stack colouring: stacks begin in different sets of the cache, and little of each stack is lost for that.
 */
#include "heddle/task.h"
#include "kernel/command_line.h"
#include "sched/task.h"
#include "user/crew.h"
#include "user/test/cache_sets.h"
#include "user/test/test.h"

#define TASKS 16

struct stacks {
	uintptr_t low[TASKS], high[TASKS];
};

static intptr_t tell_stack(size_t number, void *argument)
{
	struct stacks *stacks = argument;
	const struct arch_context *context = &task_current()->context;
	stacks->low[number] = (uintptr_t)context->stack_low;
	stacks->high[number] = stacks->low[number] + context->stack_size;
	return 0;
}

static bool stacks_of_tasks(struct stacks *stacks, size_t stack_size)
{
	struct crew crew = {.name = "colour",
	                    .function = tell_stack,
	                    .argument = stacks,
	                    .count = TASKS,
	                    .stack_size = stack_size};
	intptr_t sum;
	if (crew_create(&crew) != HEDDLE_OK)
		return false;
	crew_start(&crew);
	return crew_join(&crew, &sum) == HEDDLE_OK;
}

TEST(colour, stacks_begin_in_different_sets)
{
	struct stacks stacks;
	CHECK(stacks_of_tasks(&stacks, HEDDLE_TASK_STACK_DEFAULT));
	if (command_line.colour)
		CHECK(cache_sets_count(stacks.high, TASKS) >= 4);
	else
		CHECK_EQUAL(cache_sets_count(stacks.high, TASKS), 1);
}

TEST(colour, costs_a_small_part_of_a_stack)
{
	struct stacks stacks;
	for (size_t size = HEDDLE_TASK_STACK_MINIMUM; size <= 65536; size *= 2) {
		CHECK(stacks_of_tasks(&stacks, size));
		for (unsigned i = 0; i < TASKS; i++) {
			CHECK_EQUAL(stacks.low[i] % CACHE_LINE, 0);
			CHECK_EQUAL(stacks.high[i] % CACHE_LINE, 0);
			CHECK(stacks.high[i] - stacks.low[i] >= size - size / 16);
		}
	}
}
