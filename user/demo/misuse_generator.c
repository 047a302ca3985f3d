/*
 * Misuses a generator, to show what is reported. The first is a panic in debug builds, in others an error that is
 * logged; the next two are panics, and the last ends the task.
 */
#include "heddle/generator.h"
#include "heddle/program.h"
#include "heddle/system.h"

enum misuse { ENDED, INSIDE, OVERFLOW, GUARD };

static struct generator numbers;

static void yield_one(struct generator_body *self, void *unused)
{
	(void)unused;
	generator_yield(self, 1);
}

static void resume_itself(struct generator_body *self, void *unused)
{
	generator_resume(&numbers);
	yield_one(self, unused);
}

/* Each frame is small, so that none steps over the memory that is checked. */
__attribute__((noinline)) static void recurse(struct generator_body *self, unsigned depth)
{
	volatile char frame[32] = {0};
	if (depth > 0)
		recurse(self, depth - 1);
	else
		generator_yield(self, 1);
	frame[0]++;
}

static void recurse_a_little_too_deep(struct generator_body *self, void *unused)
{
	(void)unused;
	recurse(self, 2 * HEDDLE_GENERATOR_STACK_MINIMUM / sizeof(char[64]));
}

static void recurse_for_ever(struct generator_body *self, void *unused)
{
	(void)unused;
	recurse(self, UINT32_MAX);
}

static intptr_t resume_to_the_end(void *how)
{
	static const generator_function functions[] = {yield_one, resume_itself, recurse_a_little_too_deep,
	                                               recurse_for_ever};
	static char memory[8 * HEDDLE_GENERATOR_STACK_MINIMUM];
	char *stack =
	    (uintptr_t)how == GUARD ? NULL : memory + sizeof(memory) - 2 * HEDDLE_GENERATOR_STACK_MINIMUM;
	size_t size =
	    stack ? 2 * HEDDLE_GENERATOR_STACK_MINIMUM : HEDDLE_TASK_STACK_GROWTH; /* large ones have a guard */
	enum heddle_error error = generator_create(&numbers, stack, size, functions[(uintptr_t)how], NULL);
	while (error == HEDDLE_OK)
		error = generator_resume(&numbers);
	if (error == HEDDLE_ENDED)
		error = generator_resume(&numbers);
	generator_destroy(&numbers);
	return error;
}

static bool run(struct program_run *run)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	intptr_t error = HEDDLE_OK;
	options.name = "contrary";
	if (task_create(&task, resume_to_the_end, (void *)(uintptr_t)program_value(run, "how"), &options) !=
	    HEDDLE_OK)
		return program_failed(run, "no memory for a task");
	enum heddle_error ending = task_join(task, &error);
	heddle_log("the task was told: %s",
	           heddle_error_text(ending == HEDDLE_OK ? (enum heddle_error)error : ending));
	return true;
}

static const struct program_parameter parameters[] = {
    {"how", .help = "what goes wrong", .choices = "ended|inside|overflow|guard"}, {0}};

HEDDLE_PROGRAM(misuse_generator, "go wrong with a generator, in one of several ways", parameters, run);
