/*
 * Ready queues, idling and waking, and the handshakes of tasks, with real tasks that switch: the whole of
 * sched/ but for timers, the watchdog and where memory comes from. Each virtual processor runs
 * scheduler_run(). A case is the function of a first task, which makes the others; explore_wait() in a task
 * keeps its processor busy, so a task that must run meanwhile needs another processor, and a lost wake-up
 * shows as a processor that waits for ever. The last task calls scheduler_stop().
 */
#include <string.h>

#include "explorer.h"

#include "arch.h"
#include "kernel.h"
#include "sched/node.h"
#include "sched/ready.h"
#include "sched/scheduler.h"

#define TASKS (EXPLORE_STACKS - EXPLORE_PROCESSORS)

struct script {
	enum scheduler_policy policy;
	intptr_t (*first)(void *);
	unsigned tasks; /* that are made in all, each once */
};

/* What is left of a task's memory when nobody knows the task any more. */
enum { UNUSED, MADE, RELEASED };

static struct task tasks[TASKS], idle_tasks[EXPLORE_PROCESSORS];
static uint8_t life[TASKS];
static uint8_t stack_life[TASKS];
static unsigned tasks_made;
static bool started[TASKS];
static unsigned starters; /* how many tasks must have started before any goes on */

/* ---- in place of the pools ---- */

void task_pools_create(void)
{
}

static void task_entry(void)
{
	model_finalize();
	struct task *task = task_current();
	explore_note("-- task %c starts", 'A' + (int)(task - tasks));
	task_exit(task->function(task->argument));
}

struct task *task_make(task_function function, void *argument, const struct task_options *options)
{
	if (tasks_made == TASKS)
		return NULL;
	unsigned number = tasks_made++;
	struct task *task = &tasks[number];
	queue_item_create(&task->item, node_make_boot());
	task->function = function;
	task->argument = argument;
	task->bound = (int16_t)options->processor;
	task->priority = (uint8_t)options->priority;
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
	task->bound = (int16_t)processor->index;
	task->priority = PRIORITY_IDLE;
	return task;
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
	if (stack_life[task - tasks] != RELEASED)
		explore_fail("task %c is given back before its stack", 'A' + (int)(task - tasks));
	life[task - tasks] = RELEASED;
	explore_note("-- task %c is given back", 'A' + (int)(task - tasks));
}

void task_visit(void (*visit)(struct task *task, void *argument), void *argument)
{
	(void)visit, (void)argument;
}

/* ---- set up ---- */

static void name_all(void)
{
	for (unsigned i = 0; i < TASKS; i++)
		explore_name(&tasks[i], sizeof tasks[i], "task %c", 'A' + (int)i);
	for (unsigned i = 0; i < TASKS; i++) {
		explore_name(&tasks[i].join, sizeof tasks[i].join, "%c.join", 'A' + (int)i);
		explore_name(&tasks[i].permit, sizeof tasks[i].permit, "%c.permit", 'A' + (int)i);
		explore_name(&tasks[i].state, sizeof tasks[i].state, "%c.state", 'A' + (int)i);
		explore_name(&tasks[i].item, sizeof tasks[i].item, "item of %c", 'A' + (int)i);
	}
	model_kernel_name();
	for (unsigned i = 0; i < processor_count; i++) {
		struct scheduler *scheduler = processors[i].scheduler;
		explore_name(&scheduler->levels, sizeof scheduler->levels, "levels%u", i);
		explore_name(&scheduler->bound_count, sizeof scheduler->bound_count, "bound-count%u", i);
		for (unsigned level = 0; level < PRIORITIES; level++) {
			explore_name(&scheduler->ring[level].head, 8, "ring%u.%u.head", i, level);
			explore_name(&scheduler->ring[level].tail, 8, "ring%u.%u.tail", i, level);
			explore_name(&scheduler->ring[level].slots, sizeof scheduler->ring[0].slots, "ring%u.%u.slots", i,
			             level);
		}
	}
}

static void set_up(const struct explore_case *explored)
{
	const struct script *script = explored->script;
	command_line.policy = script->policy;
	scheduler_start();
	name_all();
	for (unsigned i = 0; i < processor_count; i++) {
		explore_ignore(&processors[i].scheduler->counters, sizeof(struct scheduler_counters));
		processors[i].stack_low = &model_canary; /* scheduler_run() puts it there once more */
	}
	starters = script->tasks;
	struct task *first;
	task_create(&first, script->first, NULL, NULL);
	task_detach(first);
}

static void program(const struct explore_case *explored, unsigned processor)
{
	(void)explored;
	scheduler_run(&processors[processor]);
}

static const char *check(const struct explore_case *explored)
{
	for (unsigned i = 0; i < ((const struct script *)explored->script)->tasks; i++) {
		if (life[i] == UNUSED)
			return "a task was never made";
		if (life[i] != RELEASED || stack_life[i] != RELEASED)
			return "a task or its stack was not given back";
	}
	return NULL;
}

/* ---- tasks ---- */

static bool all_started(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < starters; i++)
		if (!started[i])
			return false;
	return true;
}

/* Needs as many processors as there are tasks: none may be idle while a task waits. */
static void meet(void)
{
	started[task_current() - tasks] = true;
	explore_wait(all_started, NULL);
}

static intptr_t meet_only(void *unused)
{
	(void)unused;
	meet();
	return 7;
}

static struct task *make(task_function function, void *argument, int processor)
{
	struct task_options options = TASK_OPTIONS;
	struct task *task;
	options.processor = processor;
	if (task_create(&task, function, argument, &options) != HEDDLE_OK)
		explore_fail("a task could not be made");
	return task;
}

static void join(struct task *task, intptr_t expected)
{
	intptr_t result = 0;
	enum heddle_error error = task_join(task, &result);
	if (error != HEDDLE_OK || result != expected)
		explore_fail("task_join says %d, with the result %ld", error, (long)result);
}

static intptr_t wake_another(void *unused)
{
	(void)unused;
	struct task *other = make(meet_only, NULL, TASK_ANY_PROCESSOR);
	meet();
	join(other, 7);
	scheduler_stop();
	return 0;
}

static intptr_t wake_bound(void *unused)
{
	(void)unused;
	int home = 1 - (int)explore_processor();
	struct task *other = make(meet_only, NULL, home);
	meet();
	join(other, 7);
	scheduler_stop();
	return 0;
}

static intptr_t yield_then_meet(void *unused)
{
	(void)unused;
	struct task *other = make(meet_only, NULL, TASK_ANY_PROCESSOR);
	task_yield();
	meet();
	join(other, 7);
	scheduler_stop();
	return 0;
}

static intptr_t wake_two(void *unused)
{
	(void)unused;
	struct task *one = make(meet_only, NULL, TASK_ANY_PROCESSOR);
	struct task *two = make(meet_only, NULL, TASK_ANY_PROCESSOR);
	meet();
	task_detach(one);
	task_detach(two);
	scheduler_stop();
	return 0;
}

static intptr_t wake_next(void *unused)
{
	(void)unused;
	struct task *other = make(meet_only, NULL, TASK_ANY_PROCESSOR);
	meet();
	task_detach(other);
	return 0;
}

static intptr_t wake_chain(void *unused)
{
	(void)unused;
	struct task *other = make(wake_next, NULL, TASK_ANY_PROCESSOR);
	meet();
	task_detach(other);
	scheduler_stop();
	return 0;
}

static intptr_t return_seven(void *unused)
{
	(void)unused;
	return 7;
}

static intptr_t join_another(void *unused)
{
	(void)unused;
	join(make(return_seven, NULL, TASK_ANY_PROCESSOR), 7);
	scheduler_stop();
	return 0;
}

static intptr_t detach_another(void *unused)
{
	(void)unused;
	struct task *other = make(return_seven, NULL, TASK_ANY_PROCESSOR);
	task_detach(other);
	scheduler_stop();
	return 0;
}

static bool said;

static intptr_t say_and_resume(void *task)
{
	said = true;
	task_resume(task);
	return 7;
}

static intptr_t suspend_until_said(void *unused)
{
	(void)unused;
	struct task *other = make(say_and_resume, task_current(), TASK_ANY_PROCESSOR);
	while (!said)
		task_suspend();
	join(other, 7);
	scheduler_stop();
	return 0;
}

static unsigned said_count;

static intptr_t count_and_resume(void *task)
{
	explore_pause();
	said_count++;
	task_resume(task);
	return 7;
}

static intptr_t suspend_until_both_said(void *unused)
{
	(void)unused;
	struct task *one = make(count_and_resume, task_current(), TASK_ANY_PROCESSOR);
	struct task *two = make(count_and_resume, task_current(), TASK_ANY_PROCESSOR);
	while (said_count < 2)
		task_suspend();
	join(one, 7);
	join(two, 7);
	scheduler_stop();
	return 0;
}

/* ---- cases ---- */

#define CASE(title, count, longer, limit, chosen, ...)                                                     \
	{                                                                                                      \
		.name = "scheduler." title, .processors = count, .long_run = longer, .switches = limit,            \
		.script = &(struct script){SCHEDULER_##chosen, __VA_ARGS__}, .set_up = set_up, .program = program, \
		.check = check                                                                                     \
	}

const struct explore_case explore_cases[] = {
    CASE("wake-global", 2, false, 0, GLOBAL, wake_another, 2),
    CASE("wake-local", 2, false, 0, LOCAL, wake_another, 2),
    CASE("wake-bound-global", 2, false, 3, GLOBAL, wake_bound, 2),
    CASE("wake-bound-local", 2, false, 0, LOCAL, wake_bound, 2),
    CASE("yield-global", 2, false, 3, GLOBAL, yield_then_meet, 2),
    CASE("yield-local", 2, false, 0, LOCAL, yield_then_meet, 2),
    CASE("join-global", 2, false, 3, GLOBAL, join_another, 2),
    CASE("join-local", 2, false, 0, LOCAL, join_another, 2),
    CASE("detach-global", 2, false, 0, GLOBAL, detach_another, 2),
    CASE("detach-local", 2, false, 0, LOCAL, detach_another, 2),
    CASE("suspend-global", 2, false, 2, GLOBAL, suspend_until_said, 2),
    CASE("suspend-local", 2, false, 3, LOCAL, suspend_until_said, 2),
    CASE("suspend-twice-global", 2, false, 2, GLOBAL, suspend_until_both_said, 3),
    CASE("suspend-twice-local", 2, false, 2, LOCAL, suspend_until_both_said, 3),
    CASE("wake-two-global", 3, false, 1, GLOBAL, wake_two, 3),
    CASE("wake-two-local", 3, false, 2, LOCAL, wake_two, 3),
    CASE("wake-chain-global", 3, false, 1, GLOBAL, wake_chain, 3),
    CASE("wake-chain-local", 3, false, 2, LOCAL, wake_chain, 3),

    CASE("wake-bound-global-all", 2, true, 0, GLOBAL, wake_bound, 2),
    CASE("yield-global-all", 2, true, 0, GLOBAL, yield_then_meet, 2),
    CASE("join-global-all", 2, true, 0, GLOBAL, join_another, 2),
    CASE("suspend-global-all", 2, true, 0, GLOBAL, suspend_until_said, 2),
    CASE("suspend-local-all", 2, true, 0, LOCAL, suspend_until_said, 2),
    CASE("suspend-twice-local-4", 2, true, 4, LOCAL, suspend_until_both_said, 3),
    CASE("wake-two-global-2", 3, true, 2, GLOBAL, wake_two, 3),
    CASE("wake-two-local-3", 3, true, 3, LOCAL, wake_two, 3),
    CASE("wake-chain-global-2", 3, true, 2, GLOBAL, wake_chain, 3),
    CASE("wake-chain-local-3", 3, true, 3, LOCAL, wake_chain, 3),
    {0},
};
