#include "sched/wait.h"

#include "kernel/panic.h"
#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/scheduler.h"
#include "sched/timer.h"
#include "sched/trace.h"

const char wait_for_end[] = "end of a task", wait_for_time[] = "point in time";

enum heddle_error wait_begin_until(const struct wait_object *object, uint64_t deadline)
{
	struct task *task = task_current();
	if (wait_take_request(&task->wait.cancelled))
		return HEDDLE_CANCELLED;
	if (deadline != HEDDLE_NO_DEADLINE && arch_clock() >= deadline)
		return HEDDLE_TIMED_OUT;
	if (arch_is_uncooperative())
		return HEDDLE_UNCOOPERATIVE;
	if (deadline != HEDDLE_NO_DEADLINE && !(task->wait_cold.timer = timer_make(task, deadline)))
		return HEDDLE_NO_MEMORY;
	wait_begin_for(task, object);
	return HEDDLE_OK;
}

enum heddle_error wait_begin_kept(const struct wait_object *object)
{
	struct task *task = task_current();
	if (arch_is_uncooperative())
		return HEDDLE_UNCOOPERATIVE;
	wait_begin_for(task, object);
	task->wait.phase = WAIT_KEPT;
	/* release: what it waits for; pairs with wait_phase. */
	atomic_store_explicit(&task->wait.word, wait_word(wait_ticket(task), WAIT_KEPT), memory_order_release);
	return HEDDLE_OK;
}

void wait_start_its_timer(struct task *left)
{
	timer_start(left->wait_cold.timer, wait_ticket(left));
}

void wait_go_on(struct task *left, uint64_t ticket)
{
	wait_grant(left, ticket, HEDDLE_OK);
	run_next_publish(left, processor_current()->index);
}

/* Move the wait from a phase in the set to another one. */
static bool move(struct task *task, uint64_t ticket, unsigned from, enum wait_phase to)
{
	uint64_t word = atomic_load_explicit(&task->wait.word, memory_order_relaxed);
	do {
		if (wait_ticket_of(word) != ticket || !(from >> wait_phase_of(word) & 1))
			return false;
		/* PREPARING, ARMED, SUSPENDED, KEPT -> KEPT, DONE; acquire: the task has left its stack, from wait_arm;
		 * release: for those that look at it then. */
	} while (!word_compare_exchange(&task->wait.word, &word, wait_word(ticket, to), memory_order_acq_rel,
	                                memory_order_relaxed));
	return true;
}

static bool change_request(_Atomic uint64_t *request, uint64_t from, uint64_t to)
{
	/* seq_cst: a request that is put back, before the wait is looked at; pairs with wait_arm and wait_suspend. acquire:
	 * what was done before the request. */
	return atomic_compare_exchange_strong_explicit(request, &from, to, memory_order_seq_cst,
	                                               memory_order_relaxed);
}

/* Deliver a request: a wait in one of these phases may not have seen it. */
__attribute__((noinline)) static void deliver(struct task *task, _Atomic uint64_t *request, unsigned phases,
                                              enum heddle_error outcome)
{
	while (wait_is_requested(request)) {
		uint64_t word = atomic_load_explicit(&task->wait.word, memory_order_seq_cst),
		         ticket = wait_ticket_of(word);
		uint64_t taken = ticket << 1; /* neither NONE nor REQUESTED */
		if (!(phases >> wait_phase_of(word) & 1) || !change_request(request, WAIT_REQUESTED, taken))
			return;
		bool ended = move(task, ticket, phases, WAIT_DONE);
		if (ended)
			task->wait.outcome = outcome;
		/* A request that came since is for the next wait. */
		change_request(request, taken, ended ? WAIT_NONE : WAIT_REQUESTED);
		if (ended) {
			trace_grant(task);
			ready_publish(task);
			return;
		}
	}
}

void wait_deliver_cancellation(struct task *task)
{
	deliver(task, &task->wait.cancelled, 1u << WAIT_ARMED | 1u << WAIT_SUSPENDED, HEDDLE_CANCELLED);
}

static void deliver_permit(struct task *task)
{
	if (wait_is_requested(&task->wait.permit))
		deliver(task, &task->wait.permit, 1u << WAIT_SUSPENDED, HEDDLE_OK);
}

__attribute__((noinline)) static void deliver_requests(struct task *left)
{
	deliver_permit(left);
	wait_look(left);
}

void wait_suspend(struct task *left, void *unused)
{
	(void)unused;
	/* DONE, which is 0, -> SUSPENDED, with a new ticket; no other knows of this wait yet. seq_cst: before the requests
	 * are looked at; pairs with task_cancel and task_resume, which store theirs before they look at the word. One of
	 * the two sees the other. release: the task has left its stack. */
	word_add(&left->wait.word, WAIT_ONE + WAIT_SUSPENDED, memory_order_seq_cst);
	if (wait_may_be_requested(left))
		deliver_requests(left);
}

STACK_ENTRY(task_resume)
void task_resume(struct task *task)
{
	uint64_t word = atomic_load_explicit(&task->wait.word, memory_order_relaxed);
	/* SUSPENDED -> DONE; acquire: the task has left its stack, from wait_suspend; release: what we did before. */
	if (wait_is_suspended(word) &&
	    word_change(&task->wait.word, word, wait_moved(word, WAIT_SUSPENDED, WAIT_DONE),
	                memory_order_acq_rel)) {
		task->wait.outcome = HEDDLE_OK;
		trace_resume(task);
		ready_publish(task);
		return;
	}
	/* seq_cst: before the word is looked at again; pairs with wait_suspend. release: what we did before, and what
	 * those did whose permit was there already. */
	atomic_exchange_explicit(&task->wait.permit, WAIT_REQUESTED, memory_order_seq_cst);
	deliver_permit(task);
}

void wait_stop_timer(struct task *task)
{
	timer_stop(task->wait_cold.timer);
	task->wait_cold.timer = NULL;
}

bool wait_grant(struct task *task, uint64_t ticket, enum heddle_error outcome)
{
	if (!move(task, ticket, 1u << WAIT_PREPARING | 1u << WAIT_ARMED | 1u << WAIT_KEPT, WAIT_DONE))
		return false;
	task->wait.outcome = outcome;
	trace_grant(task);
	return true;
}

bool wait_keep(struct task *task, uint64_t ticket)
{
	if (!move(task, ticket, 1u << WAIT_PREPARING | 1u << WAIT_ARMED, WAIT_KEPT))
		return false;
	task->wait.phase = WAIT_KEPT;
	return true;
}

void wait_take_back(struct task *task)
{
	enum wait_phase phase = (enum wait_phase)task->wait.phase;
	ASSERT(!task->wait_cold.timer || phase == WAIT_KEPT);
	/* DONE -> ARMED, KEPT; seq_cst: before the request is looked at; pairs with task_cancel. release: the task has
	 * left its stack, as its place in the lock's queue shows. */
	atomic_exchange_explicit(&task->wait.word, wait_word(wait_ticket(task), phase), memory_order_seq_cst);
	if (phase == WAIT_ARMED)
		wait_look(task);
}

bool wait_cancel(struct task *task, uint64_t ticket, enum heddle_error outcome)
{
	if (!move(task, ticket, 1u << WAIT_ARMED, WAIT_DONE))
		return false;
	task->wait.outcome = outcome;
	trace_expire(task);
	return true;
}

STACK_ENTRY(task_cancel)
enum heddle_error task_cancel(struct task *task)
{
	if (!task)
		return HEDDLE_BAD_ARGUMENT;
	/* seq_cst: before the word is looked at; pairs with wait_arm. release: what we did before. */
	atomic_store_explicit(&task->wait.cancelled, WAIT_REQUESTED, memory_order_seq_cst);
	wait_look(task);
	return HEDDLE_OK;
}
