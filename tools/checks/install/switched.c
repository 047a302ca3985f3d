/*
 * Two tasks on one processor; one waits for the other without calling anything: compiled with the plugin, it makes
 * way.
 */
#include <heddle/host.h>
#include <heddle/task.h>
#include <stdio.h>

static int done;

static intptr_t finish(void *unused)
{
	(void)unused;
	__atomic_store_n(&done, 1, __ATOMIC_RELAXED);
	return 0;
}

static intptr_t run(void *unused)
{
	struct task *other;
	(void)unused;
	if (task_create(&other, finish, NULL, NULL) != HEDDLE_OK)
		return -1;
	while (!__atomic_load_n(&done, __ATOMIC_RELAXED))
		;
	return task_join(other, NULL) == HEDDLE_OK ? 42 : -1;
}

int main(void)
{
	intptr_t result = 0;
	if (heddle_start("processors=1") != HEDDLE_OK || heddle_run(run, NULL, &result) != HEDDLE_OK)
		return 1;
	printf("%d by %s\n", (int)result, heddle_version());
	return heddle_stop();
}
