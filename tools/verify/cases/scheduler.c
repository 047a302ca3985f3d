/*
 * Ready queues, idling and waking, and the handshakes of tasks, with real tasks that switch: the whole of
 * sched/ but for timers, the watchdog and where memory comes from. Each virtual processor runs
 * scheduler_run(). A case is the function of a first task, which makes the others; model_task_wait() in a task
 * keeps its processor busy, so a task that must run meanwhile needs another processor, and a lost wake-up
 * shows as a processor that waits for ever. The last task calls scheduler_stop().
 */
#include <string.h>

#include "explorer.h"

#include "arch.h"
#include "kernel.h"
#include "task_memory.h"
#include "sched/node.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/scheduler.h"

struct script {
	enum scheduler_policy policy;
	intptr_t (*first)(void *);
	unsigned tasks; /* that are made in all, each once */
	bool early;     /* looks at early switches; elsewhere requests vanish */
	bool linger;    /* processors without work look once more before they are idle */
};

static bool started[MODEL_TASKS];
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
		explore_name(&scheduler->bound_count, sizeof scheduler->bound_count, "bound-count%u", i);
		explore_name(&scheduler->wanted, sizeof scheduler->wanted, "wanted%u", i);
		explore_name(&scheduler->plain, sizeof scheduler->plain, "plain%u", i);
		for (unsigned level = 0; level < PRIORITIES; level++)
			name_local(&scheduler->local[level], i, level);
	}
}

/* Statistics, the counter of a quantum, which only says when to look, and in a case that is not about early
 * switches all that leads to one. */
static void ignore_all(bool early)
{
	if (!early)
		explore_ignore(&quantum_priorities, sizeof quantum_priorities);
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

static void set_up(const struct explore_case *explored)
{
	const struct script *script = explored->script;
	command_line.policy = script->policy;
	command_line.linger = script->linger;
	scheduler_start();
	name_all();
	ignore_all(script->early);
	for (unsigned i = 0; i < processor_count; i++)
		processors[i].stack_low = &model_canary; /* scheduler_run() puts it there once more */
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
	return model_task_check(((const struct script *)explored->script)->tasks);
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
	started[model_task_number(task_current())] = true;
	model_task_wait(all_started, NULL);
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

/* A task of low priority that comes to a check when an early switch was asked for. Not waiting on a quantum
 * that ends in any case: so a request that is lost shows. */
static atomic_bool low_runs, high_ran;

static bool is_asked(void *scheduler)
{
	return ((struct scheduler *)scheduler)->asked || high_ran;
}

static bool is_true(void *flag)
{
	return *(atomic_bool *)flag;
}

static intptr_t stay_low(void *unused)
{
	(void)unused;
	atomic_store_explicit(&low_runs, true, memory_order_relaxed);
	while (!atomic_load_explicit(&high_ran, memory_order_relaxed)) {
		model_task_wait(is_asked, scheduler_current());
		quantum_spent();
	}
	return 7;
}

static intptr_t run_high(void *unused)
{
	(void)unused;
	atomic_store_explicit(&high_ran, true, memory_order_relaxed);
	return 7;
}

/* Both processors are busy when the higher task is made: the one with the low task makes way. */
static void make_way(int processor)
{
	struct task_options options = TASK_OPTIONS;
	struct task *low, *high;
	options.priority = PRIORITY_IDLE;
	options.processor = processor;
	if (task_create(&low, stay_low, NULL, &options) != HEDDLE_OK)
		explore_fail("a task could not be made");
	model_task_wait(is_true, &low_runs);
	high = make(run_high, NULL, processor);
	model_task_wait(is_true, &high_ran);
	join(low, 7);
	join(high, 7);
	scheduler_stop();
}

static intptr_t make_way_bound(void *unused)
{
	(void)unused;
	make_way(1 - (int)explore_processor());
	return 0;
}

static intptr_t make_way_anywhere(void *unused)
{
	(void)unused;
	make_way(TASK_ANY_PROCESSOR);
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
    CASE("wake-local", 2, false, 2, LOCAL, wake_another, 2),
    CASE("wake-bound-global", 2, false, 3, GLOBAL, wake_bound, 2),
    CASE("wake-bound-local", 2, false, 2, LOCAL, wake_bound, 2),
    CASE("yield-global", 2, false, 3, GLOBAL, yield_then_meet, 2),
    CASE("yield-local", 2, false, 2, LOCAL, yield_then_meet, 2),
    CASE("join-global", 2, false, 3, GLOBAL, join_another, 2),
    CASE("join-local", 2, false, 2, LOCAL, join_another, 2),
    CASE("detach-global", 2, false, 0, GLOBAL, detach_another, 2),
    CASE("detach-local", 2, false, 2, LOCAL, detach_another, 2),
    CASE("suspend-global", 2, false, 2, GLOBAL, suspend_until_said, 2),
    CASE("suspend-local", 2, false, 2, LOCAL, suspend_until_said, 2),
    CASE("suspend-twice-global", 2, false, 2, GLOBAL, suspend_until_both_said, 3),
    CASE("suspend-twice-local", 2, false, 1, LOCAL, suspend_until_both_said, 3),
    CASE("wake-two-global", 3, false, 1, GLOBAL, wake_two, 3),
    CASE("wake-two-local", 3, false, 1, LOCAL, wake_two, 3),
    CASE("wake-chain-global", 3, false, 1, GLOBAL, wake_chain, 3),
    CASE("wake-chain-local", 3, true, 1, LOCAL, wake_chain, 3),
    CASE("make-way-global", 2, false, 2, GLOBAL, make_way_anywhere, 3, true),
    CASE("make-way-local", 2, false, 1, LOCAL, make_way_anywhere, 3, true),
    CASE("make-way-bound-global", 2, false, 2, GLOBAL, make_way_bound, 3, true),
    CASE("make-way-bound-local", 2, false, 2, LOCAL, make_way_bound, 3, true),
    CASE("linger-global", 2, false, 3, GLOBAL, wake_another, 2, .linger = true),
    CASE("linger-local", 2, false, 2, LOCAL, wake_another, 2, .linger = true),
    CASE("linger-two-local", 3, false, 1, LOCAL, wake_two, 3, .linger = true),

    CASE("wake-local-all", 2, true, 0, LOCAL, wake_another, 2),
    CASE("linger-local-4", 2, true, 4, LOCAL, wake_another, 2, .linger = true),
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
