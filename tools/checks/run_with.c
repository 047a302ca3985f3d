/* A Linux program whose heddle_run() has stacks of several sizes. */
#include <heddle/host.h>
#include <stdio.h>

static char memory[32768];

/* Whether the calling task's stack is as large; a 16th may stay unused (heddle/task.h), or be added as a reserve. */
static intptr_t stack_size(void *wanted)
{
	void *low;
	size_t size, whole = (size_t)wanted;
	task_stack_bounds(&low, &size);
	return size <= whole + whole / 16 && size >= whole - whole / 16;
}

static intptr_t is_in_memory(void *unused)
{
	char here;
	(void)unused;
	return (uintptr_t)&here - (uintptr_t)memory < sizeof(memory);
}

/* 1: the function has run, and returned 1. */
static int run(task_function function, size_t stack, const struct task_options *options)
{
	intptr_t result = 0;
	enum heddle_error error = options ? heddle_run_with(function, (void *)stack, options, &result)
	                                  : heddle_run(function, (void *)stack, &result);
	return error == HEDDLE_OK && result == 1;
}

int main(void)
{
	struct task_options large = {.stack_size = (size_t)1 << 20}, detached = {.detached = true},
	                    own = {.stack_memory = memory, .stack_size = sizeof(memory)},
	                    wrong = {.priority = HEDDLE_PRIORITY_END};
	if (heddle_start("processors=2") != HEDDLE_OK)
		return 1;
	printf("%d %d %d %d; %s\n", run(stack_size, HEDDLE_RUN_STACK, NULL),
	       run(stack_size, large.stack_size, &large), run(stack_size, HEDDLE_RUN_STACK, &detached),
	       run(is_in_memory, 0, &own), heddle_error_text(heddle_run_with(stack_size, NULL, &wrong, NULL)));
	return heddle_stop();
}
