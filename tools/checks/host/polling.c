/*
 * Compiled with checks that poll: tasks that only loop are switched by the clock tick, on one processor and on two,
 * and its thread ends with the machine.
 */
#include <dirent.h>

#include <heddle/task.h>

#include "check.h"

#define TURNS 5

static volatile unsigned turn; /* the number of a task: each waits for its own, and calls nothing */

static intptr_t wait_for_turns(void *argument)
{
	unsigned mine = (unsigned)(uintptr_t)argument;
	for (unsigned turns = 0; turns < TURNS; turns++) {
		while (turn % 2 != mine)
			continue;
		turn++;
	}
	return 0;
}

static intptr_t take_turns(void *unused)
{
	struct task *tasks[2];
	(void)unused;
	turn = 0;
	for (uintptr_t i = 0; i < 2; i++)
		CHECK(task_create(&tasks[i], wait_for_turns, (void *)i, NULL) == HEDDLE_OK);
	for (unsigned i = 0; i < 2; i++)
		CHECK(task_join(tasks[i], NULL) == HEDDLE_OK);
	CHECK(turn == 2 * TURNS);
	return 0;
}

static unsigned count_threads(void)
{
	unsigned threads = 0;
	DIR *folder = opendir("/proc/self/task");
	CHECK(folder);
	while (readdir(folder))
		threads++;
	closedir(folder);
	return threads;
}

int main(void)
{
	static const char *const machines[] = {"processors=1", "processors=2", "processors=1 quantum=200000"};
	unsigned threads = count_threads();
	for (unsigned i = 0; i < 3; i++) {
		CHECK(heddle_start(machines[i]) == HEDDLE_OK);
		CHECK(heddle_run(take_turns, NULL, NULL) == HEDDLE_OK);
		CHECK(heddle_stop() == HEDDLE_OK);
		CHECK(count_threads() == threads);
	}
	puts("done");
	return EXIT_SUCCESS;
}
