/*
 * Tasks that make each other ready, on more processors than the host has, in a program that the C library is linked
 * into: a processor is asked for its tasks again and again, wherever it is.
 */
#include <heddle/mutex.h>
#include <heddle/system.h>

#include "check.h"

#define TASKS  40
#define ROUNDS 200
#define BYTES  300

static struct mutex lock = HEDDLE_MUTEX_INITIALIZER;
static intptr_t total;

/* Comes to the scheduler rarely, as code without checks does. */
static void compute(unsigned turns)
{
	for (volatile unsigned i = 0; i < turns; i++)
		continue;
}

static intptr_t add_one(void *argument)
{
	char bytes[BYTES];
	memset(bytes, (int)(intptr_t)argument, sizeof(bytes));
	compute(1000);
	if (mutex_lock(&lock) != HEDDLE_OK)
		return -1;
	total += bytes[(intptr_t)argument % BYTES] == (char)(intptr_t)argument;
	return mutex_unlock(&lock);
}

static intptr_t make_many(void *unused)
{
	struct task *tasks[TASKS];
	(void)unused;
	for (int round = 0; round < ROUNDS; round++) {
		for (intptr_t i = 0; i < TASKS; i++)
			if (task_create(&tasks[i], add_one, (void *)i, NULL) != HEDDLE_OK)
				return -1;
		compute(20000);
		for (int i = 0; i < TASKS; i++) {
			intptr_t result = -1;
			if (task_join(tasks[i], &result) != HEDDLE_OK || result != HEDDLE_OK)
				return -1;
		}
	}
	return 0;
}

static intptr_t run_makers(void *unused)
{
	struct task *makers[4];
	intptr_t wrong = 0;
	for (int i = 0; i < 4; i++)
		if (task_create(&makers[i], make_many, unused, NULL) != HEDDLE_OK)
			return -1;
	for (int i = 0; i < 4; i++) {
		intptr_t result = -1;
		wrong += task_join(makers[i], &result) != HEDDLE_OK || result != 0;
	}
	return wrong;
}

int main(void)
{
	for (int turn = 0; turn < 3; turn++) {
		intptr_t wrong = -1;
		total = 0;
		CHECK(heddle_start("processors=4 linger=0") == HEDDLE_OK);
		CHECK(heddle_run(run_makers, NULL, &wrong) == HEDDLE_OK && wrong == 0);
		CHECK(heddle_stop() == 0);
		CHECK(total == 4 * TASKS * ROUNDS);
	}
	puts("done");
	return 0;
}
