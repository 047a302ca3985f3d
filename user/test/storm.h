/*
 * The storm: everything that tasks can do, at once and at random. It checks what the public headers promise, and
 * assumes nothing about which tasks meet.
 *
 * The program `storm` (storm.c) runs a number of workers. Each takes turns of random kinds until the time is over.
 * Hunters cancel and resume workers at any moment (storm_hunters.c). A hog may take all memory and free it again and
 * again. A watch finds each worker that waits too long.
 *
 * A kind of turn is a file with a struct storm_kind; everything that it needs is in that file. Each wait of a turn
 * must end: through another task's turn, a hunter, a deadline or, when the time is over, its kind's `release`. So a
 * worker that stays in one turn for longer than the watch's patience has found an error.
 *
 * Each task draws its decisions from its own generator, seeded with seed= and the task's number. So the same words,
 * processors and build repeat the same decisions, as far as a concurrent program can.
 */
#ifndef USER_TEST_STORM_H
#define USER_TEST_STORM_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/lock.h"
#include "heddle/system.h"
#include "heddle/task.h"

#define STORM_WORKERS_MAXIMUM 64

struct storm_task {
	unsigned number;
	uint64_t random;
	struct task *task;
	_Atomic uint64_t turns; /* finished turns */
	_Atomic bool ended;
	_Atomic(const char *) turn;  /* the kind of its present turn */
	_Atomic(const char *) doing; /* the call that it is in; NULL: not in one that may wait */
	_Atomic uint64_t since;      /* clock: when its last call began */
	_Atomic bool wants_resume;   /* storm_rest.c: task_resume() is due */
};

struct storm {
	uint64_t seed, patience; /* nanoseconds */
	uint64_t kinds;          /* a bit for each kind that takes part */
	unsigned workers;
	bool hogs;
	_Atomic bool over;                                    /* no new turns; waits are ended */
	_Atomic bool conducted;                               /* all tasks have ended, and the rest was checked */
	_Atomic unsigned working;                             /* workers that have not ended */
	_Atomic unsigned wrong;                               /* number of errors */
	_Atomic uint64_t cancels, shortages, deaths, longest; /* for the result; nanoseconds that a call took */
	_Atomic uint64_t next_death;                          /* clock */
	struct storm_task worker[STORM_WORKERS_MAXIMUM];
};
extern struct storm storm;

struct storm_kind {
	const char *name;
	unsigned weight;       /* how often it is drawn, relative to all kinds */
	bool (*prepare)(void); /* before the workers are there; false: no memory */
	void (*turn)(struct storm_task *self);
	void (*release)(void); /* end its waits; called until all workers have ended */
	void (*finish)(void);  /* all tasks have ended: check what is left, and free it */
};

extern const struct storm_kind storm_nest, storm_delegation, storm_channels, storm_monitor, storm_semaphore,
    storm_meeting, storm_promises, storm_generators, storm_rest, storm_change, storm_children, storm_group,
    storm_sections;

/* Initialize a task with that number, before its first decision. */
void storm_task_begin(struct storm_task *self, unsigned number);

/* Create the tasks that are not workers (storm_hunters.c); false: no memory. */
bool storm_hunters_begin(void);
void storm_hunters_end(void);

/* Resume all workers that request it (storm_rest.c). */
void storm_rest_resume(void);

/* ----------------------------------------------------------------------------------------- decisions -- */

/* A number below `below`, which is not 0. */
static inline uint32_t storm_draw(struct storm_task *self, uint32_t below)
{
	self->random = self->random * UINT64_C(6364136223846793005) + 1442695040888963407;
	return (uint32_t)((self->random >> 32) * below >> 32);
}

/* No deadline, a past one, one within some hundred nanoseconds, or one some milliseconds away. */
uint64_t storm_deadline(struct storm_task *self);

/* The means of a task that a turn makes: priority, processor, quantum, stack. */
enum heddle_priority storm_priority(struct storm_task *self);
struct task_options storm_options(struct storm_task *self, const char *name);

/* Do nothing, yield, sleep a little, compute, or change (storm_change.c). */
void storm_dawdle(struct storm_task *self);

/* Make the calling task fault. */
void storm_fault(void);

/* Whether a task may now fault, or end with locks held. Each time leaves lines in the log, so there is a limit. */
bool storm_may_die(void);

/* -------------------------------------------------------------------------------------------- checks -- */

/* Count and log a broken promise, and end the storm. Returns false. */
bool storm_wrong(const char *file, int line, const char *what, const char *found);
static inline bool storm_check(const char *file, int line, const char *what, bool right)
{
	return right || storm_wrong(file, line, what, NULL);
}
#define STORM_CHECK(condition) storm_check(__FILE__, __LINE__, #condition, (condition))

#define STORM_BIT(error) (1u << (error))

/* Check that the call returned one of these errors, a set of STORM_BIT()s. Returns whether it was HEDDLE_OK. */
bool storm_gave(const char *file, int line, const char *call, enum heddle_error error, uint32_t allowed);
#define STORM_GIVES(call, allowed) storm_gave(__FILE__, __LINE__, #call, (call), (allowed))
#define STORM_OK(call)             STORM_GIVES(call, STORM_BIT(HEDDLE_OK))

/* The errors of a wait with that deadline that task_cancel() can end. */
static inline uint32_t storm_waits(uint64_t deadline)
{
	uint32_t allowed = STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_CANCELLED) | STORM_BIT(HEDDLE_NO_MEMORY);
	return deadline == HEDDLE_NO_DEADLINE ? allowed : allowed | STORM_BIT(HEDDLE_TIMED_OUT);
}

/* A call that may wait, recorded for the watch: STORM_CALL(self, mutex_lock(mutex)) has the value of mutex_lock(). */
#define STORM_CALL(self, call) (storm_begin(self, #call), storm_end(self, call))
void storm_begin(struct storm_task *self, const char *call);
enum heddle_error storm_end(struct storm_task *self, enum heddle_error error);

#endif
