/*
 * Locks of the C library that tasks hold. Such a lock belongs to a thread, and a thread that waits for it blocks its
 * processor. If its holder were switched away, the next task here could wait for a task that never runs. So a task is
 * uncooperative while it holds one. Only locks that instrumented code takes and gives back are seen (ways.asm); locks
 * that a foreign function takes for its caller are not.
 *
 * To wait for a condition, a task would have to leave its processor for good. Instead it looks again now and then,
 * which a condition allows: its waiters must check in any case whether it has come true.
 */
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "arch/hosted/hosted.h"
#include "heddle/task.h"

#define LOOK_AGAIN 50000 /* nanoseconds */

/* These are called on the task's stack (ways.asm). */
int hosted_lock_taken(int result);
int hosted_lock_given(int result);
int hosted_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int hosted_condition_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                               const struct timespec *time);
int hosted_condition_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                               const struct timespec *time);

/* NULL: no task runs. */
static struct processor *processor_of_task(void)
{
	return task_runs() ? processor_current() : NULL;
}

int hosted_lock_taken(int result)
{
	struct processor *processor = processor_of_task();
	if (!processor)
		return result;
	if (regions_open(processor) == 0)
		processor->arch->locks = 0; /* a task has ended that still held some */
	processor->arch->locks++;
	processor->uncooperative++;
	return result;
}

/* A lock that was taken elsewhere is not counted. */
int hosted_lock_given(int result)
{
	struct processor *processor = processor_of_task();
	if (processor && processor->arch->locks > 0 && regions_open(processor) > 0) {
		processor->arch->locks--;
		uncooperative_end();
	}
	return result;
}

/* ---------------------------------------------------------------------------------------- conditions -- */

struct wait {
	pthread_cond_t *condition;
	pthread_mutex_t *mutex;
	clockid_t clock;
	const struct timespec *time; /* NULL: wait for ever */
	int result;
	bool expired;
};

/* The task may leave if it holds only the condition's lock, and nothing else keeps it here. */
static bool may_leave(void)
{
	const struct processor *processor = processor_of_task();
	return processor && processor->uncooperative == 1 && processor->arch->locks == 1;
}

static void wait_here(void *argument)
{
	struct wait *wait = argument;
	if (!wait->time)
		wait->result = pthread_cond_wait(wait->condition, wait->mutex);
	else
		wait->result = pthread_cond_clockwait(wait->condition, wait->mutex, wait->clock, wait->time);
}

static void library_unlock(void *argument)
{
	struct wait *wait = argument;
	struct timespec now;
	if (wait->time && clock_gettime(wait->clock, &now) == 0)
		wait->expired = now.tv_sec > wait->time->tv_sec ||
		                (now.tv_sec == wait->time->tv_sec && now.tv_nsec >= wait->time->tv_nsec);
	wait->result = pthread_mutex_unlock(wait->mutex);
}

static void library_lock(void *argument)
{
	struct wait *wait = argument;
	wait->result = pthread_mutex_lock(wait->mutex);
}

static int library_wait(struct wait *wait)
{
	if (!may_leave()) {
		arch_call_on_processor_stack(wait_here, wait);
		return wait->result;
	}
	arch_call_on_processor_stack(library_unlock, wait);
	if (wait->result != 0)
		return wait->result;
	hosted_lock_given(0);
	task_sleep_until(arch_clock() + (wait->expired ? 0 : LOOK_AGAIN));
	arch_call_on_processor_stack(library_lock, wait);
	if (wait->result != 0)
		return wait->result;
	hosted_lock_taken(0);
	return wait->expired ? ETIMEDOUT : 0;
}

int hosted_condition_wait(pthread_cond_t *condition, pthread_mutex_t *mutex)
{
	return library_wait(&(struct wait){.condition = condition, .mutex = mutex});
}

/* glibc records which clock a condition uses (nptl/pthread_cond_init.c); this relies on it. */
int hosted_condition_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time)
{
	bool monotonic = condition->__data.__wrefs & 2;
	return library_wait(&(struct wait){.condition = condition,
	                                   .mutex = mutex,
	                                   .clock = monotonic ? CLOCK_MONOTONIC : CLOCK_REALTIME,
	                                   .time = time});
}

int hosted_condition_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, clockid_t clock,
                               const struct timespec *time)
{
	return library_wait(&(struct wait){.condition = condition, .mutex = mutex, .clock = clock, .time = time});
}
