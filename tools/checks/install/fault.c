/*
 * A task that faults: the back trace names the functions of the program and of the library, wherever the library is
 * loaded.
 */
#include <heddle/host.h>
#include <heddle/task.h>

static __attribute__((noinline)) intptr_t fall(const volatile int *nowhere)
{
	return *nowhere;
}

static intptr_t run(void *nothing)
{
	return fall(nothing) + 1;
}

int main(void)
{
	intptr_t result;
	if (heddle_start("processors=1 fault=task") != HEDDLE_OK ||
	    heddle_run(run, NULL, &result) != HEDDLE_TASK_FAULT)
		return 1;
	return heddle_stop();
}
