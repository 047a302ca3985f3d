/*
 * Readers of an mrqd_lock, and the holder that waits until they have left.
 *
 * Each side announces itself before it looks at the other: a reader adds itself to its group, and then looks whether
 * the mutex is free; the holder has the mutex, and then looks at the groups. So one of them sees the other, and then
 * the reader steps back.
 *
 * The holder waits for one group after the other. Readers that come meanwhile step back, so it need not look at a group
 * again that it has seen empty. A group's word counts the readers, says whether the holder waits for the last of them,
 * and counts such waits, so that no two have the same words:
 *
 *     readers --holder's finalizer: counts--> readers, AWAITED --the last one leaves, and ends that wait--> none
 *     readers, AWAITED --holder: it has given up--> readers
 *
 * The last reader reads the task and ticket of that wait, `waiting` and `ticket`, before it changes the word. If the
 * change succeeds, they belong to the wait that the word counts: those of the next wait are written after the word was
 * changed. A reader touches nothing of the lock after its change: the holder may go on then, and free the lock.
 *
 * A reader that steps back waits in the mutex's queue, in a place whose use is its share. When it is given the mutex,
 * it lets in those that wait right behind it, and gives the mutex up: they read together, and the next holder waits for
 * all of them. The task's `delegated` says how its wait ended:
 *
 *     SUSPENDED --a reader that holds the mutex, after the grant: it has counted this one--> DONE, and it reads
 *     SUSPENDED: it was given the mutex
 *
 * Before a task is suspended, it keeps looking for a while, if the lock is calm and its processor has nothing else to
 * do. Where writers are few, they hold the lock for less time than it takes to suspend all readers and to make them
 * run again. Where they are many, they delegate to one holder while it waits for the readers, and it carries out their
 * sections together: then it is better to suspend readers at once. So a lock is calm if its last holders have each
 * carried out few sections: `calm` counts up for one that has, and down faster for one that has not.
 */
#include "sync/delegation/delegation.h"

#include "kernel/console.h"
#include "sync/reads.h"
#include "sync/serve.h"

static const char kind_name[] = "mrqd lock";

/* The word of a group. */
#define READERS (AWAITED - 1)
#define AWAITED (UINT64_C(1) << 32)
#define COUNTED (UINT64_C(1) << 33)

#define FEW_SECTIONS 2
#define CALM_MOST    16
#define CALM_LEAST   9
#define LOOKS        256

static _Atomic(uint64_t) *group_of(struct mrqd_lock *lock, const struct task *task)
{
	return &lock->groups[task->pooled.number % HEDDLE_MRQD_GROUPS].readers;
}

static bool group_is_read(struct mrqd_group *group)
{
	/* seq_cst: after the mutex was taken; pairs with arrive. acquire: what the readers did; pairs with mrqd_depart. */
	return atomic_load_explicit(&group->readers, memory_order_seq_cst) & READERS;
}

bool mrqd_is_read(struct mrqd_lock *lock)
{
	for (unsigned i = 0; i < HEDDLE_MRQD_GROUPS; i++)
		if (group_is_read(&lock->groups[i]))
			return true;
	return false;
}

/* Pause before the next look; false: the task has looked for long enough. */
static bool keep_looking(unsigned *looks, uint64_t deadline)
{
	if (*looks == LOOKS || !ready_is_alone() || (deadline != HEDDLE_NO_DEADLINE && arch_clock() >= deadline))
		return false;
	++*looks;
	arch_pause();
	return true;
}

static bool is_calm(const struct mrqd_lock *lock)
{
	return atomic_load_explicit(&lock->calm, memory_order_relaxed) >= CALM_LEAST;
}

/* --------------------------------------------------------------------------------------------- holder -- */

/* Count what the holder before has carried out. */
static void count_sections(struct mrqd_lock *lock)
{
	uint64_t sections = lock->lock.counters.sections;
	uint32_t before = atomic_load_explicit(&lock->calm, memory_order_relaxed), calm;
	if (sections - lock->sections <= FEW_SECTIONS)
		calm = before < CALM_MOST ? before + 1 : CALM_MOST;
	else
		calm = before > 2 ? before - 2 : 0;
	lock->sections = sections;
	if (calm != before)
		atomic_store_explicit(&lock->calm, calm, memory_order_relaxed);
}

struct awaiting {
	struct mrqd_lock *lock;
	struct mrqd_group *group;
};

/* False: no task of it reads. */
static bool await_group(struct mrqd_group *group)
{
	uint64_t readers = atomic_load_explicit(&group->readers, memory_order_relaxed);
	while ((readers & READERS) != 0)
		/* readers -> readers, AWAITED, counted; release: which task to make go on, and that it has left its stack;
		 * pairs with mrqd_depart. */
		if (atomic_compare_exchange_weak_explicit(&group->readers, &readers, (readers + COUNTED) | AWAITED,
		                                          memory_order_release, memory_order_relaxed))
			return true;
	return false;
}

static void finalize_mrqd_await(struct task *left, void *argument)
{
	struct awaiting *awaiting = argument;
	struct mrqd_lock *lock = awaiting->lock;
	uint64_t ticket = wait_leave(left);
	atomic_store_explicit(&lock->waiting, left, memory_order_relaxed);
	atomic_store_explicit(&lock->ticket, ticket, memory_order_relaxed);
	if (await_group(awaiting->group))
		wait_arm(left, ticket);
	else
		wait_go_on(left, ticket);
}

static enum heddle_error await_once(struct awaiting *awaiting, enum qd_patience patience, uint64_t deadline)
{
	struct wait_object object = {"departure of all readers of the mrqd lock", awaiting->lock, NULL};
	enum heddle_error error;
	if (patience == QD_NOT)
		error = HEDDLE_BUSY;
	else
		error = patience == QD_KEPT ? wait_begin_kept(&object) : wait_begin(&object, deadline);
	if (error != HEDDLE_OK)
		return error;
	switch_away(finalize_mrqd_await, awaiting);
	error = wait_finish();
	/* readers, AWAITED -> readers; relaxed: a reader whose change comes first has the right ticket. */
	if (error != HEDDLE_OK)
		atomic_fetch_and_explicit(&awaiting->group->readers, ~AWAITED, memory_order_relaxed);
	return error;
}

enum heddle_error mrqd_await_readers(struct mrqd_lock *lock, enum qd_patience patience, uint64_t deadline)
{
	enum heddle_error error = HEDDLE_OK;
	unsigned looks = 0;
	count_sections(lock);
	while (patience != QD_NOT && is_calm(lock) && mrqd_is_read(lock) && keep_looking(&looks, deadline))
		continue;
	for (unsigned i = 0; i < HEDDLE_MRQD_GROUPS && error == HEDDLE_OK; i++) {
		struct awaiting awaiting = {lock, &lock->groups[i]};
		while (error == HEDDLE_OK && group_is_read(awaiting.group))
			error = await_once(&awaiting, patience, deadline);
	}
	return error;
}

/* -------------------------------------------------------------------------------------------- readers -- */

/* Nothing of the lock may be touched after this. */
static void mrqd_depart(struct mrqd_lock *lock, _Atomic(uint64_t) *group)
{
	struct task *holder;
	/* acquire: which task to make go on; pairs with await_group, also below. */
	uint64_t ticket = 0, readers = atomic_load_explicit(group, memory_order_acquire), rest;
	do {
		rest = readers - 1;
		holder = NULL;
		if (__builtin_expect((rest & (READERS | AWAITED)) == AWAITED, 0)) {
			rest -= AWAITED;
			/* If they are those of a later wait, the change fails. */
			holder = atomic_load_explicit(&lock->waiting, memory_order_relaxed);
			ticket = atomic_load_explicit(&lock->ticket, memory_order_relaxed);
		}
		/* release: what we did; pairs with group_is_read. */
	} while (!atomic_compare_exchange_weak_explicit(group, &readers, rest, memory_order_acq_rel,
	                                                memory_order_acquire));
	if (holder && wait_grant(holder, ticket, HEDDLE_OK))
		ready_publish(holder);
}

/* Returns whether the caller reads. */
static bool arrive(struct mrqd_lock *lock, struct task *task)
{
	_Atomic(uint64_t) *group = group_of(lock, task);
	/* seq_cst: before the mutex is looked at, whose holder looks at the groups. acquire: what the last holder
	 * did. */
	atomic_fetch_add_explicit(group, 1, memory_order_seq_cst);
	if (atomic_load_explicit(&lock->lock.mutex.word, memory_order_seq_cst) == MUTEX_FREE)
		return true;
	mrqd_depart(lock, group);
	return false;
}

static bool is_free(const struct mrqd_lock *lock)
{
	return atomic_load_explicit(&lock->lock.mutex.word, memory_order_relaxed) == MUTEX_FREE;
}

/* Returns whether the caller reads. */
static bool arrive_soon(struct mrqd_lock *lock, struct task *task, uint64_t deadline)
{
	for (unsigned looks = 0; is_calm(lock) && keep_looking(&looks, deadline);)
		if (is_free(lock) && arrive(lock, task))
			return true;
	return false;
}

static enum heddle_error mrqd_begin(struct mrqd_lock *lock, struct task *task)
{
	reads_add(task, mrqd_share(lock));
	/* It does not change while a task reads. */
	return (enum heddle_error)lock->lock.mutex.owner_died;
}

static bool would_wait_for_itself(const struct mrqd_lock *lock, struct task *task)
{
	return reads_has(task, mrqd_share(lock)) || qd_is_owner(&lock->lock, task);
}

static void count_in(struct mrqd_lock *lock, const struct task *task)
{
	/* By the holder: who comes now sees it. */
	atomic_fetch_add_explicit(group_of(lock, task), 1, memory_order_seq_cst);
}

/* The calling task holds the mutex: let in those at the front of its queue that wait to read. */
static void let_in_readers(struct mrqd_lock *lock, struct granted *granted)
{
	struct mutex *mutex = &lock->lock.mutex;
	struct waiter *first;
	while ((first = mutex_first(mutex)) && first->use == mrqd_share(lock)) {
		struct task *task = first->task;
		mutex->first = first->next;
		if (!waiter_grant(first))
			continue;
		count_in(lock, task);
		mutex->counters.acquisitions++;
		mutex->counters.contended++;
		/* The task goes on only when it is published, which orders this. */
		atomic_store_explicit(&task->locks.delegated, QD_DONE, memory_order_relaxed);
		granted_add(granted, task);
	}
}

/* The calling task holds the mutex: it reads from here, and those behind it. It goes on here: the next holder has to
 * wait for it. */
static void read_from_here(struct mrqd_lock *lock, struct task *task)
{
	struct mutex *mutex = &lock->lock.mutex;
	struct granted granted = {0};
	count_in(lock, task);
	mrqd_begin(lock, task);
	mutex_leave(mutex, task);
	let_in_readers(lock, &granted);
	struct task *next = mutex_pass(mutex, false);
	extension_end(task);
	if (next)
		ready_publish(next);
	granted_publish(&granted);
}

/* Wait for the mutex; or, with *let_in, until another reader has counted the caller. */
static enum heddle_error await_reading(struct mrqd_lock *lock, struct task *task, uint64_t deadline,
                                       bool *let_in)
{
	struct mutex *mutex = &lock->lock.mutex;
	struct wait_object object = {kind_name, lock, &mutex->owner};
	atomic_store_explicit(&task->locks.delegated, QD_SUSPENDED, memory_order_relaxed);
	enum heddle_error error =
	    waiter_wait(task, mrqd_share(lock), &object, deadline, finalize_mutex_lock, mutex);
	*let_in = error == HEDDLE_OK && qd_is_done(task);
	if (error != HEDDLE_OK || *let_in)
		return error;
	mutex->counters.contended++;
	return mutex_enter(mutex, task);
}

STACK_ENTRY(mrqd_read_lock_until)
enum heddle_error mrqd_read_lock_until(struct mrqd_lock *lock, uint64_t deadline)
{
	struct task *task = task_current();
	bool let_in;
	if (would_wait_for_itself(lock, task))
		return lock_misused("mrqd_read_lock()", kind_name, lock, HEDDLE_RELOCKED);
	if (!reads_reserve(task))
		return HEDDLE_NO_MEMORY;
	if (arrive(lock, task) || arrive_soon(lock, task, deadline))
		return mrqd_begin(lock, task);
	enum heddle_error error = await_reading(lock, task, deadline, &let_in);
	if (let_in)
		return mrqd_begin(lock, task);
	if (error != HEDDLE_OK && error != HEDDLE_OWNER_DIED)
		return error;
	if (qd_has_rest(&lock->lock)) {
		enum heddle_error entered = qd_enter(&lock->lock, false, QD_KEPT, HEDDLE_NO_DEADLINE);
		if (entered != HEDDLE_OK)
			return entered;
	}
	read_from_here(lock, task);
	return error;
}

STACK_ENTRY(mrqd_read_lock)
enum heddle_error mrqd_read_lock(struct mrqd_lock *lock)
{
	return mrqd_read_lock_until(lock, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(mrqd_read_try_lock)
enum heddle_error mrqd_read_try_lock(struct mrqd_lock *lock)
{
	struct task *task = task_current();
	if (would_wait_for_itself(lock, task))
		return HEDDLE_RELOCKED;
	if (!reads_reserve(task))
		return HEDDLE_NO_MEMORY;
	return arrive(lock, task) ? mrqd_begin(lock, task) : HEDDLE_BUSY;
}

STACK_ENTRY(mrqd_read_unlock)
enum heddle_error mrqd_read_unlock(struct mrqd_lock *lock)
{
	struct task *task = task_current();
	if (!reads_remove(task, mrqd_share(lock)))
		return lock_misused("mrqd_read_unlock()", kind_name, lock, HEDDLE_NOT_OWNER);
	extension_end(task);
	mrqd_depart(lock, group_of(lock, task));
	return HEDDLE_OK;
}

void mrqd_release_share(struct task *task, const void *share)
{
	struct mrqd_lock *lock = (struct mrqd_lock *)((uintptr_t)share - 1);
	log_error("task %s (%u) ends while it reads under the mrqd lock at %p; its share is given back",
	          task->name, task->pooled.number, (void *)lock);
	mrqd_depart(lock, group_of(lock, task));
}

/* ----------------------------------------------------------------------------------------------- both -- */

enum heddle_error mrqd_lock_create(struct mrqd_lock *lock, struct qd_slot *slots, size_t count,
                                   uint32_t limit)
{
	enum heddle_error error = qd_lock_create(&lock->lock, slots, count, limit);
	if (error != HEDDLE_OK)
		return error;
	lock->lock.kind = HEDDLE_QD_READERS;
	for (unsigned i = 0; i < HEDDLE_MRQD_GROUPS; i++)
		atomic_store_explicit(&lock->groups[i].readers, 0, memory_order_relaxed);
	return HEDDLE_OK;
}

enum heddle_error mrqd_lock_destroy(struct mrqd_lock *lock)
{
	if (mrqd_is_read(lock))
		return lock_misused("mrqd_lock_destroy()", kind_name, lock, HEDDLE_IN_USE);
	return qd_lock_destroy(&lock->lock);
}
