#include "ready.h"

#include <string.h>

#include "arch.h"
#include "explorer.h"
#include "task_memory.h"

#include "sched/injection.h"
#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/switch.h"
#include "sched/timer.h"
#include "sched/wake.h"

static struct scheduler schedulers[EXPLORE_PROCESSORS];
static struct task *ready[MODEL_TASKS];
static unsigned ready_count;
static unsigned serials[MODEL_TASKS], serial; /* of a task on the list: its number in the order of arrival */
static unsigned dispatches[EXPLORE_PROCESSORS];
static unsigned task_processors;

enum scheduler_policy scheduler_policy = SCHEDULER_LOCAL;

/* The bound on chains of exchanges is out of reach in all but a few cases. */
#ifndef MODEL_CHAIN
#	define MODEL_CHAIN UINT32_MAX
#endif
#define IS_BOUND (MODEL_CHAIN != UINT32_MAX)
_Atomic uint32_t quantum_lowest = HEDDLE_PRIORITIES;

/* ---- the list ---- */

/* For the bound, ready tasks count as bound to each processor; with the global policy, to none. */
static void count_ready(void)
{
	for (unsigned i = 0; IS_BOUND && i < task_processors; i++)
		*(uint32_t *)&schedulers[i].bound_remote_count =
		    scheduler_policy == SCHEDULER_LOCAL ? ready_count : 0;
}

static void put(struct task *task, unsigned place)
{
	for (unsigned i = 0; i < ready_count; i++)
		if (ready[i] == task)
			explore_fail("task %c is made ready twice", 'A' + (int)model_task_number(task));
	for (unsigned i = 0; i < task_processors; i++)
		if (schedulers[i].current == task)
			explore_fail("task %c is made ready while it runs", 'A' + (int)model_task_number(task));
	if (task->function_ended)
		explore_fail("task %c is made ready, and has ended", 'A' + (int)model_task_number(task));
	memmove(&ready[place + 1], &ready[place], (ready_count - place) * sizeof *ready);
	memmove(&serials[place + 1], &serials[place], (ready_count - place) * sizeof *serials);
	ready[place] = task;
	serials[place] = IS_BOUND ? ++serial : 0;
	ready_count++;
	count_ready();
	explore_note("-- task %c is ready", 'A' + (int)model_task_number(task));
}

/* Every second processor takes the newest, so that either of two can come first. */
static struct task *take(void)
{
	dispatches[explore_processor()] += IS_BOUND;
	if (ready_count == 0)
		return NULL;
	unsigned place = explore_processor() % 2 ? ready_count - 1 : 0;
	struct task *task = ready[place];
	ready_count--;
	memmove(&ready[place], &ready[place + 1], (ready_count - place) * sizeof *ready);
	memmove(&serials[place], &serials[place + 1], (ready_count - place) * sizeof *serials);
	ready[ready_count] = NULL;
	serials[ready_count] = 0;
	count_ready();
	return task;
}

unsigned model_ready_dispatches(void)
{
	return dispatches[explore_processor()];
}

unsigned model_ready_oldest(void)
{
	unsigned oldest = 0;
	for (unsigned i = 0; i < ready_count; i++)
		if (oldest == 0 || serials[i] < oldest)
			oldest = serials[i];
	return oldest;
}

void ready_publish(struct task *task)
{
	explore_pause();
	put(task, ready_count);
}

void run_next_publish(struct task *task, unsigned index)
{
	(void)index;
	explore_pause();
	put(task, 0);
}

void run_next_after_one(struct task *task)
{
	explore_pause();
	put(task, ready_count > 0);
}

/* The processor that takes the task sees what it stored: stores reach memory in order. */
static void drain(void)
{
	static _Atomic unsigned drained;
	atomic_exchange_explicit(&drained, 1, memory_order_release);
}

void ready_return(struct task *left, void *unused)
{
	(void)unused;
	drain();
	put(left, ready_count);
}

struct task *ready_take(struct scheduler *scheduler, unsigned lowest)
{
	(void)lowest;
	scheduler->chain = (struct chain){0};
	timer_expire(scheduler);
	return take();
}

/* No processor rests: all that is ready waits for one of the case's processors. */
struct wake_counts wake_counts;
struct idle_set idle_set;

bool ready_is_seen(unsigned level, bool more)
{
	(void)level, (void)more;
	explore_fail("a plain exchange, where none was granted");
}

void ready_look(struct task *ready, void *unused)
{
	(void)ready, (void)unused;
}

/* No way is plain here: nothing was granted (sched/plain.h). */
struct task *ready_take_refilled(struct scheduler *scheduler, struct local_queue *queue)
{
	(void)scheduler, (void)queue;
	explore_fail("a plain pick, where none was granted");
}

bool plain_refill(struct scheduler *scheduler)
{
	(void)scheduler;
	return false;
}

struct task *plain_take_refilled(struct scheduler *scheduler, const struct task *left)
{
	(void)scheduler, (void)left;
	return NULL;
}

/* ---- tasks that test something again and again ---- */

static struct poll {
	struct task *task;
	bool (*ready)(void *);
	void *argument;
} polls[MODEL_TASKS];

static bool any_poll_ready(void)
{
	for (unsigned i = 0; i < MODEL_TASKS; i++)
		if (polls[i].task && polls[i].ready(polls[i].argument))
			return true;
	return false;
}

static void polls_publish(void)
{
	for (unsigned i = 0; i < MODEL_TASKS; i++)
		if (polls[i].task && polls[i].ready(polls[i].argument)) {
			put(polls[i].task, ready_count);
			polls[i] = (struct poll){0};
		}
}

static void finalize_poll(struct task *left, void *argument)
{
	struct poll *poll = &polls[model_task_number(left)];
	drain();
	*poll = *(const struct poll *)argument;
	poll->task = left;
}

void model_publish_when(struct task *left, bool (*is_ready)(void *), void *argument)
{
	struct poll poll = {NULL, is_ready, argument};
	finalize_poll(left, &poll);
}

void model_yield_until(bool (*is_ready)(void *), void *argument)
{
	struct poll poll = {NULL, is_ready, argument};
	struct scheduler *scheduler = scheduler_current();
	explore_pause();
	polls_publish();
	struct task *next = take();
	switch_to(next ? next : scheduler->idle_task, finalize_poll, &poll);
}

/* ---- processors ---- */

static void finalize_nothing(struct task *left, void *unused)
{
	(void)left, (void)unused;
}

bool model_all_ended(void *unused)
{
	(void)unused;
	return model_task_all_left();
}

/* To run a task, to end waits whose deadlines have come, or to end. */
static bool can_go_on(void *scheduler)
{
	return ready_count > 0 || any_poll_ready() || model_timer_is_due(scheduler) || model_all_ended(NULL);
}

void model_ready_start(unsigned processors_used)
{
	task_processors = processors_used;
	command_line.chain = MODEL_CHAIN;
	for (unsigned i = 0; i < task_processors; i++) {
		struct scheduler *scheduler = &schedulers[i];
		scheduler->processor = &processors[i];
		scheduler->free_tasks = task_magazine(i);
		scheduler->idle_task = scheduler->current = task_make_idle(&processors[i]);
		atomic_store_explicit(&scheduler->plain, PLAIN_NONE, memory_order_relaxed);
		processors[i].scheduler = scheduler;
		processors[i].stack_low = &model_canary;
		explore_ignore(&scheduler->counters, sizeof scheduler->counters);
		explore_ignore(&scheduler->asked, sizeof scheduler->asked);
		if (!IS_BOUND)
			explore_ignore(&scheduler->chain, sizeof scheduler->chain);
		explore_ignore(&processors[i].quantum, sizeof processors[i].quantum);
	}
}

void model_ready_run(void)
{
	struct scheduler *scheduler = scheduler_current();
	arch_context_adopt(&scheduler->idle_task->context, &model_canary, 0);
	for (;;) {
		explore_wait(can_go_on, scheduler);
		timer_expire(scheduler);
		polls_publish();
		struct task *task = take();
		if (task)
			switch_to(task, finalize_nothing, NULL);
		else if (model_task_all_left())
			return;
	}
}

/* ---- uncooperative sections: a forbidden switch is detected by the switch ---- */

void uncooperative_begin(void)
{
	processor_current()->uncooperative++;
}

void uncooperative_end(void)
{
	processor_current()->uncooperative--;
}

/* ---- what cases do not use ---- */

void quantum_lower(unsigned level)
{
	(void)level;
}

void quantum_end_extension(struct task *task)
{
	(void)task;
}

void quantum_make_way(struct task *task)
{
	(void)task;
}

void quantum_ask(struct processor *processor)
{
	(void)processor;
}

void quantum_reset_uncooperative(struct scheduler *scheduler)
{
	scheduler->processor->uncooperative = 0;
}

void (*lock_refuses_switch)(const char *function, const struct task *task);

_Noreturn void quantum_switch_refused(const char *function)
{
	explore_fail("%s in an uncooperative section", function);
}

/* There is no outside thread. */
void injection_accept(void)
{
}

/* So a task that may keep looking does, and any of its looks may come at any moment. */
bool ready_is_alone(void)
{
	return true;
}

/* All processors use one list. */
void ready_share(struct scheduler *scheduler)
{
	(void)scheduler;
}

void ready_look_again(struct scheduler *scheduler)
{
	(void)scheduler;
}

void ready_check(struct scheduler *scheduler)
{
	(void)scheduler;
}

void ready_interrupted(void)
{
}
