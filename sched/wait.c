#include "sched/wait.h"

#include "kernel/panic.h"
#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/scheduler.h"
#include "sched/timer.h"

static uint64_t word_of(uint64_t ticket, enum wait_phase phase)
{
	return ticket << 2 | phase;
}

/*
 * A request to cancel, `cancelled` of a task. It is taken before it ends a wait, so that it ends no other;
 * and put back, where that wait has ended otherwise, unless the task's memory has become another task.
 *
 *     NONE --task_cancel--> REQUESTED --wait_begin--> NONE
 *     REQUESTED --deliver_request--> a ticket --the wait was cancelled--> NONE
 *     a ticket --the wait had ended--> REQUESTED
 */
enum { NONE, REQUESTED };

static uint64_t taken_for(uint64_t ticket)
{
	return ticket << 1;
}

static bool change_request(struct task *task, uint64_t from, uint64_t to)
{
	/* seq_cst: a request that is put back, before the wait is looked at; pairs with wait_arm. acquire: what
	 * was done before task_cancel. */
	return atomic_compare_exchange_strong_explicit(&task->cancelled, &from, to, memory_order_seq_cst,
	                                               memory_order_relaxed);
}

static bool is_requested(const struct task *task)
{
	return atomic_load_explicit(&task->cancelled, memory_order_seq_cst) == REQUESTED;
}

static void begin(struct task *task, const struct wait_object *object)
{
	task->wait_object = *object;
	task->wait_kept = false;
	task->chain = 0;
	atomic_store_explicit(&task->wait, word_of(wait_ticket(task) + 1, WAIT_PREPARING), memory_order_relaxed);
}

static bool is_uncooperative(void)
{
	return processor_current()->uncooperative != 0;
}

enum heddle_error wait_begin(const struct wait_object *object, uint64_t deadline)
{
	struct task *task = scheduler_current()->current;
	if (is_requested(task) && change_request(task, REQUESTED, NONE))
		return HEDDLE_CANCELLED;
	if (deadline != HEDDLE_NO_DEADLINE && arch_clock() >= deadline)
		return HEDDLE_TIMED_OUT;
	if (is_uncooperative())
		return HEDDLE_UNCOOPERATIVE;
	if (deadline != HEDDLE_NO_DEADLINE && !(task->timer = timer_make(task, deadline)))
		return HEDDLE_NO_MEMORY;
	begin(task, object);
	return HEDDLE_OK;
}

enum heddle_error wait_begin_kept(const struct wait_object *object)
{
	struct task *task = scheduler_current()->current;
	if (is_uncooperative())
		return HEDDLE_UNCOOPERATIVE;
	begin(task, object);
	task->wait_kept = true;
	atomic_store_explicit(&task->wait, word_of(wait_ticket(task), WAIT_KEPT), memory_order_relaxed);
	return HEDDLE_OK;
}

void wait_start_timer(struct task *left)
{
	if (left->timer)
		timer_start(left->timer, wait_ticket(left));
}

uint64_t wait_leave(struct task *left)
{
	uint64_t ticket = wait_ticket(left);
	/* release: what it waits for, for who reads that when it sees the state. */
	atomic_store_explicit(&left->state, TASK_WAITING, memory_order_release);
	left->home = (uint16_t)processor_current()->index;
	wait_start_timer(left);
	return ticket;
}

void wait_go_on(struct task *left, uint64_t ticket)
{
	wait_grant(left, ticket, HEDDLE_OK);
	run_next_publish(left, processor_current()->index);
}

/* There was a request, which the wait that is armed has not seen. */
static void deliver_request(struct task *task)
{
	while (is_requested(task)) {
		uint64_t word = atomic_load_explicit(&task->wait, memory_order_seq_cst), ticket = word >> 2;
		if ((word & 3) != WAIT_ARMED || !change_request(task, REQUESTED, taken_for(ticket)))
			return;
		bool ended = wait_cancel(task, ticket, HEDDLE_CANCELLED);
		/* One that came since is for the next wait. */
		change_request(task, taken_for(ticket), ended ? NONE : REQUESTED);
		if (ended) {
			ready_publish(task);
			return;
		}
	}
}

void wait_arm(struct task *left, uint64_t ticket)
{
	uint64_t expected = word_of(ticket, WAIT_PREPARING);
	/* PREPARING -> ARMED; seq_cst: before the request is looked at; pairs with task_cancel, whose store comes
	 * before it looks at the word. One of the two sees the other. release: the task has left its stack. */
	if (!atomic_compare_exchange_strong_explicit(&left->wait, &expected, word_of(ticket, WAIT_ARMED),
	                                             memory_order_seq_cst, memory_order_relaxed))
		return;
	deliver_request(left);
}

enum heddle_error wait_finish(void)
{
	struct task *task = scheduler_current()->current;
	if (task->timer)
		timer_stop(task->timer);
	task->timer = NULL;
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
	return task->wait_outcome;
}

/* Bring the wait from one of the phases in the set to another. */
static bool move(struct task *task, uint64_t ticket, unsigned from, enum wait_phase to)
{
	uint64_t word = atomic_load_explicit(&task->wait, memory_order_relaxed);
	do {
		if (word >> 2 != ticket || !(from >> (word & 3) & 1))
			return false;
		/* PREPARING, ARMED, KEPT -> KEPT, DONE; acquire: the task has left its stack, from wait_arm; release:
		 * for whoever looks at it then. */
	} while (!atomic_compare_exchange_weak_explicit(&task->wait, &word, word_of(ticket, to),
	                                                memory_order_acq_rel, memory_order_relaxed));
	return true;
}

bool wait_grant(struct task *task, uint64_t ticket, enum heddle_error outcome)
{
	if (!move(task, ticket, 1u << WAIT_PREPARING | 1u << WAIT_ARMED | 1u << WAIT_KEPT, WAIT_DONE))
		return false;
	task->wait_outcome = outcome;
	return true;
}

bool wait_keep(struct task *task, uint64_t ticket)
{
	if (!move(task, ticket, 1u << WAIT_PREPARING | 1u << WAIT_ARMED, WAIT_KEPT))
		return false;
	task->wait_kept = true;
	return true;
}

void wait_take_back(struct task *task)
{
	enum wait_phase phase = task->wait_kept ? WAIT_KEPT : WAIT_ARMED;
	ASSERT(!task->timer || task->wait_kept);
	/* DONE -> ARMED, KEPT; seq_cst: before the request is looked at; pairs with task_cancel. release: the task has left
	 * its stack, as we know of who has queued it. */
	atomic_exchange_explicit(&task->wait, word_of(wait_ticket(task), phase), memory_order_seq_cst);
	if (phase == WAIT_ARMED)
		deliver_request(task);
}

bool wait_cancel(struct task *task, uint64_t ticket, enum heddle_error outcome)
{
	if (!move(task, ticket, 1u << WAIT_ARMED, WAIT_DONE))
		return false;
	task->wait_outcome = outcome;
	return true;
}

STACK_ENTRY(task_cancel)
enum heddle_error task_cancel(struct task *task)
{
	if (!task)
		return HEDDLE_BAD_ARGUMENT;
	/* seq_cst: before the word is looked at; pairs with wait_arm. release: what we did before. */
	atomic_store_explicit(&task->cancelled, REQUESTED, memory_order_seq_cst);
	deliver_request(task);
	return HEDDLE_OK;
}
