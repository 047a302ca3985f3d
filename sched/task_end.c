/*
 * How a task ends and is joined (heddle/task.h); task.h has the handshake of the two.
 */
#include "sched/task.h"

#include "sched/ready.h"
#include "sched/scheduler.h"
#include "sched/switch.h"
#include "sched/wait.h"

/* A joiner whose wait was cancelled meanwhile stays until the ending task tells it that it is done with the joiner. */
static void end_join(struct task *joiner)
{
	uint64_t ticket = joiner->join_ticket;
	if (!wait_grant(joiner, ticket, HEDDLE_OK)) {
		/* NOT_DONE, a ticket -> DONE; acquire: it has left its stack; release: we are done. Pairs with
		 * finalize_join_done. */
		ticket = atomic_exchange_explicit(&joiner->join_done, TASK_JOIN_DONE, memory_order_acq_rel);
		if (ticket == TASK_JOIN_NOT_DONE || !wait_grant(joiner, ticket, HEDDLE_OK))
			return;
	}
	ready_publish(joiner);
}

/* Another task has decided what becomes of this one; that holds, unless a joiner withdraws. TAKEN: the joiner comes
 * next. */
__attribute__((noinline)) static void finalize_awaited_exit(struct task *left, uintptr_t join)
{
	/* joiner -> TAKEN; JOINABLE -> ENDED, the joiner has withdrawn; release: the result, for take_ended() and the
	 * joiner; acquire: the joiner, from finalize_join. */
	while (join != TASK_JOIN_DETACHED && join != TASK_JOIN_TAKEN &&
	       !word_compare_exchange(&left->join, &join,
	                              join == TASK_JOINABLE ? TASK_JOIN_ENDED : TASK_JOIN_TAKEN,
	                              memory_order_acq_rel, memory_order_acquire))
		continue;
	if (join == TASK_JOIN_DETACHED)
		task_release(left);
	else if (join > TASK_JOIN_TAKEN)
		end_join((struct task *)(join & ~(uintptr_t)TASK_JOIN_ENDING));
}

/* The task's stack is given back. */
static inline void end(struct task *left)
{
	left->grows = false;
	atomic_store_explicit(&left->state, TASK_ENDED, memory_order_relaxed);
	/* acquire: what was done before task_detach. A task that is detached stays so: no exchange is needed. */
	uintptr_t join = atomic_load_explicit(&left->join, memory_order_acquire);
	/* JOINABLE -> ENDED; release: the result, for take_ended(). */
	if (join != TASK_JOINABLE ||
	    !word_change(&left->join, TASK_JOINABLE, TASK_JOIN_ENDED, memory_order_release))
		finalize_awaited_exit(left, join);
}

__attribute__((noinline)) static void finalize_touched_exit(struct task *left)
{
	task_release_stack(left);
	end(left);
}

void finalize_untouched_exit(struct task *left, void *unused)
{
	(void)unused;
	end(left);
}

static void finalize_exit(struct task *left, void *unused)
{
	if (left->touched)
		finalize_touched_exit(left);
	else
		finalize_untouched_exit(left, unused);
}

/* Whether `joiner`, if it were ready, would run next: all other ready tasks are lower. */
static bool joiner_is_next(struct scheduler *scheduler, const struct task *joiner)
{
	uint64_t plain = atomic_load_explicit(&scheduler->plain, memory_order_relaxed);
	if (plain == PLAIN_NONE || joiner->schedule.bound != HEDDLE_TASK_ANY_PROCESSOR)
		return false;
	int higher = joiner->schedule.priority - (int)plain_level(plain);
	return higher > 0 || (higher == 0 && local_queue_is_empty(scheduler->plain_queue));
}

/* End the wait of the current task's joiner, which comes next, and return it. NULL: the finalizer ends a join. */
static struct task *take_joiner(struct scheduler *scheduler, struct task *left)
{
	uintptr_t join = atomic_load_explicit(&left->join, memory_order_relaxed);
	/* joiner -> ENDING; acquire: the joiner, from finalize_join. */
	if (join <= TASK_JOIN_TAKEN || !word_compare_exchange(&left->join, &join, join | TASK_JOIN_ENDING,
	                                                      memory_order_acquire, memory_order_relaxed))
		return NULL;
	struct task *joiner = (struct task *)join;
	if (!joiner_is_next(scheduler, joiner) || !wait_grant(joiner, joiner->join_ticket, HEDDLE_OK))
		return NULL;
	/* ENDING -> TAKEN; the joiner runs here, after the finalizer. */
	atomic_store_explicit(&left->join, TASK_JOIN_TAKEN, memory_order_relaxed);
	return joiner;
}

/* If the joiner is the next task, choose it at once: the idle task need not find it. */
static struct arch_context *choose_after_end(void)
{
	struct scheduler *scheduler = scheduler_current();
	uint32_t more = plain_more_for_others(scheduler);
	struct task *joiner = more ? take_joiner(scheduler, scheduler->current) : NULL;
	if (!joiner)
		return switch_choose();
	plain_count(scheduler, more);
	switch_begin(scheduler, joiner);
	return &joiner->context;
}

void (*task_ends)(struct task *task);

static void end_with(void *task)
{
	task_ends(task);
}

/* Telling others of the end needs no memory, like the end itself. It is not on the task's stack, so nothing switches
 * meanwhile. True: a wait has begun, and the caller switches. Both are functions of their own, since little is left
 * of the task's stack. */
__attribute__((noinline)) static bool tell_of_end(void)
{
	struct task *task = task_current();
	if (!task_ends)
		return false;
	processor_current()->uncooperative++;
	arch_call_on_processor_stack(end_with, task);
	quantum_reset_uncooperative(scheduler_current());
	return task->ending_wait && wait_begin_kept(&task->wait_cold.object) == HEDDLE_OK;
}

__attribute__((noinline)) static void await_end(void)
{
	struct task *task = task_current();
	switch_away(task->ending_wait, NULL);
	wait_finish();
}

_Noreturn SWITCH_INLINE void leave_for_good(struct scheduler *scheduler, struct task *task)
{
	ASSERT(task->touched || task_locks_left(&task->locks) == 0);
	while (__builtin_expect(task_has_locks(task), 0)) {
		task_touch(task);
		if (!tell_of_end())
			break;
		await_end();
		scheduler = scheduler_current();
	}
	task->function_ended = true;
	switch_for_good(scheduler, task, choose_after_end, finalize_exit);
}

/* task_exit() but for the plain way (exit.c), which enters it with room for it on the stack. */
_Noreturn void task_exit_full(intptr_t result);

STACK_ENTRY(task_exit_full)
_Noreturn void task_exit_full(intptr_t result)
{
	struct scheduler *scheduler = scheduler_current();
	quantum_check_cooperative("task_exit()");
	struct task *task = scheduler->current;
	task->result = result;
	leave_for_good(scheduler, task);
}

_Noreturn void task_exit_by_fault(void)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *task = scheduler->current;
	quantum_reset_uncooperative(scheduler);
	task_touch(task);
	task->ending = HEDDLE_TASK_FAULT;
	task->result = 0;
	leave_for_good(scheduler, task);
}

/* ------------------------------------------------------------------------------------------ join -- */

/* ENDED -> TAKEN: only the caller reclaims. Acquire: the result, from finalize_exit. Mostly it has not ended, and a
 * load tells. */
static bool take_ended(struct task *task)
{
	uintptr_t expected = TASK_JOIN_ENDED;
	return atomic_load_explicit(&task->join, memory_order_relaxed) == TASK_JOIN_ENDED &&
	       word_compare_exchange(&task->join, &expected, TASK_JOIN_TAKEN, memory_order_acquire,
	                             memory_order_relaxed);
}

static void finalize_join(struct task *left, void *unused)
{
	(void)unused;
	uintptr_t expected = TASK_JOINABLE;
	uint64_t ticket = left->join_ticket;
	/* JOINABLE -> joiner; release: the joiner has left its stack, pairs with the CAS in finalize_exit. */
	if (word_compare_exchange(&left->waits_for->join, &expected, (uintptr_t)left, memory_order_release,
	                          memory_order_relaxed)) {
		wait_arm(left, ticket);
		return;
	}
	left->join_refused = !take_ended(left->waits_for);
	wait_grant(left, ticket, HEDDLE_OK);
	ready_publish(left);
}

static void finalize_join_done(struct task *left, void *unused)
{
	(void)unused;
	uint64_t expected = TASK_JOIN_NOT_DONE, ticket = wait_ticket(left);
	/* NOT_DONE -> the ticket; pairs with end_join. */
	if (atomic_compare_exchange_strong_explicit(&left->join_done, &expected, ticket, memory_order_acq_rel,
	                                            memory_order_acquire))
		return;
	wait_grant(left, ticket, HEDDLE_OK);
	ready_publish(left);
}

static const struct wait_object joined = {wait_for_end, NULL, NULL};

/* The wait was cancelled: the ending task must not come back to it. Returns whether the task has ended meanwhile, and
 * is the caller's. */
static bool join_withdraw(struct task *current, struct task *task)
{
	uintptr_t expected = (uintptr_t)current;
	/* joiner -> JOINABLE. */
	if (atomic_compare_exchange_strong_explicit(&task->join, &expected, TASK_JOINABLE, memory_order_acq_rel,
	                                            memory_order_acquire))
		return false;
	if (atomic_load_explicit(&current->join_done, memory_order_acquire) == TASK_JOIN_NOT_DONE &&
	    wait_begin_kept(&joined) == HEDDLE_OK) {
		switch_away(finalize_join_done, NULL);
		wait_finish();
	}
	return true;
}

/* Wait until the task has ended and the caller may reclaim it. */
static enum heddle_error join_wait(struct task *current, struct task *task)
{
	if (atomic_load_explicit(&task->join, memory_order_relaxed) > TASK_JOIN_ENDED)
		return HEDDLE_JOINED;
	enum heddle_error error = wait_begin(&joined, HEDDLE_NO_DEADLINE);
	if (error != HEDDLE_OK)
		return error;
	current->waits_for = task;
	current->join_refused = false;
	current->join_ticket = wait_ticket(current);
	atomic_store_explicit(&current->join_done, TASK_JOIN_NOT_DONE, memory_order_relaxed);
	switch_away(finalize_join, NULL);
	error = wait_finish();
	if (error != HEDDLE_OK && join_withdraw(current, task))
		error = HEDDLE_OK;
	current->waits_for = NULL;
	return current->join_refused ? HEDDLE_JOINED : error;
}

STACK_ENTRY(task_join)
enum heddle_error task_join(struct task *task, intptr_t *result)
{
	struct task *current = task_current();
	quantum_check_cooperative("task_join()");
	if (!task)
		return HEDDLE_BAD_ARGUMENT;
	if (task == current)
		return HEDDLE_JOINED;
	if (!take_ended(task)) {
		enum heddle_error error = join_wait(current, task);
		if (error != HEDDLE_OK)
			return error;
	}
	enum heddle_error ending = task->ending;
	if (result)
		*result = task->result;
	task_release(task);
	return ending;
}

enum heddle_error task_detach(struct task *task)
{
	uintptr_t expected = TASK_JOINABLE;
	if (!task)
		return HEDDLE_BAD_ARGUMENT;
	/* JOINABLE -> DETACHED; release: what the caller did with the task, before finalize_exit reclaims it. */
	if (atomic_compare_exchange_strong_explicit(&task->join, &expected, TASK_JOIN_DETACHED,
	                                            memory_order_release, memory_order_relaxed))
		return HEDDLE_OK;
	if (!take_ended(task))
		return HEDDLE_JOINED;
	task_release(task);
	return HEDDLE_OK;
}
