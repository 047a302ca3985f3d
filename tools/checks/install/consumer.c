/*
 * A program that uses only what was installed of Heddle, and has names that Heddle uses internally. It is built in C,
 * by CMake and by meson.
 */
#include <heddle/channel.h>
#include <heddle/generator.h>
#include <heddle/host.h>
#include <heddle/mcs_lock.h>
#include <heddle/mutex.h>
#include <heddle/system.h>
#include <heddle/version.h>
#include <stdio.h>
#include <string.h>

#define TASKS 100

int processors = 17, boot, state;
void panic(void);
void kernel_start(void);

void panic(void)
{
	processors++;
}

void kernel_start(void)
{
	panic();
}

static struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
static intptr_t sum;

static intptr_t add(void *number)
{
	mutex_lock(&mutex);
	intptr_t before = sum;
	task_yield();
	sum = before + (intptr_t)number;
	mutex_unlock(&mutex);
	return 0;
}

static void count(struct generator_body *self, void *end)
{
	for (intptr_t i = 0; i < (intptr_t)end; i++)
		generator_yield(self, i);
}

/* 0 + 1 + ... + 9 */
static intptr_t generated(void)
{
	struct generator generator;
	intptr_t found = 0;
	if (generator_create(&generator, NULL, 0, count, (void *)10) != HEDDLE_OK)
		return -1;
	while (generator_resume(&generator) == HEDDLE_OK)
		found += generator.value;
	return generator_destroy(&generator) == HEDDLE_OK ? found : -1;
}

static intptr_t sent(void)
{
	struct channel channel;
	char buffer[sizeof(int)];
	int message = 7, received = 0;
	if (channel_create(&channel, buffer, sizeof(message), 1) != HEDDLE_OK ||
	    channel_send(&channel, &message) != HEDDLE_OK || channel_receive(&channel, &received) != HEDDLE_OK ||
	    channel_destroy(&channel) != HEDDLE_OK)
		return -1;
	return received;
}

static intptr_t run(void *unused)
{
	struct task *tasks[TASKS];
	(void)unused;
	for (intptr_t i = 0; i < TASKS; i++)
		if (task_create(&tasks[i], add, (void *)i, NULL) != HEDDLE_OK)
			return -1;
	for (int i = 0; i < TASKS; i++)
		task_join(tasks[i], NULL);
	return sum == TASKS * (TASKS - 1) / 2 && waiting_default.suspends ? generated() + sent() : -1;
}

int main(void)
{
	intptr_t result = 0;
	kernel_start();
	if (strcmp(heddle_version(), HEDDLE_VERSION) != 0 || heddle_start("processors=2") != HEDDLE_OK ||
	    heddle_run(run, NULL, &result) != HEDDLE_OK || heddle_stop() != 0)
		return 1;
	printf("%d by %s\n", (int)result, heddle_version());
	return result == 52 && processors == 18 ? 0 : 1;
}
