/* What the cases of sync/ have in common: a few tasks on the scheduler of ready.h. */
#ifndef MODEL_SCRIPT_H
#define MODEL_SCRIPT_H

#include "explorer.h"
#include "ready.h"
#include "task_memory.h"

#include "heddle/lock.h"
#include "sched/task.h"

/* A deadline that passes at any moment. */
#define SOON 1

/* What else happens: nothing, time passes, or task_cancel() is called for task A, at any moment. */
enum outside { ALONE, TIME, CANCEL };

struct script {
	unsigned processors; /* processors that run tasks; one more for the outside */
	enum outside outside;
	void (*prepare)(void);      /* in the set-up; may be NULL */
	const char *(*check)(void); /* at the end; may be NULL */
	task_function tasks[3];     /* A, B, C */
};

void script_set_up(const struct explore_case *explored);
void script_program(const struct explore_case *explored, unsigned processor);

/* No task waits, and everything taken from pools was freed, except a waiter per task. */
const char *script_check(const struct explore_case *explored);

/* The plain fields from `first` up to `end` must be accessed by one processor at a time. In a set-up. */
void script_watch(const void *first, const void *end);

/* Fails unless the result is one of these two. */
void script_expect(const char *what, enum heddle_error error, enum heddle_error expected,
                   enum heddle_error other);

/* The result of a call in an uncooperative section. */
#define SCRIPT_INSIDE(call) (uncooperative_begin(), script_outside(call))
enum heddle_error script_outside(enum heddle_error error);

/* The calling task reaches a check with its quantum spent, while it owes the processor to another. */
void script_spend(void);

/* The calling task is alone here, and others may come meanwhile. */
void script_alone(void);

#define SCRIPT_CASE(file, title, limit, longer, count, world, first, last, ...)                  \
	{                                                                                            \
		.name = file "." title, .processors = (count) + ((world) != ALONE), .long_run = longer,  \
		.switches = limit, .script = &(struct script){count, world, first, last, {__VA_ARGS__}}, \
		.set_up = script_set_up, .program = script_program, .check = script_check                \
	}

#endif
