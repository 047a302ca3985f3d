#include "heddle/qd_lock.h"

#include <string.h>

#include "sync/delegation/delegation.h"
#include "sync/reads.h"

const char qd_kind[] = "qd lock";

/* How often to look again before the task is suspended. Suspending costs more than the usual wait: for the helper to
 * give the lock up. */
#define RETRIES 32

enum heddle_error qd_delegate_full(struct qd_lock *lock, qd_section section, size_t size,
                                   const void *message);
__typeof__(qd_delegate_full) delegate_with_room STACK_ENTRY_OF(qd_delegate_full);

static bool qd_is_uncooperative(void)
{
	return processor_current()->uncooperative != 0;
}

enum heddle_error qd_lock_create(struct qd_lock *lock, struct qd_slot *slots, size_t count, uint32_t limit)
{
	if (count == 0 || (count & (count - 1)) || count > HEDDLE_QD_SLOTS_MAXIMUM || limit == 0 || !slots ||
	    (uintptr_t)slots % HEDDLE_QD_SLOT_SIZE)
		return lock_misused("qd_lock_create()", qd_kind, lock, HEDDLE_BAD_ARGUMENT);
	memset(lock, 0, sizeof(*lock));
	memset(slots, 0, count * sizeof(*slots));
	lock->mutex.owner_ends = qd_owner_ends;
	lock->slots = slots;
	lock->count = (uint32_t)count;
	lock->limit = limit;
	return HEDDLE_OK;
}

enum heddle_error qd_lock_destroy(struct qd_lock *lock)
{
	/* acquire: what the last holder did. */
	if (atomic_load_explicit(&lock->mutex.word, memory_order_acquire) != MUTEX_FREE || qd_is_open(lock) ||
	    qd_has_rest(lock))
		return lock_misused("qd_lock_destroy()", qd_kind, lock, HEDDLE_IN_USE);
	return HEDDLE_OK;
}

/* ------------------------------------------------------------------------------------------- delegate -- */

/* Whether the caller reads: then it would wait for itself to leave. */
static bool is_reader(struct qd_lock *lock)
{
	return lock->kind == HEDDLE_QD_READERS && reads_has(task_current(), mrqd_share(mrqd_of(lock)));
}

/* Kept out of line for locks without readers. */
__attribute__((noinline)) static enum heddle_error check_reader(struct qd_lock *lock, const char *function)
{
	return is_reader(lock) ? lock_misused(function, qd_kind, lock, HEDDLE_RELOCKED) : HEDDLE_OK;
}

static enum heddle_error check_reads(struct qd_lock *lock, const char *function)
{
	return __builtin_expect(lock->kind == HEDDLE_QD_READERS, 0) ? check_reader(lock, function) : HEDDLE_OK;
}

static enum heddle_error check(struct qd_lock *lock, const char *function, qd_section section, size_t size,
                               const void *message)
{
	if (!section || (size && !message))
		return lock_misused(function, qd_kind, lock, HEDDLE_BAD_ARGUMENT);
	return check_reads(lock, function);
}

static enum heddle_error check_size(struct qd_lock *lock, const char *function, size_t size)
{
	if (size > HEDDLE_QD_MESSAGE_MAXIMUM(lock->count))
		return lock_misused(function, qd_kind, lock, HEDDLE_TOO_LARGE);
	return HEDDLE_OK;
}

/* Try to take the mutex to carry something out. Not with a buffer open: if a section ended the task, the buffer would
 * stay open. */
static bool try_mutex(struct qd_lock *lock)
{
	if (task_current()->locks.buffer)
		return false;
	enum heddle_error error = mutex_try_lock(&lock->mutex);
	return error == HEDDLE_OK || error == HEDDLE_OWNER_DIED;
}

/* Take a slot of the queue, or the mutex. NULL, and not *held: neither was available soon. */
static struct qd_slot *take_either(struct qd_lock *lock, size_t size, bool *held)
{
	for (unsigned i = 0; i < RETRIES; i++) {
		struct qd_slot *slot = qd_take(lock, size, false);
		*held = !slot && !qd_is_open(lock) && try_mutex(lock);
		if (slot || *held)
			return slot;
		arch_pause();
	}
	return NULL;
}

/* By the holder. NULL: no memory. */
static struct qd_slot *take_inside(struct qd_lock *lock, size_t size)
{
	struct qd_slot *slot = lock->nested ? NULL : qd_take(lock, size, true);
	return slot ? slot : qd_nest(lock, size);
}

/* The caller has got the mutex. Others may delegate while it waits for readers, or for the outer mutex: so their
 * sections gather, and only one task of them waits. */
static enum heddle_error enter_open(struct qd_lock *lock)
{
	bool uncooperative = qd_is_uncooperative();
	if (qd_enter(lock, true, uncooperative ? QD_NOT : QD_KEPT, HEDDLE_NO_DEADLINE) == HEDDLE_OK)
		return HEDDLE_OK;
	return uncooperative ? HEDDLE_UNCOOPERATIVE : HEDDLE_NO_MEMORY;
}

/* The caller has got the mutex. */
static enum heddle_error run_as_holder(struct qd_lock *lock, qd_section section, size_t size, void *message)
{
	enum heddle_error error = enter_open(lock);
	if (error != HEDDLE_OK)
		return error;
	qd_run(lock, section, size, message);
	return qd_leave(lock);
}

/* If neither the queue nor the mutex was available. */
static enum heddle_error delegate_late(struct qd_lock *lock, qd_section section, size_t size, void *message)
{
	struct qd_waiting waiting = {.section = section, .size = size, .message = message};
	if (qd_is_uncooperative())
		return HEDDLE_UNCOOPERATIVE;
	enum heddle_error error = qd_await_turn(lock, &waiting);
	if (error != HEDDLE_OK || qd_is_done(waiting.task))
		return error;
	return run_as_holder(lock, section, size, message);
}

STACK_ENTRY(qd_delegate_full)
enum heddle_error qd_delegate_full(struct qd_lock *lock, qd_section section, size_t size, const void *message)
{
	enum heddle_error error = check(lock, "qd_delegate()", section, size, message);
	if (error == HEDDLE_OK)
		error = check_size(lock, "qd_delegate()", size);
	if (error != HEDDLE_OK)
		return error;
	bool inside = qd_is_owner(lock, task_current()), held = false;
	struct qd_slot *slot = inside ? take_inside(lock, size) : take_either(lock, size, &held);
	if (held)
		return run_as_holder(lock, section, size, (void *)message);
	if (!slot)
		return inside ? HEDDLE_NO_MEMORY : delegate_late(lock, section, size, (void *)message);
	if (size)
		memcpy(qd_message(slot), message, size);
	qd_publish(lock, slot, section);
	return HEDDLE_OK;
}

/* Kept out of line, as all that is rare, so that the plain way needs no frame. */
__attribute__((noinline)) static enum heddle_error publish_awaited(struct qd_lock *lock, struct qd_slot *slot)
{
	qd_awaited(lock, slot);
	return HEDDLE_OK;
}

/* The queue has room, and the message fits a slot. The holder goes this way as well: what it has nested is in front of
 * the slots that are taken later. */
__attribute__((always_inline)) static inline enum heddle_error
delegate_plainly(struct qd_lock *lock, qd_section section, size_t size, const void *message)
{
	struct qd_slot *slot;
	if (__builtin_expect(
	        !section || !message || lock->kind == HEDDLE_QD_READERS || !(slot = qd_take_one(lock, size)), 0))
		return delegate_with_room(lock, section, size, message);
	__builtin_memcpy(qd_message(slot), message, size);
	return qd_fill(slot, (uintptr_t)section) ? publish_awaited(lock, slot) : HEDDLE_OK;
}

__attribute__((noinline)) static enum heddle_error delegate_sized(struct qd_lock *lock, qd_section section,
                                                                  size_t size, const void *message)
{
	return size > HEDDLE_QD_MESSAGE_FIRST ? delegate_with_room(lock, section, size, message)
	                                      : delegate_plainly(lock, section, size, message);
}

enum heddle_error qd_delegate(struct qd_lock *lock, qd_section section, size_t size, const void *message)
{
	/* Mostly it is a pointer. */
	if (__builtin_expect(size != sizeof(void *), 0))
		return delegate_sized(lock, section, size, message);
	return delegate_plainly(lock, section, sizeof(void *), message);
}

/* Queue the section, without copying it: the caller may wait. */
static enum heddle_error delegate_and_wait(struct qd_lock *lock, struct qd_waiting *waiting)
{
	bool held;
	struct qd_slot *slot = take_either(lock, 0, &held);
	if (held)
		return run_as_holder(lock, waiting->section, waiting->size, waiting->message);
	if (!slot)
		return delegate_late(lock, waiting->section, waiting->size, waiting->message);
	slot->waiting = waiting;
	qd_publish(lock, slot, waiting->section);
	return qd_await_done(lock, waiting);
}

STACK_ENTRY(qd_delegate_wait)
enum heddle_error qd_delegate_wait(struct qd_lock *lock, qd_section section, size_t size, void *message)
{
	struct task *task = task_current();
	enum heddle_error error = check(lock, "qd_delegate_wait()", section, size, message);
	if (error != HEDDLE_OK)
		return error;
	if (qd_is_owner(lock, task)) {
		if (task->locks.buffer)
			return HEDDLE_UNCOOPERATIVE;
		qd_run(lock, section, size, message);
		return HEDDLE_OK;
	}
	if (qd_is_uncooperative())
		return try_mutex(lock) ? run_as_holder(lock, section, size, message) : HEDDLE_UNCOOPERATIVE;
	struct qd_waiting waiting = {.section = section, .size = size, .message = message, .task = task};
	atomic_store_explicit(&task->locks.delegated, QD_PENDING, memory_order_relaxed);
	return delegate_and_wait(lock, &waiting);
}

/* ----------------------------------------------------------------------------------------------- lock -- */

/* The caller has got the mutex, with this error. */
static enum heddle_error qd_hold(struct qd_lock *lock, enum qd_patience patience, uint64_t deadline,
                                 enum heddle_error error)
{
	enum heddle_error entered = qd_enter(lock, true, patience, deadline);
	return entered == HEDDLE_OK ? error : entered;
}

STACK_ENTRY(qd_lock_until)
enum heddle_error qd_lock_until(struct qd_lock *lock, uint64_t deadline)
{
	enum heddle_error error = check_reads(lock, "qd_lock()");
	if (error != HEDDLE_OK)
		return error;
	error = mutex_lock_until(&lock->mutex, deadline);
	if (error != HEDDLE_OK && error != HEDDLE_OWNER_DIED)
		return error;
	return qd_hold(lock, QD_UNTIL, deadline, error);
}

STACK_ENTRY(qd_lock)
enum heddle_error qd_lock(struct qd_lock *lock)
{
	return qd_lock_until(lock, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(qd_try_lock)
enum heddle_error qd_try_lock(struct qd_lock *lock)
{
	if (is_reader(lock))
		return HEDDLE_RELOCKED;
	enum heddle_error error = mutex_try_lock(&lock->mutex);
	if (error != HEDDLE_OK && error != HEDDLE_OWNER_DIED)
		return error;
	return qd_hold(lock, QD_NOT, HEDDLE_NO_DEADLINE, error);
}

STACK_ENTRY(qd_unlock)
enum heddle_error qd_unlock(struct qd_lock *lock)
{
	if (!qd_is_owner(lock, task_current()) || lock->running)
		return lock_misused("qd_unlock()", qd_kind, lock, HEDDLE_NOT_OWNER);
	return qd_leave(lock);
}

/* ------------------------------------------------------------------------------------------- buffers -- */

/* Take a slot, or the mutex. If neither is available soon, wait for a turn: by then the helper has carried out all that
 * was queued, so there is room again. NULL, and not *held: others have filled that room, too. */
static enum heddle_error take_or_await_turn(struct qd_lock *lock, size_t size, struct qd_slot **slot,
                                            bool *held)
{
	struct qd_waiting turn = {.section = NULL};
	*slot = take_either(lock, size, held);
	if (*slot || *held)
		return HEDDLE_OK;
	if (qd_is_uncooperative())
		return HEDDLE_UNCOOPERATIVE;
	enum heddle_error error = qd_await_turn(lock, &turn);
	if (error != HEDDLE_OK)
		return error;
	*held = !qd_is_done(turn.task);
	if (!*held)
		*slot = take_either(lock, size, held);
	return HEDDLE_OK;
}

/* The caller, which is not the holder, goes on with a slot or, with NULL in *slot, the lock. */
static enum heddle_error take_slot_or_lock(struct qd_lock *lock, size_t size, struct qd_slot **slot)
{
	bool held = false;
	enum heddle_error error = take_or_await_turn(lock, size, slot, &held);
	if (error != HEDDLE_OK || *slot)
		return error;
	if (!held)
		return qd_lock(lock);
	error = enter_open(lock);
	return error == HEDDLE_OK ? (enum heddle_error)lock->mutex.owner_died : error;
}

STACK_ENTRY(qd_delegate_or_lock)
enum heddle_error qd_delegate_or_lock(struct qd_lock *lock, size_t size, void **buffer)
{
	struct task *task = task_current();
	struct qd_slot *slot;
	enum heddle_error error = check_size(lock, "qd_delegate_or_lock()", size);
	if (error == HEDDLE_OK && task->locks.buffer)
		error = lock_misused("qd_delegate_or_lock()", qd_kind, lock, HEDDLE_IN_USE);
	if (error == HEDDLE_OK)
		error = check_reads(lock, "qd_delegate_or_lock()");
	if (error != HEDDLE_OK)
		return error;
	*buffer = NULL;
	if (qd_is_owner(lock, task)) {
		slot = take_inside(lock, size);
		error = slot ? HEDDLE_OK : HEDDLE_NO_MEMORY;
	} else {
		error = take_slot_or_lock(lock, size, &slot);
	}
	if (error != HEDDLE_OK || !slot)
		return error;
	task_touch(task);
	task->locks.buffer = slot;
	task->locks.buffer_lock = lock;
	uncooperative_begin();
	*buffer = qd_message(slot);
	return HEDDLE_OK;
}

STACK_ENTRY(qd_close_buffer)
enum heddle_error qd_close_buffer(struct qd_lock *lock, void *buffer, qd_section section)
{
	struct task *task = task_current();
	struct qd_slot *slot = task->locks.buffer;
	if (!slot || task->locks.buffer_lock != lock || qd_message(slot) != buffer)
		return lock_misused("qd_close_buffer()", qd_kind, lock, HEDDLE_NO_BUFFER);
	if (!section)
		return lock_misused("qd_close_buffer()", qd_kind, lock, HEDDLE_BAD_ARGUMENT);
	task->locks.buffer = NULL;
	qd_publish(lock, slot, section);
	uncooperative_end();
	return HEDDLE_OK;
}

STACK_ENTRY(qd_delegate_unlock)
enum heddle_error qd_delegate_unlock(struct qd_lock *lock)
{
	return qd_unlock(lock);
}
