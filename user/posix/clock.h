/*
 * Points in time, of POSIX's clocks and Heddle's.
 */
#ifndef POSIX_CLOCK_H
#define POSIX_CLOCK_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "heddle/lock.h"

/* Until when a wait may last. */
struct limit {
	clockid_t clock;
	const struct timespec *time; /* NULL: for ever */
};
#define NO_LIMIT ((struct limit){0, NULL})

/* Whether there is such a clock, and such a time. */
bool limit_is_valid(struct limit limit);

/* As a time of heddle_clock(), for a limit that is valid. */
uint64_t limit_deadline(struct limit limit);

/* Whether it has passed by its own clock, which may differ a little from Heddle's. */
bool limit_has_passed(struct limit limit);

/* Whether a wait until then has ended too early and must be begun again; as thread_wait_again(). */
bool limit_wait_again(struct limit limit, enum heddle_error error, const char *function);

/* The point in time that long after now, by CLOCK_MONOTONIC; at most the last one. `time` is valid and not
 * negative. */
struct timespec clock_after(const struct timespec *time);

/* Wait for it: a cancellation point. */
void limit_sleep(struct limit limit);

/* Code compiled with the plugin calls this in place of nanosleep(). */
int heddle_nanosleep(const struct timespec *time, struct timespec *rest);

#endif
