/*
 * What the cases of the scheduler have in common: each virtual processor runs scheduler_run(). A case is the function
 * of a first task, which makes the others and calls scheduler_stop(); or of some tasks that exist at the beginning.
 * model_task_wait() keeps the task's processor busy, so a task that must run meanwhile needs another processor, and a
 * lost wake-up shows as a processor that waits for ever.
 */
#ifndef MODEL_SCHEDULING_H
#define MODEL_SCHEDULING_H

#include "explorer.h"

#include "arch.h"
#include "task_memory.h"

#include "kernel/command_line.h"
#include "sched/task.h"

struct scheduling {
	enum scheduler_policy
	    policy;                 /* GLOBAL: a ready queue that is linked in, if one is (sched/ready_added.h) */
	task_function first;        /* made in the set-up, ready on processor 0 */
	unsigned tasks;             /* made in all, each once */
	bool early;                 /* is about early switches; otherwise requests vanish */
	bool linger;                /* processors without work look once more before they are idle */
	task_function others[2];    /* made in the set-up as well; then the machine stops when nothing is ready */
	void (*prepare)(void);      /* in the set-up; may be NULL */
	const char *(*check)(void); /* at the end, in place of: every task has ended; may be NULL */
};

void scheduling_set_up(const struct explore_case *explored);
void scheduling_program(const struct explore_case *explored, unsigned processor);
const char *scheduling_check(const struct explore_case *explored);

/* A task bound to that processor (or HEDDLE_TASK_ANY_PROCESSOR), of normal or of another priority. */
struct task *scheduling_make(task_function function, void *argument, int processor);
struct task *scheduling_make_at(enum heddle_priority priority, task_function function, void *argument,
                                int processor);

/* Join the task; fails unless it returns that. */
void scheduling_join(struct task *task, intptr_t expected);

/* Goes on when all tasks of the case are here. Needs as many processors as tasks: none may be idle while a task
 * waits. */
void scheduling_meet(void);

/* A task that only meets the others, and returns 7. */
intptr_t scheduling_meet_only(void *unused);

/* A task that waits until another one has come here, too, and returns 0: so both processors run one. */
intptr_t scheduling_meet_another(void *unused);

/* How many have come here. */
unsigned scheduling_met(void);

/* A task that does nothing, and returns 7. */
intptr_t scheduling_return_seven(void *unused);

/* Tasks are known to be short on all processors until then (sched/brisk.h); or for ever, as `prepare`. */
void scheduling_short_until(uint64_t time);
void scheduling_short_for_ever(void);

/* For model_task_wait(): whether the atomic_bool is set. */
bool scheduling_is_true(void *flag);

#define SCHEDULING_CASE(file, title, count, longer, limit, chosen, ...)                               \
	{                                                                                                 \
		.name = file "." title, .processors = count, .long_run = longer, .switches = limit,           \
		.script = &(struct scheduling){SCHEDULER_##chosen, __VA_ARGS__}, .set_up = scheduling_set_up, \
		.program = scheduling_program, .check = scheduling_check                                      \
	}

#endif
