/*
 * What a program is linked with to run as a task. Its main() is called by a task whose quantum is an instruction, or as
 * many as TORTURE_QUANTUM of the environment says; and whenever it is switched away, with one at every check, another
 * task destroys all that a task may destroy (scramble.asm here). It says at the program's end how often that was.
 */
#include <heddle/host.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define MACHINE     "processors=1 memory=64 quantum="
#define NOT_STARTED 125

struct words {
	int count;
	char **words, **environment;
};

int __real_main(int count, char **words, char **environment);
int __wrap_main(int count, char **words, char **environment);
intptr_t scramble_for_ever(void *argument);

/* For scramble(): the vector registers of this processor. */
uint32_t scramble_level;
volatile uint64_t scramble_turns;

static intptr_t run_main(void *argument)
{
	const struct words *words = argument;
	/* By its address: with -flto the linker does not know the name of the entry for such calls. */
	int (*volatile program)(int, char **, char **) = __real_main;
	return program(words->count, words->words, words->environment);
}

/* The thread that called heddle_run() has no task with a growing stack, but can create one. */
static intptr_t run_beside(void *argument)
{
	struct task_options options = HEDDLE_TASK_OPTIONS, others = HEDDLE_TASK_OPTIONS;
	struct task *program, *other;
	intptr_t status;
	others.stack = HEDDLE_TASK_STACK_WHOLE;
	others.detached = true;
	if (task_create(&other, scramble_for_ever, NULL, &others) != HEDDLE_OK)
		return NOT_STARTED;
	options.name = "program";
	options.stack_size = HEDDLE_TASK_STACK_GROWTH;
	if (task_create(&program, run_main, argument, &options) != HEDDLE_OK)
		return NOT_STARTED;
	return task_join(program, &status) == HEDDLE_OK ? status : NOT_STARTED;
}

static void __attribute__((destructor)) say_turns(void)
{
	char text[40];
	int length = snprintf(text, sizeof text, "\nturns %" PRIu64 "\n", scramble_turns);
	(void)!write(STDERR_FILENO, text, (size_t)length);
}

/* The C library calls this, through the linker's --wrap=main. */
int __wrap_main(int count, char **words, char **environment)
{
	struct words all = {count, words, environment};
	intptr_t status = NOT_STARTED;
	const char *quantum = getenv("TORTURE_QUANTUM");
	char machine[80];
	snprintf(machine, sizeof machine, MACHINE "%s", quantum ? quantum : "1");
	if (__builtin_cpu_supports("avx512bw"))
		scramble_level = 2;
	else if (__builtin_cpu_supports("avx2"))
		scramble_level = 1;
	if (heddle_start(machine) != HEDDLE_OK || heddle_run(run_beside, &all, &status) != HEDDLE_OK)
		return NOT_STARTED;
	exit((int)status); /* as if main() had returned it */
}
