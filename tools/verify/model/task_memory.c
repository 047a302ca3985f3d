/* Replaces sched/task_memory.c: tasks from an array, each made once. */
#include "task_memory.h"

#include "arch.h"
#include "sched/callback.h"
#include "sched/node.h"
#include "sched/task.h"
#include "sched/task_usual.h"

/* Whether tasks have touched nothing, and keep their stacks until they are given back. */
#ifndef MODEL_LIGHT_TASKS
#	define MODEL_LIGHT_TASKS false
#endif

/* The state of a task's memory. */
enum { UNUSED, MADE, RELEASED };

static struct task tasks[MODEL_TASKS], idle_tasks[EXPLORE_PROCESSORS];
static uint8_t life[MODEL_TASKS];
static uint8_t stack_life[MODEL_TASKS];
static unsigned tasks_made;

unsigned model_task_number(const struct task *task)
{
	return (unsigned)(task - tasks);
}

struct task *model_task(unsigned number)
{
	return &tasks[number];
}

void task_pools_create(void)
{
}

void task_entry(void)
{
	model_finalize();
	struct task *task = task_current();
	explore_note("-- task %c starts", 'A' + (int)(task - tasks));
	task_exit(task->function(task->argument));
}

/* No memory is at hand: task_make() makes all tasks. */
struct pool_magazine *task_magazine(unsigned index)
{
	static struct pool_magazine empty;
	(void)index;
	return &empty;
}

struct task_schedule schedule_usual;

bool task_is_as_new(const struct task *task)
{
	(void)task;
	return true;
}

struct task *task_make(task_function function, void *argument, const struct task_options *options)
{
	if (tasks_made == MODEL_TASKS)
		return NULL;
	unsigned number = tasks_made++;
	struct task *task = &tasks[number];
	queue_item_create(&task->item, node_make_boot());
	task->touched = !MODEL_LIGHT_TASKS; /* then its stack is freed when it ends */
	task->function = function;
	task->argument = argument;
	task->schedule.bound = (int16_t)(options->bound ? options->processor : HEDDLE_TASK_ANY_PROCESSOR);
	task->schedule.priority = (uint8_t)priority_level(options->priority);
	if (options->detached)
		atomic_store_explicit(&task->join, TASK_JOIN_DETACHED, memory_order_relaxed);
	task->context.stack_pointer = (void *)(uintptr_t)(EXPLORE_PROCESSORS + number);
	task->context.stack_low = &model_canary;
	explore_stack_begin(EXPLORE_PROCESSORS + number, task_entry);
	life[number] = stack_life[number] = MADE;
	return task;
}

struct task *task_make_idle(struct processor *processor)
{
	struct task *task = &idle_tasks[processor->index];
	task->schedule.bound = (int16_t)processor->index;
	task->schedule.priority = LEVEL_LOWEST;
	return task;
}

/* There is no foreign code. */
bool callbacks_settle(uintptr_t stack_pointer)
{
	(void)stack_pointer;
	return false;
}

void task_release_stack(struct task *task)
{
	if (stack_life[task - tasks] != MADE)
		explore_fail("a stack is given back twice");
	if (explore_stack() == model_stack_of(&task->context))
		explore_fail("a stack is given back by whom it carries");
	stack_life[task - tasks] = RELEASED;
	explore_stack_end(model_stack_of(&task->context));
}

void task_release(struct task *task)
{
	if (life[task - tasks] != MADE)
		explore_fail("task %c is given back twice", 'A' + (int)(task - tasks));
	if (!task->touched)
		task_release_stack(task);
	if (stack_life[task - tasks] != RELEASED)
		explore_fail("task %c is given back before its stack", 'A' + (int)(task - tasks));
	life[task - tasks] = RELEASED;
	explore_note("-- task %c is given back", 'A' + (int)(task - tasks));
}

void task_visit(void (*visit)(struct task *task, void *argument), void *argument)
{
	(void)visit, (void)argument;
}

bool model_task_all_left(void)
{
	for (unsigned i = 0; i < tasks_made; i++)
		if (stack_life[i] != RELEASED && (tasks[i].touched || tasks[i].state != TASK_ENDED))
			return false;
	return true;
}

void model_task_ignore(void)
{
	for (unsigned i = 0; i < MODEL_TASKS; i++) {
		explore_ignore(&tasks[i].wait.home, sizeof tasks[i].wait.home);
		explore_ignore(&tasks[i].wait_cold.object, sizeof tasks[i].wait_cold.object);
	}
}

void model_task_name(void)
{
	for (unsigned i = 0; i < MODEL_TASKS; i++)
		explore_name(&tasks[i], sizeof tasks[i], "task %c", 'A' + (int)i);
	for (unsigned i = 0; i < MODEL_TASKS; i++) {
		explore_name(&tasks[i].join, sizeof tasks[i].join, "%c.join", 'A' + (int)i);
		explore_name(&tasks[i].wait.permit, sizeof tasks[i].wait.permit, "%c.permit", 'A' + (int)i);
		explore_name(&tasks[i].wait.word, sizeof tasks[i].wait.word, "%c.wait", 'A' + (int)i);
		explore_name(&tasks[i].wait.cancelled, sizeof tasks[i].wait.cancelled, "%c.cancelled", 'A' + (int)i);
		explore_name(&tasks[i].item, sizeof tasks[i].item, "item of %c", 'A' + (int)i);
	}
}

const char *model_task_check(unsigned count)
{
	for (unsigned i = 0; i < count; i++) {
		if (life[i] == UNUSED)
			return "a task was never made";
		if (life[i] != RELEASED || stack_life[i] != RELEASED)
			return "a task or its stack was not given back";
	}
	return NULL;
}
