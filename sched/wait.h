/*
 * The wait of a task. What it waits for, its deadline and a cancellation compete to end it: one compare-and-exchange
 * of the task's wait word decides. A task waits for one thing at a time. Each of its waits has a new number, the
 * ticket, so an attempt that comes late, with an old ticket, changes nothing. The word keeps counting when the task's
 * memory becomes another task.
 *
 *     DONE --wait_begin--> PREPARING --wait_arm, wait_arm_unseen--> ARMED --wait_cancel--> DONE
 *     PREPARING, ARMED --wait_keep--> KEPT
 *     PREPARING, ARMED, KEPT --wait_grant--> DONE
 *     DONE --wait_take_back--> ARMED, KEPT
 *     DONE --wait_suspend, wait_suspend_alone--> SUSPENDED --task_resume, task_cancel--> DONE
 *
 * Only an armed or suspended wait can be cancelled: what the task left in queues is then complete. The processor that
 * brings a wait to DONE makes the task run, if the task has left its stack.
 *
 * A request ends a wait without its ticket. A task has two: `cancelled` ends any armed or suspended wait, `permit` ends
 * the next suspension. A request is taken before it ends a wait, so that it ends only one. If that wait has ended
 * otherwise, the request is put back, unless the task's memory has become another task.
 *
 *     NONE --task_cancel, task_resume--> REQUESTED --wait_begin, task_suspend--> NONE
 *     REQUESTED --deliver--> a ticket --that wait was ended--> NONE
 *     a ticket --it had ended--> REQUESTED
 *
 * | operation    | together with | progress  | takes effect                                            |
 * |--------------|---------------|-----------|---------------------------------------------------------|
 * | wait_begin   | late others   | wait-free | at its store; only by the task itself                   |
 * | wait_arm     | everything    | wait-free | at its CAS                                              |
 * | wait_suspend | everything    | wait-free | at its addition                                         |
 * | task_resume  | everything    | lock-free | at its CAS, or at the exchange of the permit            |
 * | wait_keep    | everything    | lock-free | at its CAS; it fails if the wait has ended              |
 * | wait_grant   | everything    | lock-free | at its CAS; it fails if the wait has ended              |
 * | wait_take_   | task_cancel   | lock-free | at its exchange; only by the one that has granted       |
 * |   back       |               |           |                                                         |
 * | wait_cancel  | everything    | wait-free | at its CAS; it fails if the wait is not armed           |
 * | task_cancel  | everything    | wait-free | at the store of the request, then where wait_cancel does|
 */
#ifndef SCHED_WAIT_H
#define SCHED_WAIT_H

#include "heddle/lock.h"
#include "kernel/alone.h"
#include "sched/scheduler.h"
#include "sched/task.h"
#include "sched/trace.h"

/* The ticket of a task's wait, while it is PREPARING. */
static inline uint64_t wait_ticket(const struct task *task)
{
	return wait_ticket_of(atomic_load_explicit(&task->wait.word, memory_order_relaxed));
}

/* The phase of any task's wait, outdated at once: for tests and reports. */
static inline enum wait_phase wait_phase(const struct task *task)
{
	/* acquire: what the task has left behind for its wait, from wait_arm. */
	return wait_phase_of(atomic_load_explicit(&task->wait.word, memory_order_acquire));
}

static inline bool wait_is_under_way(const struct task *task)
{
	return wait_phase(task) > WAIT_PREPARING;
}

/* Kinds of what a wait is for: the end of a task, a point in time. */
extern const char wait_for_end[], wait_for_time[];

/* Whether the task waits for what its wait_object says. */
static inline bool wait_has_object(const struct task *task)
{
	enum wait_phase phase = wait_phase(task);
	return phase > WAIT_PREPARING && phase != WAIT_SUSPENDED;
}

static inline bool wait_is_requested(const _Atomic uint64_t *request)
{
	/* seq_cst: after the wait is armed or suspended; pairs with task_cancel and task_resume. */
	return __builtin_expect(atomic_load_explicit(request, memory_order_seq_cst) == WAIT_REQUESTED, 0);
}

/* Whether there may be a request to end a suspension of the task; mostly there is none, and one look tells. */
__attribute__((always_inline)) static inline bool wait_may_be_requested(const struct task *task)
{
	/* seq_cst: as above. */
	uint64_t permit = atomic_load_explicit(&task->wait.permit, memory_order_seq_cst),
	         cancelled = atomic_load_explicit(&task->wait.cancelled, memory_order_seq_cst);
	return __builtin_expect((permit | cancelled) != WAIT_NONE, 0);
}

/* Take the request if there is one: REQUESTED -> NONE. */
static inline bool wait_take_request(_Atomic uint64_t *request)
{
	uint64_t requested = WAIT_REQUESTED;
	/* acquire: what was done before the request. */
	return wait_is_requested(request) &&
	       atomic_compare_exchange_strong_explicit(request, &requested, WAIT_NONE, memory_order_acquire,
	                                               memory_order_relaxed);
}

/* Begin a wait of the calling task with a ticket of its own: DONE, which is 0, -> PREPARING. */
static inline void wait_begin_for(struct task *task, const struct wait_object *object)
{
	uint64_t word = atomic_load_explicit(&task->wait.word, memory_order_relaxed);
	task->wait_cold.object = *object;
	task->wait.phase = WAIT_ARMED;
	trace_wait(&task->wait_cold.object);
	atomic_store_explicit(&task->wait.word, word + WAIT_ONE + WAIT_PREPARING, memory_order_relaxed);
}

/* wait_begin() for a task that has a deadline, or must not wait. */
enum heddle_error wait_begin_until(const struct wait_object *object, uint64_t deadline);

/* wait_begin() for a caller that has the current task at hand. */
static inline enum heddle_error wait_begin_of(struct task *task, const struct wait_object *object,
                                              uint64_t deadline)
{
	/* First: if its address were passed on, the object would have to be put together on the stack. */
	task->wait_cold.object = *object;
	if (__builtin_expect(deadline != HEDDLE_NO_DEADLINE || wait_is_requested(&task->wait.cancelled) ||
	                         arch_is_uncooperative(),
	                     0))
		return wait_begin_until(&task->wait_cold.object, deadline);
	wait_begin_for(task, &task->wait_cold.object);
	return HEDDLE_OK;
}

/* Begin a wait of the calling task that can be cancelled, and times out if there is a deadline. An error: the task
 * must not wait, and nothing has begun. */
static inline enum heddle_error wait_begin(const struct wait_object *object, uint64_t deadline)
{
	return wait_begin_of(task_current(), object, deadline);
}

/* The same for a wait that only wait_grant() ends. HEDDLE_UNCOOPERATIVE. */
enum heddle_error wait_begin_kept(const struct wait_object *object);

/* wait_start_timer() for a wait with a deadline. */
void wait_start_its_timer(struct task *left);

/* First in the finalizer: from here on the deadline counts. */
static inline void wait_start_timer(struct task *left)
{
	if (__builtin_expect(left->wait_cold.timer != NULL, 0))
		wait_start_its_timer(left);
}

/* The same for a wait at a lock: an exchange also needs the task's home. Returns the wait's ticket. */
static inline uint64_t wait_leave(struct task *left)
{
	left->wait.home = (uint16_t)processor_current()->index;
	wait_start_timer(left);
	return wait_ticket(left);
}

/* Last in the finalizer, if what is waited for has come meanwhile: end the wait, and let the task go on here soon. */
void wait_go_on(struct task *left, uint64_t ticket);

/* There is a request to end the wait, which may not have been seen when it was armed or suspended. */
void wait_deliver_cancellation(struct task *task);

/* Look for such a request. */
static inline void wait_look(struct task *left)
{
	if (wait_is_requested(&left->wait.cancelled))
		wait_deliver_cancellation(left);
}

/* Last in the finalizer, when the task was published with this ticket. It may have gone on, and ended, since. */
static inline void wait_arm(struct task *left, uint64_t ticket)
{
	uint64_t expected = wait_word(ticket, WAIT_PREPARING);
	/* PREPARING -> ARMED; seq_cst: before the request is looked at; pairs with task_cancel, whose store comes
	 * before it looks at the word. One of the two sees the other. release: the task has left its stack. */
	if (word_compare_exchange(&left->wait.word, &expected, wait_word(ticket, WAIT_ARMED),
	                          memory_order_seq_cst, memory_order_relaxed))
		wait_look(left);
}

/* The finalizer of a suspension, which begins here (or in wait_suspend_alone()): any task_resume() ends it, even one
 * that came since the last suspension. */
void wait_suspend(struct task *left, void *unused);

/* The same without a finalizer, on the only processor. There is no request. */
static inline void wait_suspend_alone(struct task *task)
{
	uint64_t word = atomic_load_explicit(&task->wait.word, memory_order_relaxed);
	atomic_store_explicit(&task->wait.word, word + WAIT_ONE + WAIT_SUSPENDED, memory_order_relaxed);
}

/* As wait_arm(), called by the server of what the task waits at (sync/serve.h): nothing else can end the wait yet. The
 * server then stops serving, by a read-modify-write, which orders the two, and calls wait_look(). */
static inline void wait_arm_unseen(struct task *left, uint64_t ticket)
{
	/* PREPARING -> ARMED; release: the task has left its stack, for task_cancel. */
	atomic_store_explicit(&left->wait.word, wait_word(ticket, WAIT_ARMED), memory_order_release);
}

/* The task had a deadline, and goes on. */
void wait_stop_timer(struct task *task);

/* In the task, when it goes on: what ended the wait. */
static inline enum heddle_error wait_finish(void)
{
	struct task *task = task_current();
	if (__builtin_expect(task->wait_cold.timer != NULL, 0))
		wait_stop_timer(task);
	return task->wait.outcome;
}

/* End the wait; false: it has ended. After true the caller makes the task run. */
bool wait_grant(struct task *task, uint64_t ticket, enum heddle_error outcome);

/* The same with HEDDLE_OK, if the wait still has this word, ARMED or KEPT; false: it has another. */
static inline bool wait_try_grant(struct task *task, uint64_t word)
{
	uint64_t done = wait_ticket_of(word);
	/* ARMED, KEPT -> DONE; acquire: the task has left its stack, from wait_arm; release: for those that look at it
	 * then. */
	if (__builtin_expect(
	        !word_compare_exchange(&task->wait.word, &word, done, memory_order_acq_rel, memory_order_relaxed),
	        0))
		return false;
	task->wait.outcome = HEDDLE_OK;
	trace_grant(task);
	return true;
}

/* wait_grant() with HEDDLE_OK; fastest if the wait is armed. */
static inline bool wait_grant_armed(struct task *task, uint64_t ticket)
{
	return wait_try_grant(task, wait_word(ticket, WAIT_ARMED)) || wait_grant(task, ticket, HEDDLE_OK);
}

/* What the task was granted is taken back before the task was made to run: it waits as before. The wait has no
 * deadline. */
void wait_take_back(struct task *task);

/* Whether the wait has ended; if not, it may end at any time. */
static inline bool wait_has_ended(const struct task *task, uint64_t ticket)
{
	/* acquire: as for a wait_grant() that fails. */
	uint64_t word = atomic_load_explicit(&task->wait.word, memory_order_acquire);
	return wait_ticket_of(word) != ticket || wait_phase_of(word) == WAIT_DONE;
}

/* From now on neither a deadline nor a cancellation ends the wait; false: it has ended. */
bool wait_keep(struct task *task, uint64_t ticket);

/* End an armed wait; false: it has ended, or is not armed. After true the caller makes the task run. */
bool wait_cancel(struct task *task, uint64_t ticket, enum heddle_error outcome);

#endif
