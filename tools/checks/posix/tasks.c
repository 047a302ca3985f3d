/* As tasks alone: there may be very many, the host has no thread for each, and what goes wrong is a sentence. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

#define MANY 20000

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int arrived, may_go;

static unsigned threads_of_host(void)
{
	unsigned count = 0;
	DIR *folder = opendir("/proc/self/task");
	CHECK(folder);
	while (readdir(folder))
		count++;
	closedir(folder);
	return count - 2;
}

static void *arrive(void *unused)
{
	pthread_mutex_lock(&mutex);
	if (++arrived == MANY)
		pthread_cond_broadcast(&changed);
	while (!may_go)
		pthread_cond_wait(&changed, &mutex);
	pthread_mutex_unlock(&mutex);
	return unused;
}

static int many(void)
{
	static pthread_t threads[MANY];
	pthread_attr_t attributes;
	pthread_attr_init(&attributes);
	CHECK_EQUAL(pthread_attr_setstacksize(&attributes, 16384), 0);
	for (int i = 0; i < MANY; i++)
		CHECK_EQUAL(pthread_create(&threads[i], &attributes, arrive, NULL), 0);
	pthread_mutex_lock(&mutex);
	while (arrived < MANY)
		pthread_cond_wait(&changed, &mutex);
	CHECK(threads_of_host() < 10);
	may_go = 1;
	pthread_cond_broadcast(&changed);
	pthread_mutex_unlock(&mutex);
	for (int i = 0; i < MANY; i++)
		CHECK_EQUAL(pthread_join(threads[i], NULL), 0);
	return 0;
}

/* A task that faults ends the process. */
static void *fault(void *nowhere)
{
	*(volatile int *)nowhere = 1;
	return NULL;
}

static int faults(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, fault, (void *)16);
	pthread_join(thread, NULL);
	return 0;
}

/* A mutex that is locked twice is waited for, and that is said. */
static void *lock_twice(void *unused)
{
	pthread_mutex_lock(&mutex);
	pthread_mutex_lock(&mutex);
	return unused;
}

static int deadlock(void)
{
	pthread_t thread;
	pthread_create(&thread, NULL, lock_twice, NULL);
	usleep(500000);
	return 0;
}

/* Foreign code calls back what has to wait. */
static int compare(const void *one, const void *other)
{
	(void)one, (void)other;
	pthread_mutex_lock(&mutex);
	pthread_mutex_unlock(&mutex);
	return 0;
}

static void *sort(void *unused)
{
	int numbers[] = {2, 1};
	qsort(numbers, 2, sizeof(int), compare);
	return unused;
}

static int called_back(void)
{
	pthread_t thread;
	pthread_mutex_lock(&mutex);
	pthread_create(&thread, NULL, sort, NULL);
	pthread_join(thread, NULL);
	return 0;
}

/* A thread of the host's, as a library may make. */
static void *lock_outside(void *unused)
{
	pthread_mutex_lock(&mutex);
	return unused;
}

static int foreign(void)
{
	unsigned long thread;
	int (*create)(unsigned long *, const void *, void *(*)(void *), void *) =
	    dlsym(RTLD_DEFAULT, "pthread_create");
	CHECK(create);
	CHECK_EQUAL(create(&thread, NULL, lock_outside, NULL), 0);
	sleep(10);
	return 0;
}

/* What a thread has left locked goes to the next that asks for it, as to one that did not have it before. */
static pthread_mutex_t again = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static pthread_rwlock_t written = PTHREAD_RWLOCK_INITIALIZER;

static long run(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	void *result;
	CHECK_EQUAL(pthread_create(&thread, NULL, function, argument), 0);
	CHECK_EQUAL(pthread_join(thread, &result), 0);
	return (long)result;
}

static void *leave_locked(void *unused)
{
	CHECK_EQUAL(pthread_mutex_lock(&again), 0);
	CHECK_EQUAL(pthread_rwlock_wrlock(&written), 0);
	return unused;
}

static void *try_both(void *unused)
{
	(void)unused;
	CHECK_EQUAL(pthread_mutex_trylock(&again), EBUSY);
	CHECK_EQUAL(pthread_rwlock_trywrlock(&written), EBUSY);
	return NULL;
}

static void *unlock_both(void *unused)
{
	CHECK_EQUAL(pthread_mutex_unlock(&again), EPERM);
	CHECK_EQUAL(pthread_rwlock_unlock(&written), EPERM);
	return unused;
}

static void *use_both(void *unused)
{
	for (int i = 0; i < 2; i++)
		CHECK_EQUAL(pthread_mutex_lock(&again), 0);
	CHECK_EQUAL(pthread_rwlock_rdlock(&written), 0);
	run(try_both, NULL);
	CHECK_EQUAL(pthread_rwlock_unlock(&written), 0);
	for (int i = 0; i < 2; i++)
		CHECK_EQUAL(pthread_mutex_unlock(&again), 0);
	return unused;
}

static int ended(void)
{
	for (int round = 0; round < 20; round++) {
		run(leave_locked, NULL);
		run(unlock_both, NULL);
		run(use_both, NULL);
		CHECK_EQUAL(pthread_rwlock_trywrlock(&written), 0);
		CHECK_EQUAL(pthread_rwlock_unlock(&written), 0);
	}
	return 0;
}

int main(int count, char **arguments)
{
	const char *name = count > 1 ? arguments[1] : "";
	int (*function)(void) = strcmp(name, "many") == 0       ? many
	                        : strcmp(name, "faults") == 0   ? faults
	                        : strcmp(name, "deadlock") == 0 ? deadlock
	                        : strcmp(name, "ended") == 0    ? ended
	                        : strcmp(name, "foreign") == 0  ? foreign
	                                                        : called_back;
	int result = function();
	printf("done\n");
	return result;
}
