#include "heddle/system.h"
#include "kernel/console.h"
#include "sched/run_next.h"
#include "sync/delegation/foresee.h"

/* ------------------------------------------------------------------------------------------- sections -- */

static void delegate_nothing(size_t size, void *message)
{
	(void)size, (void)message;
}

void qd_refuse_switch(const char *function, const struct task *task)
{
	if (task->locks.buffer)
		panic("%s in task %s (%u), which has a buffer of the qd lock at %p open: it may switch the task; "
		      "qd_close_buffer() comes before that",
		      function, task->name, task->pooled.number, (void *)task->locks.buffer_lock);
	if (task->locks.serves)
		panic("%s in task %s (%u), in a section that was delegated to the qd lock at %p: it may switch the "
		      "task, and sections must not",
		      function, task->name, task->pooled.number, (void *)task->locks.serves);
}

void qd_abandon_buffer(struct task *task)
{
	struct qd_lock *lock = task->locks.buffer_lock;
	struct qd_slot *slot = task->locks.buffer;
	task->locks.buffer = NULL;
	qd_publish(lock, slot, delegate_nothing);
}

/* Report a misuse: by a panic in debug builds, else in the log. */
static void blame(struct qd_lock *lock, const char *what, enum heddle_error error)
{
	lock_misused(what, qd_kind, lock, error);
	log_error("%s on the qd lock at %p", what, (void *)lock);
}

/* A section must leave its helper's task as it found it, and this has not. */
__attribute__((cold, noinline)) static void restore_balance(struct qd_lock *lock, struct task *task,
                                                            uint32_t uncooperative)
{
	struct processor *processor = processor_current();
	if (task->locks.buffer) {
		blame(lock, "a section that left a buffer open", HEDDLE_NO_BUFFER);
		qd_abandon_buffer(task);
		processor->uncooperative--;
	}
	if (processor->uncooperative != uncooperative) {
		blame(lock, "a section with an uncooperative_begin() without its end", HEDDLE_UNCOOPERATIVE);
		processor->uncooperative = uncooperative;
	}
}

/* `serves`: the lock in whose section the task is already; `running`: whether that is this one. */
__attribute__((always_inline)) static inline void run_section(struct qd_lock *lock, struct task *task,
                                                              struct qd_lock *serves, bool running,
                                                              qd_section section, size_t size, void *message)
{
	ASSERT(!task->locks.buffer);
	/* The section cannot be switched, so it ends on this processor. */
	struct processor *processor = processor_current();
	uint32_t uncooperative = ++processor->uncooperative;
	task->locks.serves = lock;
	lock->running = true;
	section(size, message);
	if (__builtin_expect(task->locks.buffer || processor->uncooperative != uncooperative, 0))
		restore_balance(lock, task, uncooperative);
	lock->running = running;
	lock->counters.sections++;
	task->locks.serves = serves;
	/* If its quantum was spent meanwhile, another task runs here now. */
	uncooperative_end();
}

void qd_run(struct qd_lock *lock, qd_section section, size_t size, void *message)
{
	struct task *task = task_current();
	run_section(lock, task, task->locks.serves, lock->running, section, size, message);
}

static void end_wait(struct qd_waiting *waiting, enum heddle_error outcome)
{
	struct task *task = waiting->task;
	waiting->outcome = outcome;
	/* PENDING, SUSPENDED -> DONE; release: what the section did, pairs with qd_await_done; acquire: that the
	 * task has left its stack, from finalize_await_done. */
	if (atomic_exchange_explicit(&task->locks.delegated, QD_DONE, memory_order_acq_rel) == QD_PENDING)
		return;
	/* It still waits, so its ticket is valid. */
	wait_grant(task, waiting->ticket, HEDDLE_OK);
	ready_publish(task);
}

static inline void count_help(struct qd_lock *lock)
{
	lock->counters.helped++;
	if (++lock->help > lock->counters.longest_help)
		lock->counters.longest_help = lock->help;
	/* All that delegate wait if the helper is switched away. Its limit bounds for how long it is not. */
	quantum_extend_again(scheduler_current());
}

/* Run another task's section; if that task waits, its wait ends. */
static void help(struct qd_lock *lock, qd_section section, size_t size, void *message,
                 struct qd_waiting *waiting)
{
	lock->current = waiting;
	qd_run(lock, section, size, message);
	lock->current = NULL;
	count_help(lock);
	if (waiting)
		end_wait(waiting, HEDDLE_OK);
}

static void help_slot(struct qd_lock *lock, struct qd_slot *slot)
{
	/* relaxed: after qd_first. */
	qd_section section = (qd_section)atomic_load_explicit(&slot->section, memory_order_relaxed);
	struct qd_waiting *waiting = slot->waiting;
	foresee_sections(lock, slot);
	if (waiting)
		help(lock, section, waiting->size, waiting->message, waiting);
	else
		help(lock, section, slot->size, qd_message(slot), NULL);
}

/* Help the first task that waits at the mutex, if it only wants a section carried out, or a turn. */
static bool help_waiting(struct qd_lock *lock, struct waiter *waiter)
{
	if (!waiter)
		return false;
	/* acquire: what is in it, from qd_await_turn. */
	struct qd_waiting *waiting = atomic_load_explicit(&waiter->section, memory_order_acquire);
	/* A place may have stayed there from an earlier wait: it belongs to this one if it has its ticket. acquire: as in
	 * waiter_grant. */
	if (!waiting ||
	    wait_ticket_of(atomic_load_explicit(&waiter->wait, memory_order_acquire)) != waiting->ticket)
		return false;
	lock->mutex.first = waiter->next;
	if (!waiting->section) {
		lock->help++;
		end_wait(waiting, HEDDLE_OK);
		return true;
	}
	lock->counters.waited++;
	help(lock, waiting->section, waiting->size, waiting->message, waiting);
	return true;
}

/* -------------------------------------------------------------------------------------------- nesting -- */

struct qd_slot *qd_nest(struct qd_lock *lock, size_t size)
{
	size_t bytes = sizeof(struct qd_nested) + qd_slots_of(size) * HEDDLE_QD_SLOT_SIZE;
	struct qd_nested *nested = heddle_allocate(bytes);
	if (!nested)
		return NULL;
	*nested = (struct qd_nested){.position = qd_end(lock), .bytes = bytes};
	nested->slot.size = (uint32_t)size;
	if (lock->nested_last)
		lock->nested_last->next = nested;
	else
		lock->nested = nested;
	lock->nested_last = nested;
	lock->counters.nested++;
	return &nested->slot;
}

/* ----------------------------------------------------------------------------------------- the helper -- */

/* The slot was carried out, or its section has faulted. */
static void end_busy(struct qd_lock *lock)
{
	struct qd_nested *nested = lock->nested;
	struct qd_slot *slot = lock->busy;
	lock->busy = NULL;
	if (!nested || slot != &nested->slot) {
		qd_retire(lock, slot);
		return;
	}
	lock->nested = nested->next;
	if (!lock->nested)
		lock->nested_last = NULL;
	heddle_free(nested, nested->bytes);
}

enum progress { NOTHING, HELPED, BLOCKED };

/* Help the oldest that is queued before slot number `end`. */
static enum progress help_oldest(struct qd_lock *lock, uint64_t end)
{
	struct qd_nested *nested = lock->nested;
	if (nested && nested->position < end)
		end = nested->position;
	if (!qd_first(lock, end, &lock->busy))
		return BLOCKED;
	if (!lock->busy && nested && nested->position <= lock->next)
		lock->busy = &nested->slot;
	if (!lock->busy)
		return NOTHING;
	help_slot(lock, lock->busy);
	end_busy(lock);
	return HELPED;
}

/* Help the oldest for which no task waits, as long as they are ready. */
static void help_ready(struct qd_lock *lock)
{
	struct task *task = task_current();
	struct qd_lock *serves = task->locks.serves;
	struct qd_slot *slot = qd_next(lock);
	qd_section section;
	ASSERT(!lock->running);
	while (lock->help < lock->limit && !lock->nested && (section = qd_ready(slot)) && !slot->waiting) {
		lock->busy = slot;
		foresee_slot(lock);
		run_section(lock, task, serves, false, section, slot->size, qd_message(slot));
		count_help(lock);
		lock->busy = NULL;
		qd_retire(lock, slot);
		slot = qd_next(lock);
	}
}

/* --------------------------------------------------------------------------------------------- holder -- */

/* Take a place for a wait for the outer mutex that cannot fail; false: no memory. */
static bool has_place(struct qd_lock *lock)
{
	return lock->kind != HEDDLE_QD_NODE || waiter_take(task_current(), lock->outer);
}

static enum heddle_error enter_outer(struct qd_lock *lock, enum qd_patience patience, uint64_t deadline)
{
	enum heddle_error error;
	if (patience == QD_NOT)
		error = mutex_try_lock(lock->outer);
	else if (patience == QD_KEPT)
		error = mutex_lock_kept(lock->outer);
	else
		error = mutex_lock_until(lock->outer, deadline);
	return error == HEDDLE_OWNER_DIED ? HEDDLE_OK : error;
}

static enum heddle_error await_others(struct qd_lock *lock, enum qd_patience patience, uint64_t deadline)
{
	if (lock->kind == HEDDLE_QD_READERS)
		return mrqd_await_readers(mrqd_of(lock), patience, deadline);
	return lock->kind == HEDDLE_QD_NODE ? enter_outer(lock, patience, deadline) : HEDDLE_OK;
}

enum heddle_error qd_enter(struct qd_lock *lock, bool open, enum qd_patience patience, uint64_t deadline)
{
	uint64_t end = qd_end(lock);
	lock->help = 0;
	/* A task that was given a rest was waiting for the mutex: so it can wait, and has a place. */
	if (qd_has_rest(lock))
		patience = QD_KEPT;
	/* What is delegated while it waits must be carried out: so no wait begins that may fail. */
	if (patience == QD_KEPT && !has_place(lock))
		patience = QD_NOT;
	open = open && processor_current()->uncooperative == 0;
	if (open && patience == QD_KEPT)
		qd_open(lock);
	enum heddle_error error = await_others(lock, patience, deadline);
	if (error != HEDDLE_OK) {
		mutex_unlock(&lock->mutex);
		return error;
	}
	/* If others may not delegate, carry out everything, including what these sections delegate: perhaps no task looks
	 * again. */
	while (help_oldest(lock, open ? end : qd_end(lock)) == HELPED) {
	}
	if (open && patience != QD_KEPT)
		qd_open(lock);
	return HEDDLE_OK;
}

/* Give a mutex that the calling task holds to the first that waits for it, which is returned. */
static struct task *give_mutex(struct mutex *mutex)
{
	struct task *task = task_current();
	ASSERT(mutex_is_held(mutex, task));
	mutex_leave(mutex, task);
	return mutex_pass(mutex, false);
}

/* Both mutexes were given up. Their next holders run, if there are any: that of the outer one first and at once, since
 * the others of its node wait for it. */
static void run_next_holders(struct task *outer, struct task *next)
{
	extension_end(task_current());
	if (outer && next)
		run_next_publish(next, processor_current()->index);
	if (outer || next)
		exchange_to(outer ? outer : next);
}

/* The outer mutex comes last. Until it is given up no other task has had the lock and left it, so the lock exists. */
static void leave_node(struct qd_lock *lock)
{
	struct mutex *all = lock->outer;
	struct task *next = give_mutex(&lock->mutex), *outer = give_mutex(all);
	run_next_holders(outer, next);
}

/* Give the lock, with the rest of the queue, to the first waiting task; false: it has given up. */
static bool hand_over(struct qd_lock *lock)
{
	struct task *next = mutex_hand_over(&lock->mutex, task_current());
	if (!next)
		return false;
	/* The next holder has not run yet, so the lock still exists. */
	struct task *outer = lock->kind == HEDDLE_QD_NODE ? give_mutex(lock->outer) : NULL;
	run_next_holders(outer, next);
	return true;
}

/* `soon`: as if the limit were reached. False: the caller must not wait for a buffer, and still holds the lock. */
static bool qd_try_leave(struct qd_lock *lock, bool soon)
{
	for (;;) {
		if (!soon)
			help_ready(lock);
		bool enough = soon || lock->help >= lock->limit;
		if (enough && qd_is_open(lock))
			qd_close(lock);
		/* Before the queue is found empty: what the first waiter delegated before it waited is older. */
		struct waiter *first = mutex_first(&lock->mutex);
		if (enough && first) {
			if (hand_over(lock))
				return true;
			continue;
		}
		enum progress progress = help_oldest(lock, qd_end(lock));
		if (progress == BLOCKED)
			return false;
		if (progress == HELPED || help_waiting(lock, first))
			continue;
		if (qd_close_empty(lock))
			break;
	}
	if (lock->kind == HEDDLE_QD_NODE)
		leave_node(lock);
	else
		mutex_unlock(&lock->mutex);
	return true;
}

enum heddle_error qd_leave(struct qd_lock *lock)
{
	return !task_current()->locks.buffer && qd_try_leave(lock, false) ? HEDDLE_OK : HEDDLE_UNCOOPERATIVE;
}

/* The section that was being carried out counts as carried out. */
static void end_section(struct qd_lock *lock, struct task *task)
{
	lock->running = false;
	task->locks.serves = NULL;
	if (lock->busy)
		end_busy(lock);
	if (lock->current)
		end_wait(lock->current, HEDDLE_OWNER_DIED);
	lock->current = NULL;
}

STACK_ENTRY(qd_owner_ends)
bool qd_owner_ends(struct mutex *mutex)
{
	struct qd_lock *lock = (struct qd_lock *)mutex;
	struct task *task = task_current();
	if (!lock->ended)
		log_error("task %s (%u) ends %s the qd lock at %p; the next holder is told", task->name,
		          task->pooled.number, lock->running ? "in a section of" : "while it holds", (void *)lock);
	lock->ended = false;
	end_section(lock, task);
	if (qd_try_leave(lock, true))
		return true;
	lock->ended = true;
	qd_first_at_end(lock, task);
	return false;
}
