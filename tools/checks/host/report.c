/*
 * A machine reports what its tasks wait for, and goes on; also if two tasks wait for each other for ever, and if a
 * task without checks keeps the processor.
 */
#include <dirent.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include <heddle/mutex.h>

#include "check.h"

static struct mutex mutexes[2] = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_MUTEX_INITIALIZER};
static struct task *tasks[2];
static atomic_uint holding;
static atomic_bool runs, ends;

/* Each holds one lock, and waits for the other's. */
static intptr_t lock_both(void *argument)
{
	intptr_t own = (intptr_t)argument;
	CHECK(mutex_lock(&mutexes[own]) == HEDDLE_OK);
	atomic_fetch_add(&holding, 1);
	while (atomic_load(&holding) < 2)
		task_yield();
	enum heddle_error error = mutex_lock(&mutexes[1 - own]);
	if (error == HEDDLE_OK)
		CHECK(mutex_unlock(&mutexes[1 - own]) == HEDDLE_OK);
	CHECK(mutex_unlock(&mutexes[own]) == HEDDLE_OK);
	return error;
}

static intptr_t make_both(void *unused)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	(void)unused;
	for (intptr_t i = 0; i < 2; i++) {
		options.name = i ? "second" : "first";
		CHECK(task_create(&tasks[i], lock_both, (void *)i, &options) == HEDDLE_OK);
	}
	return 0;
}

/* Cancelling one is enough to let both go on. */
static intptr_t break_circle(void *unused)
{
	intptr_t results[2];
	(void)unused;
	CHECK(heddle_report() == HEDDLE_OK);
	CHECK(task_cancel(tasks[0]) == HEDDLE_OK);
	for (int i = 0; i < 2; i++)
		CHECK(task_join(tasks[i], &results[i]) == HEDDLE_OK);
	return results[0] == HEDDLE_CANCELLED && results[1] == HEDDLE_OK;
}

/* The word is then a waiter's address (sync/mutex.h). */
static bool is_awaited(struct mutex *mutex)
{
	uintptr_t word = atomic_load(&mutex->word);
	return word && word % 8 == 0;
}

/* Whether the host has put the thread to sleep: "TID (NAME) S ...". */
static bool sleeps(const char *thread)
{
	char path[64], line[128] = "";
	snprintf(path, sizeof(path), "/proc/self/task/%.16s/stat", thread);
	FILE *file = fopen(path, "r");
	if (!file)
		return false;
	const char *end = fgets(line, sizeof(line), file) ? strrchr(line, ')') : NULL;
	fclose(file);
	return end && end[1] == ' ' && end[2] == 'S';
}

/* Whether all other threads sleep: an idle processor does, once it has looked for work long enough. */
static bool others_sleep(void)
{
	DIR *threads = opendir("/proc/self/task");
	bool all = true;
	CHECK(threads);
	for (struct dirent *entry; (entry = readdir(threads));)
		if (entry->d_name[0] != '.' && atoi(entry->d_name) != gettid())
			all = sleeps(entry->d_name) && all;
	closedir(threads);
	return all;
}

static void circle(void)
{
	intptr_t result = 0;
	CHECK(heddle_report() == HEDDLE_STOPPED);
	CHECK(heddle_start("processors=2") == HEDDLE_OK);
	CHECK(heddle_run(make_both, NULL, NULL) == HEDDLE_OK);
	while (!is_awaited(&mutexes[0]) || !is_awaited(&mutexes[1]) || !others_sleep())
		usleep(1000);
	CHECK(heddle_report() == HEDDLE_OK);
	CHECK(heddle_run(break_circle, NULL, &result) == HEDDLE_OK && result == 1);
	CHECK(heddle_stop() == 0);
	CHECK(heddle_report() == HEDDLE_STOPPED);
}

static intptr_t keep_processor(void *unused)
{
	(void)unused;
	atomic_store(&runs, true);
	while (!atomic_load(&ends))
		continue;
	return 0;
}

static void *run_keeper(void *unused)
{
	CHECK(heddle_run(keep_processor, NULL, NULL) == HEDDLE_OK);
	return unused;
}

static void kept(void)
{
	pthread_t thread;
	CHECK(heddle_start("processors=1") == HEDDLE_OK);
	CHECK(pthread_create(&thread, NULL, run_keeper, NULL) == 0);
	while (!atomic_load(&runs))
		usleep(1000);
	CHECK(heddle_report() == HEDDLE_TIMED_OUT);
	CHECK(heddle_report() == HEDDLE_BUSY); /* the first report is still to come */
	atomic_store(&ends, true);
	CHECK(pthread_join(thread, NULL) == 0);
	CHECK(heddle_run(check_return, NULL, NULL) == HEDDLE_OK);
	CHECK(heddle_report() == HEDDLE_OK);
	CHECK(heddle_stop() == 0);
}

int main(int count, char **arguments)
{
	static const struct check_case cases[] = {{"circle", circle}, {"kept", kept}, {NULL, NULL}};
	return check_main(cases, count, arguments);
}
