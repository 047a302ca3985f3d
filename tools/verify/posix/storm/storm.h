/*
 * The storm of POSIX objects: many threads use at random and at once all that POSIX's and C11's threads have, and check
 * what is promised. It is a plain program of threads: what goes wrong where it runs with the host's threads is an
 * error of the storm's.
 *
 * A worker takes one turn after the other, each of a kind that it draws. A turn ends by itself, or through another
 * one, or when the time is over and its kind's `release` ends its waits: a worker that stays in one turn for longer
 * than the watch's patience has found an error. Turns make children, which are threads too.
 *
 * Each thread draws its decisions from its own generator. So the same words repeat the same decisions, as far as a
 * concurrent program can.
 */
#ifndef POSIX_STORM_H
#define POSIX_STORM_H

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STORM_WORKERS_MAXIMUM 64
#define STORM_CHILDREN        6 /* at most, of one turn */

/* A thread of the storm, a worker or a child. */
struct self {
	uint64_t random;
	_Atomic(const char *) doing; /* the last call that may wait */
};

struct worker {
	struct self self; /* first */
	pthread_t thread;
	_Atomic uint64_t turns; /* finished turns */
	_Atomic(const char *) turn;
	_Atomic bool ended;
};

struct kind {
	const char *name;
	unsigned weight; /* how often it is drawn, relative to all kinds */
	void (*prepare)(void);
	void (*turn)(struct self *self);
	void (*release)(void); /* end its waits; called until all workers have ended */
	void (*finish)(void);  /* all threads have ended: check what is left */
};

extern const struct kind kind_mutexes, kind_robust, kind_monitor, kind_list, kind_barriers, kind_locks,
    kind_semaphores, kind_threads, kind_keys, kind_once, kind_cancellation, kind_signals, kind_sigwait,
    kind_c11;

struct storm {
	uint64_t seed;
	bool clocks;                  /* also functions with a clock of choice, which a sanitizer may not know */
	_Atomic bool over;            /* no new turns; waits are ended */
	_Atomic unsigned detached;    /* children that nothing joins and that have not ended */
	_Atomic unsigned long deaths; /* of holders of robust mutexes */
	_Atomic unsigned long cancels, signals;
};
extern struct storm storm;

static inline bool storm_is_over(void)
{
	return atomic_load_explicit(&storm.over, memory_order_relaxed);
}

/* ------------------------------------------------------------------------------------------ decisions -- */

/* Initialize a thread's generator from another thread's. */
void self_begin(struct self *self, uint64_t random);

/* A number below `below`, which is not 0. */
static inline uint32_t draw(struct self *self, uint32_t below)
{
	self->random = self->random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((self->random >> 32) * below >> 32);
}

/* A time of that clock: past, within microseconds, or within milliseconds. */
struct timespec soon(struct self *self, clockid_t clock);

/* A time of that clock that no test reaches. */
struct timespec far_away(clockid_t clock);

/* One of CLOCK_REALTIME and CLOCK_MONOTONIC. */
clockid_t any_clock(struct self *self);

/* Do nothing, yield, sleep a little, or compute. */
void dawdle(struct self *self);

/* ------------------------------------------------------------------------------------------- children -- */

struct child {
	struct self self; /* first */
	pthread_t thread;
	unsigned number;
	void *shared; /* the turn's */
};

/* Make `count` children that run the function with their struct child. */
void children_begin(struct self *self, struct child *children, unsigned count, void *(*function)(void *),
                    void *shared);

/* Join them; each must return its argument. */
void children_end(struct self *self, struct child *children, unsigned count);

/* Cancel a worker, which has that disabled: its waits go on. */
void worker_cancel(struct self *self);

/* Create a thread; the machine may be short of threads for a while. */
void thread_begin(struct self *self, pthread_t *thread, const pthread_attr_t *attributes,
                  void *(*function)(void *), void *argument);

/* --------------------------------------------------------------------------------------------- checks -- */

/* Say what is wrong, and the words that show it again, and end the process. */
_Noreturn void storm_wrong(const char *file, int line, const char *what, const char *found);

#define CHECK(condition) ((condition) ? (void)0 : storm_wrong(__FILE__, __LINE__, #condition, "not so"))

/* Check that the call returned one of these numbers, and return it. */
int storm_gave(const char *file, int line, const char *call, int result, const int *allowed, size_t count);

/* A call that may wait: the watch names it. Has its result. */
#define GIVES(self, call, ...)                                                 \
	(atomic_store_explicit(&(self)->doing, #call, memory_order_relaxed),       \
	 storm_gave(__FILE__, __LINE__, #call, (call), (const int[]){__VA_ARGS__}, \
	            sizeof((const int[]){__VA_ARGS__}) / sizeof(int)))
#define OK(self, call) GIVES(self, call, 0)

/* The same for functions that return -1 and set errno: 0, or errno. */
#define ERROR(call) ((call) == 0 ? 0 : errno)

/* What was freed, or lies in memory that is used again, must not be touched. */
static inline void scribble(void *object, size_t size)
{
	memset(object, 0xa5, size);
}

#endif
