#include "scheduling.h"

#include "kernel.h"

#include "sched/quantum.h"
#include "kernel/registered.h"
#include "sched/ready.h"
#include "sched/scheduler.h"

static bool started[MODEL_TASKS];
static unsigned met;      /* tasks that have reached the place where they wait for another */
static unsigned starters; /* how many tasks must have started before any goes on */

/* ---- set up ---- */

static void name_local(struct local_queue *queue, unsigned processor, unsigned level)
{
	struct ring *ring = &queue->ring;
	explore_name(&queue->first, sizeof queue->first, "first%u.%u", processor, level);
	explore_name(&queue->room, sizeof queue->room, "room%u.%u", processor, level);
	explore_name(&ring->head, sizeof ring->head, "ring%u.%u.head", processor, level);
	explore_name(&ring->tail, sizeof ring->tail, "ring%u.%u.tail", processor, level);
	explore_name(&ring->slots, sizeof ring->slots, "ring%u.%u.slots", processor, level);
}

static void name_all(void)
{
	model_task_name();
	model_kernel_name();
	for (unsigned i = 0; i < processor_count; i++) {
		struct scheduler *scheduler = processors[i].scheduler;
		explore_name(&scheduler->running, sizeof scheduler->running, "running%u", i);
		explore_name(&scheduler->asked, sizeof scheduler->asked, "asked%u", i);
		explore_name(&scheduler->levels, sizeof scheduler->levels, "levels%u", i);
		explore_name(&scheduler->bound_remote_count, sizeof scheduler->bound_remote_count,
		             "bound-remote-count%u", i);
		explore_name(&scheduler->wanted, sizeof scheduler->wanted, "wanted%u", i);
		explore_name(&scheduler->plain, sizeof scheduler->plain, "plain%u", i);
		explore_name(&scheduler->run_next, sizeof scheduler->run_next, "run-next%u", i);
		for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++)
			name_local(&scheduler->local[level], i, level);
	}
}

/* Statistics; the counter of a quantum, which only says when to look; and, unless the case is about early switches,
 * everything that leads to one. */
static void ignore_all(bool early)
{
	for (unsigned i = 0; i < processor_count; i++) {
		struct scheduler *scheduler = processors[i].scheduler;
		explore_ignore(&scheduler->counters, sizeof scheduler->counters);
		explore_ignore(&processors[i].quantum, sizeof processors[i].quantum);
		if (!early) {
			explore_ignore(&scheduler->running, sizeof scheduler->running);
			explore_ignore(&scheduler->asked, sizeof scheduler->asked);
		}
	}
}

void scheduling_set_up(const struct explore_case *explored)
{
	const struct scheduling *script = explored->script;
	bool added = script->policy == SCHEDULER_GLOBAL && heddle_ready_queues().count > 0;
	command_line.policy.policy = added ? SCHEDULER_ADDED : script->policy;
	command_line.linger = script->linger;
	command_line.plain = true;
	explore_stores_are_steps();
	scheduler_start();
	name_all();
	ignore_all(script->early);
	for (unsigned i = 0; i < processor_count; i++)
		processors[i].stack_low = &model_canary; /* scheduler_run() stores it there once more */
	starters = script->tasks;
	if (script->prepare)
		script->prepare();
	task_detach(scheduling_make(script->first, NULL, HEDDLE_TASK_ANY_PROCESSOR));
	for (unsigned i = 0; i < 2 && script->others[i]; i++) {
		task_detach(scheduling_make(script->others[i], NULL, HEDDLE_TASK_ANY_PROCESSOR));
		atomic_store_explicit(&scheduler_stopping, true, memory_order_relaxed);
	}
}

void scheduling_program(const struct explore_case *explored, unsigned processor)
{
	(void)explored;
	scheduler_run(&processors[processor]);
}

const char *scheduling_check(const struct explore_case *explored)
{
	const struct scheduling *script = explored->script;
	return script->check ? script->check() : model_task_check(script->tasks);
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

void scheduling_meet(void)
{
	started[model_task_number(task_current())] = true;
	model_task_wait(all_started, NULL);
}

intptr_t scheduling_meet_only(void *unused)
{
	(void)unused;
	scheduling_meet();
	return 7;
}

static bool two_have_met(void *unused)
{
	(void)unused;
	return met >= 2;
}

intptr_t scheduling_meet_another(void *unused)
{
	(void)unused;
	met++;
	model_task_wait(two_have_met, NULL);
	return 0;
}

unsigned scheduling_met(void)
{
	return met;
}

intptr_t scheduling_return_seven(void *unused)
{
	(void)unused;
	return 7;
}

void scheduling_short_until(uint64_t time)
{
	for (unsigned i = 0; i < processor_count; i++) {
		struct scheduler *scheduler = processors[i].scheduler;
		explore_name(&scheduler->brisk_until, sizeof scheduler->brisk_until, "brisk-until%u", i);
		explore_name(&scheduler->short_until, sizeof scheduler->short_until, "short-until%u", i);
		scheduler->short_until = time;
	}
}

void scheduling_short_for_ever(void)
{
	scheduling_short_until(UINT64_MAX / 2);
}

bool scheduling_is_true(void *flag)
{
	return *(atomic_bool *)flag;
}

struct task *scheduling_make_at(enum heddle_priority priority, task_function function, void *argument,
                                int processor)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	options.priority = priority;
	options.bound = processor != HEDDLE_TASK_ANY_PROCESSOR;
	options.processor = processor;
	if (task_create(&task, function, argument, &options) != HEDDLE_OK)
		explore_fail("a task could not be made");
	return task;
}

struct task *scheduling_make(task_function function, void *argument, int processor)
{
	return scheduling_make_at(HEDDLE_PRIORITY_NORMAL, function, argument, processor);
}

void scheduling_join(struct task *task, intptr_t expected)
{
	intptr_t result = 0;
	enum heddle_error error = task_join(task, &result);
	if (error != HEDDLE_OK || result != expected)
		explore_fail("task_join says %d, with the result %ld", error, (long)result);
}
