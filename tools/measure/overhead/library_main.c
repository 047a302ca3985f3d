/*
 * What a program is linked with to run as the only task of one processor, with the default quantum.
 */
#include <heddle/host.h>

#include <stdlib.h>

#define MACHINE     "processors=1 memory=64"
#define NOT_STARTED 125

struct words {
	int count;
	char **words, **environment;
};

int main(int count, char **words, char **environment);
int __wrap_main(int count, char **words, char **environment);

static intptr_t run_main(void *argument)
{
	const struct words *words = argument;
	return main(words->count, words->words, words->environment);
}

/* The thread that called heddle_run() has no task whose stack grows, but can make one. */
static intptr_t run_program(void *argument)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *program;
	intptr_t status;
	options.stack_size = HEDDLE_TASK_STACK_GROWTH;
	if (task_create(&program, run_main, argument, &options) != HEDDLE_OK)
		return NOT_STARTED;
	return task_join(program, &status) == HEDDLE_OK ? status : NOT_STARTED;
}

/* What the C library calls, by the linker's --wrap=main. */
int __wrap_main(int count, char **words, char **environment)
{
	struct words all = {count, words, environment};
	intptr_t status = NOT_STARTED;
	if (heddle_start(MACHINE) != HEDDLE_OK || heddle_run(run_program, &all, &status) != HEDDLE_OK)
		return NOT_STARTED;
	exit((int)status); /* as if main() had returned it */
}
