/*
 * Making a usual task: it is bound to no processor, has the quantum of the command line and a stack that grows, and is
 * made in memory that the processor has at hand and that the last task has not touched. This calls no other function,
 * so that task_create() keeps nothing in registers of its own (task.c). All other tasks: task_make().
 *
 * Only the processor itself takes from its memory at hand, so all of it is wait-free.
 */
#ifndef SCHED_TASK_USUAL_H
#define SCHED_TASK_USUAL_H

#include "sched/foresee.h"
#include "sched/growth.h"
#include "sched/quantum.h"
#include "sched/scheduler.h"

/* The quantum of such a task, in place in a schedule. */
extern struct task_schedule schedule_usual;

/* The name of a task; NULL: "task". */
static inline void task_name_set(struct task *task, const char *name)
{
	static const char unnamed[8] = "task";
	size_t length = 0;
	if (!name) {
		__builtin_memcpy(task->name, unnamed, sizeof(unnamed));
		return;
	}
	for (; name[length] && length < HEDDLE_TASK_NAME_MAXIMUM - 1; length++)
		task->name[length] = name[length];
	task->name[length] = 0;
}

/* Whether the task is bound to no processor, its quantum is left open, its stack grows, and no task was ever above it.
 * Then the options are valid. */
static inline bool options_are_usual(const struct task_options *options)
{
	unsigned level = priority_level(options->priority);
	return __builtin_expect(!((unsigned)options->processor | options->quantum | options->bound) &&
	                            level < HEDDLE_PRIORITIES &&
	                            level >= atomic_load_explicit(&quantum_lowest, memory_order_relaxed) &&
	                            options->stack == HEDDLE_TASK_STACK_GROWS && !options->stack_memory &&
	                            options->stack_size <= HEDDLE_TASK_STACK_MAXIMUM,
	                        1);
}

/* Memory at hand; NULL: there is none, or it was touched. */
static inline struct task *task_take_untouched(struct pool_magazine *free_tasks)
{
	uint32_t count = magazine_count(free_tasks);
	if (__builtin_expect(count == 0, 0))
		return NULL;
	struct task *task = (struct task *)free_tasks->objects[count - 1];
	if (__builtin_expect(task->touched, 0))
		return NULL;
	magazine_set_count(free_tasks, count - 1);
	foresee_free(free_tasks, count - 1);
	return task;
}

/* Let it have the stack in its block. */
static inline void task_grow_from_block(struct task *task, const struct task_options *options)
{
	task->grows = true;
	task->stack_maximum = (uint32_t)options->stack_size;
	stack_begin(task);
}

/* The task has a stack and a schedule. */
static inline void task_begin(struct task *task, task_function function, void *argument,
                              const struct task_options *options)
{
	task->function = function;
	task->argument = argument;
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
	atomic_store_explicit(&task->join, options->detached ? TASK_JOIN_DETACHED : TASK_JOINABLE,
	                      memory_order_relaxed);
	task_name_set(task, options->name);
}

/* Reset the hot part, except for what the options set. */
static inline void task_reset(struct task *task)
{
	ASSERT(task_is_as_new(task));
	task_wait_reset(&task->wait);
	task->guarded = false;
	task->function_ended = false;
	task->touched = false; /* it is: so the compiler clears all of these at once */
}

/* Make a task of memory that was taken, with usual options. */
static inline void task_make_usual(struct task *task, task_function function, void *argument,
                                   const struct task_options *options)
{
	task_reset(task);
	task_grow_from_block(task, options);
	task->schedule.ties.word = task_ties_word(HEDDLE_TASK_ANY_PROCESSOR, priority_level(options->priority));
	task->schedule.slice = schedule_usual.slice;
	task->schedule.rest = schedule_usual.rest;
	task_begin(task, function, argument, options);
}

#endif
