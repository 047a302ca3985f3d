/* Stacks that grow, with an allocation failing: the task ends, and a report says so. Compiled for growing stacks
 * (build.mk). */
#include "user/test/fail.h"

#define LEVELS 60

__attribute__((noinline)) static intptr_t go_deep(intptr_t levels)
{
	volatile intptr_t frame[32];
	frame[levels % 32] = levels;
	return levels > 0 ? go_deep(levels - 1) + (frame[levels % 32] == levels) : 0;
}

static intptr_t go_deep_twice(void *argument)
{
	intptr_t levels = (intptr_t)argument;
	intptr_t first = go_deep(levels);
	task_yield();
	return first + go_deep(levels / 2);
}

static void run_growth(struct attempt *attempt)
{
	struct task *tasks[2];
	for (unsigned i = 0; i < 2; i++) {
		struct task_options options = HEDDLE_TASK_OPTIONS;
		options.name = "deep";
		options.stack_size = 65536;
		if (!EXPECT(attempt, task_create(&tasks[i], go_deep_twice, (void *)LEVELS, &options), HEDDLE_OK))
			tasks[i] = NULL;
	}
	for (unsigned i = 0; i < 2; i++) {
		intptr_t result = 0;
		enum heddle_error error = tasks[i] ? task_join(tasks[i], &result) : HEDDLE_TASK_FAULT;
		if (error == HEDDLE_TASK_FAULT)
			HOLDS(attempt, attempt_has_failed());
		else if (MUST(attempt, error))
			HOLDS(attempt, result == LEVELS + LEVELS / 2);
	}
}

const struct part fail_growth[] = {{"growth", run_growth}, {0}};
