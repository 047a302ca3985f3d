/*
 * Tasks of one's own, compiled with one option more than usual:
 *
 *     gcc -O2 -fplugin=build/plugin/heddle.so -Iuser/include -c tasks.c
 *
 * They call nothing of Heddle's, and yet they take turns on one processor.
 */
#include <stdlib.h>

#include "tasks.h"

/* Runs until the others have finished; without checks in its loop they would never run. */
static intptr_t wait_for_others(void *argument)
{
	struct race *race = argument;
	intptr_t turns = 0;
	while (__atomic_load_n(&race->finished, __ATOMIC_RELAXED) < RUNNERS)
		turns++;
	return turns;
}

/* qsort() is the C library's: it was compiled without the plugin, and calls this back. */
static int number_compare(const void *left, const void *right)
{
	const unsigned *one = left, *other = right;
	return (*one > *other) - (*one < *other);
}

static intptr_t run(void *argument)
{
	struct race *race = argument;
	unsigned numbers[1000], state = 1;
	for (size_t i = 0; i < 1000; i++)
		numbers[i] = state = state * 1103515245 + 12345;
	qsort(numbers, 1000, sizeof(numbers[0]), number_compare);
	for (size_t i = 1; i < 1000; i++)
		if (numbers[i - 1] > numbers[i])
			return 1;
	__atomic_fetch_add(&race->finished, 1, __ATOMIC_RELAXED);
	return 0;
}

intptr_t race_run(void *argument)
{
	struct race *race = argument;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *waiter, *runners[RUNNERS];
	intptr_t turns = 0, wrong = 0, result;
	options.stack_size = 65536; /* the C library's functions want more than Heddle's default */
	if (task_create(&waiter, wait_for_others, race, &options) != HEDDLE_OK)
		return -1;
	for (int i = 0; i < RUNNERS; i++)
		if (task_create(&runners[i], run, race, &options) != HEDDLE_OK)
			return -1;
	for (int i = 0; i < RUNNERS; i++)
		wrong += task_join(runners[i], &result) != HEDDLE_OK || result != 0;
	if (task_join(waiter, &turns) != HEDDLE_OK || wrong)
		return -1;
	return turns;
}
