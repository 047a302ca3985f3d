#include "user/posix/clock.h"

#include <errno.h>
#include <unistd.h>

#include "arch/hosted/instead.h"
#include "heddle/host.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/posix/thread.h"

#define SECOND UINT64_C(1000000000)

static bool time_is_valid(const struct timespec *time)
{
	return time->tv_nsec >= 0 && time->tv_nsec < (long)SECOND;
}

bool limit_is_valid(struct limit limit)
{
	return !limit.time ||
	       ((limit.clock == CLOCK_REALTIME || limit.clock == CLOCK_MONOTONIC) && time_is_valid(limit.time));
}

/* Nanoseconds from one time to the other; 0: none; UINT64_MAX: too many. */
static uint64_t distance(const struct timespec *from, const struct timespec *to)
{
	uint64_t nanoseconds;
	if (to->tv_sec < from->tv_sec || (to->tv_sec == from->tv_sec && to->tv_nsec <= from->tv_nsec))
		return 0;
	if (__builtin_mul_overflow((uint64_t)to->tv_sec - (uint64_t)from->tv_sec, SECOND, &nanoseconds) ||
	    __builtin_add_overflow(nanoseconds, SECOND, &nanoseconds))
		return UINT64_MAX;
	return nanoseconds + (uint64_t)to->tv_nsec - (uint64_t)from->tv_nsec - SECOND;
}

static uint64_t rest_of(struct limit limit)
{
	struct timespec now;
	clock_gettime(limit.clock, &now);
	return distance(&now, limit.time);
}

static uint64_t deadline_after(uint64_t nanoseconds)
{
	uint64_t deadline;
	return __builtin_add_overflow(heddle_clock(), nanoseconds, &deadline) ? HEDDLE_NO_DEADLINE : deadline;
}

uint64_t limit_deadline(struct limit limit)
{
	return limit.time ? deadline_after(rest_of(limit)) : HEDDLE_NO_DEADLINE;
}

bool limit_has_passed(struct limit limit)
{
	return limit.time && rest_of(limit) == 0;
}

bool limit_wait_again(struct limit limit, enum heddle_error error, const char *function)
{
	return thread_wait_again(error, function) || (error == HEDDLE_TIMED_OUT && !limit_has_passed(limit));
}

/* ----------------------------------------------------------------------------------------------- sleep -- */

/* Called by its address: its name means the function defined below. */
static int (*const volatile host_sleep)(clockid_t clock, int flags, const struct timespec *time,
                                        struct timespec *rest) = clock_nanosleep;

/* Each is a cancellation point; nothing else ends it. A thread of the host sleeps by the host's own function. */
void limit_sleep(struct limit limit)
{
	if (!heddle_calling_task()) {
		host_sleep(limit.clock, TIMER_ABSTIME, limit.time, NULL);
		return;
	}
	thread_test_cancel();
	while (!limit_has_passed(limit)) {
		thread_wait_again(task_sleep_until(limit_deadline(limit)), "sleep()");
		thread_test_cancel();
	}
}

struct timespec clock_after(const struct timespec *time)
{
	struct timespec end;
	clock_gettime(CLOCK_MONOTONIC, &end);
	if (__builtin_add_overflow(end.tv_sec, time->tv_sec, &end.tv_sec))
		end.tv_sec = INT64_MAX;
	end.tv_nsec += time->tv_nsec;
	if (end.tv_nsec >= (long)SECOND && end.tv_sec < INT64_MAX) {
		end.tv_sec++;
		end.tv_nsec -= (long)SECOND;
	}
	return end;
}

static int sleep_for(const struct timespec *time)
{
	struct timespec end = clock_after(time);
	limit_sleep((struct limit){CLOCK_MONOTONIC, &end});
	return 0;
}

int heddle_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest);
int heddle_usleep(useconds_t microseconds);
unsigned heddle_sleep(unsigned seconds);

int heddle_clock_nanosleep(clockid_t clock, int flags, const struct timespec *time, struct timespec *rest)
{
	(void)rest;
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return clock == CLOCK_THREAD_CPUTIME_ID || clock_getres(clock, NULL) != 0 ? EINVAL : ENOTSUP;
	if (!time_is_valid(time) || time->tv_sec < 0)
		return EINVAL;
	if (!(flags & TIMER_ABSTIME))
		return sleep_for(time);
	limit_sleep((struct limit){clock, time});
	return 0;
}

int heddle_nanosleep(const struct timespec *time, struct timespec *rest)
{
	int error = heddle_clock_nanosleep(CLOCK_MONOTONIC, 0, time, rest);
	return error == 0 ? 0 : failed_with(error);
}

int heddle_usleep(useconds_t microseconds)
{
	return sleep_for(&(struct timespec){microseconds / 1000000, (long)(microseconds % 1000000) * 1000});
}

unsigned heddle_sleep(unsigned seconds)
{
	return (unsigned)sleep_for(&(struct timespec){seconds, 0});
}

int sched_yield(void)
{
	if (heddle_calling_task())
		task_yield();
	return 0;
}

INSTEAD_OF(clock_nanosleep);
INSTEAD_OF(nanosleep);
INSTEAD_OF(usleep);
INSTEAD_OF(sleep);
