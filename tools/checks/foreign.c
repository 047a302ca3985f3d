/*
 * Tasks on growing stacks call functions of the C library, which were not compiled for that: at each depth another
 * function is the first that does not fit. Compiled with the plugin and -fsplit-stack, and linked with the library.
 */
#include <float.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/host.h>
#include <heddle/task.h>

#define TASKS   50
#define DEPTHS  80
#define NUMBERS 300
#define DIGITS  5200

static char expected[DIGITS];

/* Called by the library, and deep enough to need another piece of stack. */
__attribute__((noinline)) static int compare_deep(unsigned one, unsigned other, unsigned depth)
{
	volatile unsigned frame[40] = {one};
	int order = depth ? compare_deep(one, other, depth - 1) : (one > other) - (one < other);
	return frame[0] == one ? order : 0;
}

static int number_compare(const void *left, const void *right)
{
	return compare_deep(*(const unsigned *)left, *(const unsigned *)right,
	                    *(const unsigned *)left % 64 == 0 ? 400 : 2);
}

static bool sorts(void)
{
	unsigned *numbers = malloc(NUMBERS * sizeof(numbers[0])), state = 1;
	for (size_t i = 0; i < NUMBERS; i++)
		numbers[i] = state = state * 1103515245 + 12345;
	qsort(numbers, NUMBERS, sizeof(numbers[0]), number_compare);
	bool ok = true;
	for (size_t i = 1; i < NUMBERS; i++)
		ok &= numbers[i - 1] <= numbers[i];
	free(numbers);
	return ok;
}

static void write_numbers(char *text)
{
	snprintf(text, DIGITS, "%d %s %.1f %d %d %d %Lf %d", 1, "two", 3.0, 4, 5, 6, LDBL_MAX, 8);
}

static bool prints(void)
{
	char *text = malloc(DIGITS);
	task_yield();
	write_numbers(text);
	bool ok = strcmp(text, expected) == 0;
	free(text);
	return ok;
}

__attribute__((noinline)) static bool call_at_depth(unsigned depth)
{
	volatile unsigned frame[6] = {depth};
	bool ok = depth ? call_at_depth(depth - 1) : prints();
	return ok && frame[0] == depth;
}

__attribute__((noinline)) static unsigned jump_from(jmp_buf place, unsigned depth, unsigned limit)
{
	volatile unsigned frame[20] = {depth};
	if (depth == limit)
		longjmp(place, 1);
	return depth > limit ? 0 : jump_from(place, depth + 1, limit) + frame[0];
}

__attribute__((noinline)) static bool jumps(void)
{
	jmp_buf place;
	if (setjmp(place))
		return true;
	jump_from(place, 0, 200);
	return false;
}

static intptr_t run(void *argument)
{
	(void)argument;
	bool ok = sorts();
	for (unsigned depth = 0; depth < DEPTHS; depth++)
		ok &= call_at_depth(depth) && jumps();
	return ok;
}

static intptr_t run_all(void *argument)
{
	struct task *tasks[TASKS];
	intptr_t right = 0, result;
	(void)argument;
	for (unsigned i = 0; i < TASKS; i++)
		if (task_create(&tasks[i], run, NULL, NULL) != HEDDLE_OK)
			return -1;
	for (unsigned i = 0; i < TASKS; i++)
		right += task_join(tasks[i], &result) == HEDDLE_OK && result;
	return right;
}

int main(void)
{
	intptr_t right = 0;
	write_numbers(expected);
	if (heddle_start("processors=2 memory=256") != HEDDLE_OK ||
	    heddle_run(run_all, NULL, &right) != HEDDLE_OK)
		return 1;
	printf("%ld of %d tasks found everything right\n", (long)right, TASKS);
	return heddle_stop() != 0 || right != TASKS;
}
