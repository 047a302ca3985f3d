/*
 * The operations on tasks (heddle/task.h): each chooses the next task, and a finalizer for the task that is left.
 */
#include "sched/task.h"

#include "sched/ready.h"
#include "sched/scheduler.h"
#include "sched/switch.h"
#include "sched/task_usual.h"
#include "sched/trace.h"
#include "sched/wait.h"

/* -------------------------------------------------------------------------------------------- create -- */

/* task_create() but for the plain way; and the end of that where others look at what is put (plain.h). Both are entered
 * with room on the stack; the latter where there is some, as the task that was made must not be lost. */
enum heddle_error task_create_full(struct task **result, task_function function, void *argument,
                                   const struct task_options *options);
enum heddle_error task_create_publish(struct task *task, bool put);
__typeof__(task_create_full) create_with_room STACK_ENTRY_OF(task_create_full);
__typeof__(task_create_publish) publish_with_room STACK_ENTRY_OF(task_create_publish);

static bool processor_is_valid(const struct task_options *options)
{
	int processor = options->processor;
	return options->bound ? processor >= 0 && (unsigned)processor < processor_count
	                      : processor == 0 || processor == HEDDLE_TASK_ANY_PROCESSOR;
}

static bool stack_is_valid(const struct task_options *options)
{
	if (!options->stack_memory)
		return options->stack_size <= HEDDLE_TASK_STACK_MAXIMUM;
	return options->stack != HEDDLE_TASK_STACK_GROWS && options->stack_size >= HEDDLE_TASK_STACK_MINIMUM;
}

__attribute__((noinline)) static bool options_are_valid(const struct task_options *options)
{
	return priority_level(options->priority) < HEDDLE_PRIORITIES &&
	       options->stack <= HEDDLE_TASK_STACK_WHOLE && stack_is_valid(options) &&
	       processor_is_valid(options) && options->quantum <= HEDDLE_TASK_QUANTUM_MAXIMUM;
}

STACK_ENTRY(task_create_full)
enum heddle_error task_create_full(struct task **result, task_function function, void *argument,
                                   const struct task_options *options)
{
	static const struct task_options defaults = {0};
	if (!options)
		options = &defaults;
	if (!function || !options_are_valid(options) || (!result && !options->detached))
		return HEDDLE_BAD_ARGUMENT;
	struct task *task = task_make(function, argument, options);
	if (!task)
		return HEDDLE_NO_MEMORY;
	quantum_note_priority(task->schedule.priority);
	if (result)
		*result = task;
	trace_create(task);
	ready_publish(task);
	return HEDDLE_OK;
}

STACK_ENTRY(task_create_publish)
enum heddle_error task_create_publish(struct task *task, bool put)
{
	if (put)
		ready_look(task, NULL);
	else
		ready_publish(task);
	return HEDDLE_OK;
}

enum heddle_error task_create(struct task **result, task_function function, void *argument,
                              const struct task_options *options)
{
	struct scheduler *scheduler = scheduler_current();
	if (__builtin_expect(!function || !options || !STACK_ENTRY_HAS_ROOM(task_create_publish), 0) ||
	    !options_are_usual(options) || __builtin_expect(!result && !options->detached, 0))
		return create_with_room(result, function, argument, options);
	struct task *task = task_take_untouched(scheduler->free_tasks);
	if (__builtin_expect(!task, 0))
		return create_with_room(result, function, argument, options);
	task_make_usual(task, function, argument, options);
	if (result)
		*result = task;
	trace_create(task);
	bool put = plain_put(scheduler, task);
	if (__builtin_expect(!put || plain_is_seen(scheduler, priority_level(options->priority)), 0))
		return publish_with_room(task, put);
	return HEDDLE_OK;
}

/* -------------------------------------------------------------------------------------- yield, sleep -- */

static void finalize_sleep(struct task *left, void *unused)
{
	(void)unused;
	uint64_t ticket = wait_ticket(left);
	wait_start_timer(left);
	wait_arm(left, ticket);
}

STACK_ENTRY(task_sleep_until)
enum heddle_error task_sleep_until(uint64_t deadline)
{
	static const struct wait_object time = {wait_for_time, NULL, NULL};
	quantum_check_cooperative("task_sleep_until()");
	enum heddle_error error = wait_begin(&time, deadline);
	if (error == HEDDLE_OK) {
		switch_away(finalize_sleep, NULL);
		error = wait_finish();
	}
	return error == HEDDLE_TIMED_OUT ? HEDDLE_OK : error;
}

/* ---------------------------------------------------------------------------------- about the caller -- */

struct task *(task_current)(void)
{
	return task_current();
}

bool task_runs(void)
{
	const struct scheduler *scheduler = scheduler_current();
	return scheduler && scheduler->current != scheduler->idle_task;
}

void task_stack_bounds(void **low, size_t *size)
{
	const struct task *task = task_current();
	*low = task->grows ? NULL : task->context.stack_low;
	*size = task->grows ? 0 : task->context.stack_size;
}

const char *task_name(const struct task *task)
{
	return task->name;
}

enum heddle_error task_bind(int processor)
{
	struct scheduler *scheduler = scheduler_current();
	quantum_check_cooperative("task_bind()");
	if (processor != HEDDLE_TASK_ANY_PROCESSOR && (processor < 0 || (unsigned)processor >= processor_count))
		return HEDDLE_BAD_ARGUMENT;
	scheduler->current->schedule.bound = (int16_t)processor;
	if (processor != HEDDLE_TASK_ANY_PROCESSOR && (unsigned)processor != scheduler->processor->index)
		switch_away(finalize_publish, NULL);
	return HEDDLE_OK;
}

enum heddle_error task_set_priority(enum heddle_priority priority)
{
	unsigned level = priority_level(priority);
	if (level >= HEDDLE_PRIORITIES)
		return HEDDLE_BAD_ARGUMENT;
	struct scheduler *scheduler = scheduler_current();
	quantum_note_priority(level);
	scheduler->current->schedule.priority = (uint8_t)level;
	atomic_store_explicit(&scheduler->running, (uint8_t)level, memory_order_relaxed);
	quantum_ask(scheduler->processor); /* a ready task may be higher now */
	return HEDDLE_OK;
}

void *task_local_get(unsigned slot)
{
	return slot < HEDDLE_TASK_LOCAL_SLOTS ? task_current()->local[slot] : NULL;
}

void task_local_set(unsigned slot, void *value)
{
	struct task *task = task_current();
	if (slot >= HEDDLE_TASK_LOCAL_SLOTS)
		return;
	task_touch(task);
	task->local[slot] = value;
}
