/*
 * A program with a timer that signals a thousand times a second, as profilers do, and whose handler uses no separate
 * stack; and tasks whose stacks have no room for it. Compiled with the plugin, and with -fsplit-stack if available.
 */
#include <signal.h>
#include <sys/time.h>

#include <heddle/attributes.h>
#include <heddle/system.h>

#include "check.h"

#define TASKS   100
#define LEVELS  100
#define SECONDS 1
#define MARKS   8

static volatile sig_atomic_t signals;
static uint64_t end;

static void on_timer(int number)
{
	(void)number;
	signals++;
}

__attribute__((noinline)) static intptr_t deep(intptr_t levels)
{
	volatile char frame[64];
	frame[0] = (char)levels;
	return levels == 0 ? 0 : deep(levels - 1) + frame[0] - (char)levels + 1;
}

/* With its own frame, which must not be touched. */
static intptr_t work(void *argument)
{
	volatile uintptr_t marks[MARKS];
	uintptr_t number = (uintptr_t)argument;
	for (uintptr_t i = 0; i < MARKS; i++)
		marks[i] = number * MARKS + i;
	while (heddle_clock() < end) {
		for (int i = 0; i < LEVELS; i++)
			if (deep(i % 4) != i % 4)
				return 1;
		task_yield();
		for (uintptr_t i = 0; i < MARKS; i++)
			if (marks[i] != number * MARKS + i)
				return 1;
	}
	return 0;
}

static intptr_t work_all(void *unused)
{
	struct task *tasks[TASKS];
	intptr_t wrong = 0;
	(void)unused;
	end = heddle_clock() + SECONDS * UINT64_C(1000000000);
	for (uintptr_t i = 0; i < TASKS; i++)
		if (task_create(&tasks[i], work, (void *)i, NULL) != HEDDLE_OK)
			return -1;
	for (int i = 0; i < TASKS; i++) {
		intptr_t result = 1;
		wrong += task_join(tasks[i], &result) != HEDDLE_OK || result != 0;
	}
	return wrong;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_timer, .sa_flags = SA_RESTART};
	struct itimerval often = {{0, 1000}, {0, 1000}}, never = {0};
	intptr_t wrong = -1;
	sigaction(SIGPROF, &action, NULL);
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	setitimer(ITIMER_PROF, &often, NULL);
	CHECK(heddle_run(work_all, NULL, &wrong) == HEDDLE_OK);
	setitimer(ITIMER_PROF, &never, NULL);
	CHECK(heddle_stop() == 0);
	CHECK(signals > 0);
	CHECK(wrong == 0);
	puts("done");
	return 0;
}
