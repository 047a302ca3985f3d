/*
 * A Linux program that stops the machine again and again while many tasks are ready, bound to each of the processors
 * or to none: all of them still run, except long sleepers, which are counted.
 */
#include <heddle/host.h>
#include <heddle/mutex.h>
#include <heddle/system.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define STOPS  60
#define TASKS  20
#define ROUNDS 200

static struct mutex mutex;
static atomic_int done;

static intptr_t work(void *unused)
{
	for (int round = 0; round < ROUNDS; round++) {
		mutex_lock(&mutex);
		for (volatile int i = 0; i < 50; i++)
			continue;
		mutex_unlock(&mutex);
		if (round % 8 == 0)
			task_yield();
	}
	done++;
	return (intptr_t)unused;
}

static intptr_t sleep_long(void *unused)
{
	task_sleep_until(heddle_clock() + 3600000000000);
	return (intptr_t)unused;
}

static intptr_t start_all(void *bound)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.detached = true;
	for (int i = 0; i < TASKS; i++) {
		options.priority = i % 3 ? HEDDLE_PRIORITY_NORMAL : HEDDLE_PRIORITY_LOW;
		options.bound = bound;
		options.processor = bound ? i % (int)heddle_processors() : 0;
		if (task_create(NULL, work, NULL, &options) != HEDDLE_OK)
			return -1;
	}
	return task_create(NULL, sleep_long, NULL, &options) == HEDDLE_OK ? 0 : -1;
}

int main(void)
{
	int wrong = 0;
	for (int stop = 0; stop < STOPS; stop++) {
		char words[64];
		intptr_t result = -1;
		mutex = (struct mutex)HEDDLE_MUTEX_INITIALIZER;
		done = 0;
		/* Short chains of exchanges bring many tasks to their processor through run_next.h. */
		snprintf(words, sizeof(words), "processors=%d chain=%d", 1 + stop % 4, stop % 2 ? 1 : 64);
		if (heddle_start(words) != HEDDLE_OK ||
		    heddle_run(start_all, stop % 3 ? &done : NULL, &result) != HEDDLE_OK)
			return EXIT_FAILURE;
		int left = heddle_stop();
		wrong += result != 0 || done != TASKS || left != 1;
	}
	printf("%d stops, %d with work undone\n", STOPS, wrong);
	return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
