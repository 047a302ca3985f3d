/*
 * A Linux program that starts the machine twice: what the first machine leaves behind must not disturb the second.
 */
#include <heddle/host.h>
#include <stdio.h>
#include <stdlib.h>

#define TASKS 100

static intptr_t square(void *argument)
{
	intptr_t number = (intptr_t)argument;
	task_yield();
	return number * number;
}

static intptr_t sum_of_squares(void *argument)
{
	struct task *tasks[TASKS];
	intptr_t sum = 0;
	(void)argument;
	for (intptr_t i = 0; i < TASKS; i++)
		if (task_create(&tasks[i], square, (void *)i, NULL) != HEDDLE_OK)
			return -1;
	for (size_t i = 0; i < TASKS; i++) {
		intptr_t result;
		if (task_join(tasks[i], &result) != HEDDLE_OK)
			return -1;
		sum += result;
	}
	return sum;
}

static void check(enum heddle_error error, const char *what)
{
	if (error != HEDDLE_OK) {
		fprintf(stderr, "%s: %s\n", what, heddle_error_text(error));
		exit(EXIT_FAILURE);
	}
}

int main(void)
{
	for (int turn = 0; turn < 2; turn++) {
		intptr_t sum;
		check(heddle_start("processors=2"), "start");
		check(heddle_run(sum_of_squares, NULL, &sum), "run");
		if (heddle_stop() != 0) {
			fprintf(stderr, "stop: some tasks were left\n");
			return EXIT_FAILURE;
		}
		printf("sum of squares below %d: %ld\n", TASKS, (long)sum);
	}
	return EXIT_SUCCESS;
}
