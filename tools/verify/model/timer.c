/*
 * Replaces sched/timer.c: one timer per task. A deadline passes at any moment after the wait was armed, or never:
 * model_time_run() is a processor of its own.
 */
#include "sched/timer.h"

#include "explorer.h"
#include "ready.h"
#include "task_memory.h"

#include "sched/ready.h"
#include "sched/timer_watch.h"
#include "sched/wait.h"

static struct timer timers[MODEL_TASKS];
static bool made[MODEL_TASKS], started[MODEL_TASKS];
static bool are_none;

void model_timer_none(bool none)
{
	are_none = none;
}

struct timer *timer_make(struct task *task, uint64_t deadline)
{
	unsigned number = model_task_number(task);
	if (are_none)
		return NULL;
	if (made[number])
		explore_fail("a task has two timers");
	made[number] = true;
	timers[number].task = task;
	timers[number].deadline = deadline;
	return &timers[number];
}

void timer_discard(struct timer *timer)
{
	if (!made[timer - timers] || started[timer - timers])
		explore_fail("a timer is discarded that runs, or is none");
	made[timer - timers] = false;
}

void timer_start(struct timer *timer, uint64_t ticket)
{
	timer->ticket = ticket;
	started[timer - timers] = true;
}

void timer_stop(struct timer *timer)
{
	started[timer - timers] = false;
	timer_discard(timer);
}

void timer_expire(struct scheduler *scheduler)
{
	(void)scheduler;
}

bool model_timer_is_due(const struct scheduler *scheduler)
{
	(void)scheduler;
	return false;
}

uint64_t timer_next(struct scheduler *scheduler)
{
	(void)scheduler;
	return UINT64_MAX;
}

uint64_t timer_watched(struct scheduler *scheduler)
{
	return timer_next(scheduler);
}

void timer_let_watch(struct scheduler *scheduler)
{
	(void)scheduler;
}

uint64_t timer_count(void)
{
	return 0;
}

void timer_init(void)
{
}

/* ---- no processor watches ---- */

void timer_watch_set(struct scheduler *scheduler, uint64_t deadline)
{
	(void)scheduler, (void)deadline;
}

void timer_watch_busy(struct scheduler *scheduler, uint64_t deadline)
{
	(void)scheduler, (void)deadline;
}

uint64_t timer_watch(struct scheduler *scheduler)
{
	(void)scheduler;
	return UINT64_MAX;
}

void timer_watch_start(void)
{
}

/* ---- time ---- */

/* The real timer is not looked at while the finalizer that started it runs. Read without a step. */
static bool is_due(unsigned number)
{
	uint64_t word = *(const volatile uint64_t *)&timers[number].task->wait.word;
	return wait_ticket_of(word) > timers[number].ticket ||
	       (wait_ticket_of(word) == timers[number].ticket && wait_phase_of(word) != WAIT_PREPARING);
}

static struct timer *due(void)
{
	for (unsigned i = 0; i < MODEL_TASKS; i++)
		if (started[i] && is_due(i))
			return &timers[i];
	return NULL;
}

static bool any_due(void *unused)
{
	return due() || model_task_all_left();
}

void model_time_run(void)
{
	for (;;) {
		explore_wait(any_due, NULL);
		if (model_task_all_left())
			return;
		struct timer timer = *due();
		started[due() - timers] = false;
		explore_note("-- the deadline of task %c passes", 'A' + (int)model_task_number(timer.task));
		if (wait_cancel(timer.task, timer.ticket, HEDDLE_TIMED_OUT))
			ready_publish(timer.task);
	}
}
