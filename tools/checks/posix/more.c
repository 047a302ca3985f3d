/* What the Open POSIX Test Suite, which is of 2005, has nothing of. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static pthread_mutex_t before_main = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once_before = PTHREAD_ONCE_INIT;
static int before;

static void count_before(void)
{
	before++;
}

/* When there is one thread, which is no task yet. */
__attribute__((constructor)) static void begin(void)
{
	CHECK_EQUAL(pthread_mutex_lock(&before_main), 0);
	pthread_once(&once_before, count_before);
	CHECK_EQUAL(pthread_mutex_unlock(&before_main), 0);
}

static struct timespec from_now(clockid_t clock, long milliseconds)
{
	struct timespec time;
	clock_gettime(clock, &time);
	time.tv_nsec += milliseconds * 1000000;
	time.tv_sec += time.tv_nsec / 1000000000;
	time.tv_nsec %= 1000000000;
	return time;
}

static pthread_t start(void *(*function)(void *), void *argument)
{
	pthread_t thread;
	CHECK_EQUAL(pthread_create(&thread, NULL, function, argument), 0);
	return thread;
}

static void *join(pthread_t thread)
{
	void *result;
	CHECK_EQUAL(pthread_join(thread, &result), 0);
	return result;
}

/* ---------------------------------------------------------------------------------------------- robust -- */

static void *lock_and_end(void *mutex)
{
	CHECK_EQUAL(pthread_mutex_lock(mutex), 0);
	return NULL;
}

static void robust(void)
{
	pthread_mutex_t mutex;
	pthread_mutexattr_t attributes;
	pthread_mutexattr_init(&attributes);
	CHECK_EQUAL(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST), 0);
	CHECK_EQUAL(pthread_mutex_init(&mutex, &attributes), 0);
	join(start(lock_and_end, &mutex));
	CHECK_EQUAL(pthread_mutex_lock(&mutex), EOWNERDEAD);
	CHECK_EQUAL(pthread_mutex_consistent(&mutex), 0);
	CHECK_EQUAL(pthread_mutex_unlock(&mutex), 0);
	join(start(lock_and_end, &mutex));
	CHECK_EQUAL(pthread_mutex_trylock(&mutex), EOWNERDEAD);
	CHECK_EQUAL(pthread_mutex_unlock(&mutex), 0);
	CHECK_EQUAL(pthread_mutex_lock(&mutex), ENOTRECOVERABLE);
	printf("robust\n");
}

/* --------------------------------------------------------------------------------------------- readers -- */

static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;
static sem_t reads;

static void *write_once(void *unused)
{
	sem_wait(&reads);
	CHECK_EQUAL(pthread_rwlock_wrlock(&readers), 0);
	CHECK_EQUAL(pthread_rwlock_unlock(&readers), 0);
	return unused;
}

/* A writer waits, and the one that reads reads once more. */
static void read_again(void)
{
	sem_init(&reads, 0, 0);
	pthread_t writer = start(write_once, NULL);
	CHECK_EQUAL(pthread_rwlock_rdlock(&readers), 0);
	sem_post(&reads);
	usleep(20000);
	CHECK_EQUAL(pthread_rwlock_rdlock(&readers), 0);
	CHECK_EQUAL(pthread_rwlock_rdlock(&readers), 0);
	for (int i = 0; i < 3; i++)
		CHECK_EQUAL(pthread_rwlock_unlock(&readers), 0);
	join(writer);
	struct timespec soon = from_now(CLOCK_MONOTONIC, 10);
	CHECK_EQUAL(pthread_rwlock_clockwrlock(&readers, CLOCK_MONOTONIC, &soon), 0);
	CHECK_EQUAL(pthread_rwlock_unlock(&readers), 0);
	printf("read again\n");
}

/* ------------------------------------------------------------------------------------------- deadlines -- */

static void deadlines(void)
{
	pthread_mutex_t mutex = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP;
	pthread_cond_t condition;
	pthread_condattr_t attributes;
	pthread_condattr_init(&attributes);
	CHECK_EQUAL(pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC), 0);
	CHECK_EQUAL(pthread_cond_init(&condition, &attributes), 0);
	CHECK_EQUAL(pthread_mutex_lock(&mutex), 0);
	CHECK_EQUAL(pthread_mutex_lock(&mutex), EDEADLK);
	struct timespec soon = from_now(CLOCK_MONOTONIC, 20), now;
	CHECK_EQUAL(pthread_cond_timedwait(&condition, &mutex, &soon), ETIMEDOUT);
	clock_gettime(CLOCK_MONOTONIC, &now);
	CHECK(now.tv_sec > soon.tv_sec || (now.tv_sec == soon.tv_sec && now.tv_nsec >= soon.tv_nsec));
	soon = from_now(CLOCK_REALTIME, 20);
	CHECK_EQUAL(pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &soon), ETIMEDOUT);
	soon.tv_nsec = 1000000000;
	CHECK_EQUAL(pthread_cond_clockwait(&condition, &mutex, CLOCK_REALTIME, &soon), EINVAL);
	CHECK_EQUAL(pthread_mutex_unlock(&mutex), 0);
	CHECK_EQUAL(pthread_mutex_unlock(&mutex), EPERM);
	printf("deadlines\n");
}

static sem_t may_end;

static void *end_when_told(void *result)
{
	CHECK_EQUAL(sem_wait(&may_end), 0);
	return result;
}

static void joins(void)
{
	sem_init(&may_end, 0, 0);
	void *result = NULL;
	pthread_t thread = start(end_when_told, &result);
	struct timespec soon = from_now(CLOCK_REALTIME, 5);
	CHECK_EQUAL(pthread_tryjoin_np(thread, &result), EBUSY);
	CHECK_EQUAL(pthread_timedjoin_np(thread, &result, &soon), ETIMEDOUT);
	soon = from_now(CLOCK_MONOTONIC, 60000);
	sem_post(&may_end);
	CHECK_EQUAL(pthread_clockjoin_np(thread, &result, CLOCK_MONOTONIC, &soon), 0);
	CHECK(result == &result);
	CHECK_EQUAL(pthread_join(pthread_self(), NULL), EDEADLK);
	printf("joins\n");
}

/* ----------------------------------------------------------------------------------------- cancellation -- */

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static sem_t empty;
static pthread_t sleeper;
static int handled;

static void handle(void *mutex)
{
	handled++;
	if (mutex)
		CHECK_EQUAL(pthread_mutex_unlock(mutex), 0);
}

static void *wait_for_condition(void *unused)
{
	pthread_mutex_lock(&held);
	pthread_cleanup_push(handle, &held);
	for (;;)
		pthread_cond_wait(&never, &held);
	pthread_cleanup_pop(0);
	return unused;
}

static void *wait_for_semaphore(void *unused)
{
	pthread_cleanup_push(handle, NULL);
	pthread_cleanup_push(handle, NULL);
	sem_wait(&empty);
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return unused;
}

static void *wait_for_sleep(void *unused)
{
	pthread_cleanup_push(handle, NULL);
	sleep(1000);
	pthread_cleanup_pop(0);
	return unused;
}

static void *wait_for_thread(void *unused)
{
	pthread_cleanup_push(handle, NULL);
	pthread_join(sleeper, NULL);
	pthread_cleanup_pop(0);
	return unused;
}

static void *stay(void *unused)
{
	int old;
	CHECK_EQUAL(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old), 0);
	CHECK_EQUAL(old, PTHREAD_CANCEL_ENABLE);
	usleep(30000);
	pthread_testcancel();
	handled++;
	CHECK_EQUAL(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old), 0);
	pthread_testcancel();
	handled = -1000;
	return unused;
}

static void cancel(void)
{
	void *(*const waits[])(void *) = {wait_for_condition, wait_for_semaphore, wait_for_sleep, wait_for_thread,
	                                  stay};
	sem_init(&empty, 0, 0);
	sleeper = start(end_when_told, NULL);
	for (unsigned i = 0; i < sizeof(waits) / sizeof(*waits); i++) {
		pthread_t thread = start(waits[i], NULL);
		if (i % 2)
			usleep(10000);
		CHECK_EQUAL(pthread_cancel(thread), 0);
		CHECK(join(thread) == PTHREAD_CANCELED);
	}
	sem_post(&may_end);
	join(sleeper);
	CHECK_EQUAL(pthread_mutex_lock(&held), 0);
	CHECK_EQUAL(pthread_mutex_unlock(&held), 0);
	printf("handled %s\n", handled >= 4 ? "all" : "too few");
}

/* ------------------------------------------------------------------------------------------------ keys -- */

static pthread_key_t first, second;
static int ended;

static void end_value(void *value)
{
	if (++ended < 3)
		pthread_setspecific(first, value);
}

static void *set_values(void *value)
{
	CHECK(!pthread_getspecific(first));
	pthread_setspecific(first, value);
	pthread_setspecific(second, value);
	CHECK(pthread_getspecific(first) == value);
	return value;
}

static void keys(void)
{
	pthread_key_t none;
	CHECK_EQUAL(pthread_key_create(&first, end_value), 0);
	CHECK_EQUAL(pthread_key_create(&second, NULL), 0);
	join(start(set_values, &ended));
	CHECK_EQUAL(ended, 3);
	CHECK(!pthread_getspecific(first));
	CHECK_EQUAL(pthread_setspecific(second, &ended), 0);
	CHECK_EQUAL(pthread_key_delete(second), 0);
	CHECK_EQUAL(pthread_key_create(&none, NULL), 0);
	CHECK(!pthread_getspecific(none)); /* whatever the key before it had, in the same place */
	printf("keys\n");
}

/* --------------------------------------------------------------------------------------------- signals -- */

static sem_t posted;

static void post(int number)
{
	(void)number;
	sem_post(&posted);
}

static void *await_signal(void *set)
{
	int number = 0;
	CHECK_EQUAL(sigwait(set, &number), 0);
	return (void *)(long)number;
}

static void signals(void)
{
	struct sigaction action = {.sa_handler = post};
	sigset_t set, old;
	sem_init(&posted, 0, 0);
	sigaction(SIGUSR1, &action, NULL);
	kill(getpid(), SIGUSR1);
	sem_wait(&posted);

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	CHECK_EQUAL(pthread_sigmask(SIG_BLOCK, &set, &old), 0);
	CHECK_EQUAL(sigismember(&old, SIGTERM), 0);
	kill(getpid(), SIGUSR1);
	usleep(20000);
	CHECK_EQUAL(sem_trywait(&posted), -1);
	CHECK_EQUAL(errno, EAGAIN);
	pthread_t thread = start(await_signal, &set);
	CHECK((long)join(thread) == SIGUSR1);
	thread = start(await_signal, &set);
	usleep(20000);
	CHECK_EQUAL(pthread_kill(thread, SIGTERM), 0);
	CHECK((long)join(thread) == SIGTERM);
	raise(SIGUSR1);
	CHECK_EQUAL(sem_trywait(&posted), -1);
	CHECK_EQUAL(pthread_sigmask(SIG_SETMASK, &old, NULL), 0);
	CHECK_EQUAL(sem_trywait(&posted), 0);
	raise(SIGUSR1);
	CHECK_EQUAL(sem_trywait(&posted), 0);
	printf("signals\n");
}

/* -------------------------------------------------------------------------------------- stacks, children -- */

static void *go_deep(void *argument)
{
	volatile char large[3 << 20];
	memset((void *)large, 1, sizeof(large));
	(void)argument;
	return (void *)(long)large[12345];
}

static void stacks(void)
{
	pthread_attr_t attributes;
	pthread_t thread;
	void *stack;
	size_t size;
	CHECK(go_deep(NULL)); /* main() has what the process may have */
	pthread_attr_init(&attributes);
	CHECK_EQUAL(pthread_attr_setstacksize(&attributes, 4 << 20), 0);
	for (int i = 0; i < 50; i++) {
		CHECK_EQUAL(pthread_attr_setdetachstate(&attributes, i % 2), 0);
		CHECK_EQUAL(pthread_create(&thread, &attributes, go_deep, NULL), 0);
		if (i % 2 == PTHREAD_CREATE_JOINABLE)
			CHECK(join(thread));
	}
	CHECK_EQUAL(pthread_getattr_np(pthread_self(), &attributes), 0);
	CHECK_EQUAL(pthread_attr_getstack(&attributes, &stack, &size), 0);
	CHECK((char *)&size > (char *)stack && (char *)&size < (char *)stack + size);
	printf("stacks\n");
}

static void children(void)
{
	int status;
	fflush(stdout);
	pid_t child = fork();
	if (child == 0) {
		sem_t semaphore;
		begin();
		struct timespec soon = from_now(CLOCK_REALTIME, 5);
		sem_init(&semaphore, 0, 1);
		CHECK_EQUAL(sem_wait(&semaphore), 0);
		CHECK_EQUAL(sem_timedwait(&semaphore, &soon), -1);
		CHECK_EQUAL(errno, ETIMEDOUT);
		_exit(7);
	}
	CHECK(waitpid(child, &status, 0) == child);
	printf("child %d\n", WEXITSTATUS(status));
}

/* The process lives as long as one thread. */
static void *say_last(void *unused)
{
	usleep(50000);
	puts("last");
	return unused;
}

int main(void)
{
	static void (*const parts[])(void) = {robust, read_again, deadlines, joins,   cancel,
	                                      keys,   signals,    stacks,    children};
	CHECK_EQUAL(pthread_once(&once_before, count_before), 0);
	CHECK_EQUAL(before, 1);
	for (unsigned i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		parts[i]();
	pthread_detach(start(say_last, NULL));
	pthread_exit(NULL);
}
