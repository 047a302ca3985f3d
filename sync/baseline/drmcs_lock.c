#include "sync/baseline/drmcs_lock.h"

enum { GRANTED = 1 }; /* answer */

static const char kind[] = "DR-MCS lock";

/* One turn of a wait for others that make progress: look again for a while, then let other tasks run. */
static void pause_or_yield(unsigned *turns)
{
	if (++*turns % ANSWER_SPINS != 0 || processor_current()->uncooperative != 0)
		arch_pause();
	else
		task_yield();
}

/* -------------------------------------------------------------------------------------------- writers -- */

/* Wait for the node behind one that is no longer the newest. */
static struct drmcs_node *await_next(struct drmcs_node *node)
{
	struct drmcs_node *next;
	/* acquire: pairs with the store in queue_enter. */
	for (unsigned turns = 0; !(next = atomic_load_explicit(&node->next, memory_order_acquire));)
		pause_or_yield(&turns);
	return next;
}

/* The queue's first node is the caller's, on its stack: put `holder` in its place. */
static void become_holder(struct drmcs_lock *lock, struct drmcs_node *own)
{
	struct drmcs_node *next = atomic_load_explicit(&own->next, memory_order_acquire), *expected = own;
	atomic_store_explicit(&lock->holder.next, next, memory_order_relaxed);
	/* own -> holder; release: its next is reset. */
	if (next || atomic_compare_exchange_strong_explicit(&lock->newest, &expected, &lock->holder,
	                                                    memory_order_acq_rel, memory_order_relaxed))
		return;
	atomic_store_explicit(&lock->holder.next, await_next(own), memory_order_relaxed);
}

static void queue_enter(struct drmcs_lock *lock)
{
	struct drmcs_node own = {0}, *newest = atomic_load_explicit(&lock->newest, memory_order_relaxed);
	/* NULL -> holder; a node -> own. seq_cst: before the look at the readers, pairs with try_read; acquire:
	 * what the writers before did. */
	while (!atomic_compare_exchange_weak_explicit(&lock->newest, &newest, newest ? &own : &lock->holder,
	                                              memory_order_seq_cst, memory_order_relaxed))
		;
	if (!newest)
		return;
	/* release: the node, pairs with the loads of `next`. */
	atomic_store_explicit(&newest->next, &own, memory_order_release);
	answer_await(&own.answer, kind);
	become_holder(lock, &own);
}

static void queue_leave(struct drmcs_lock *lock)
{
	/* acquire: the node, pairs with the store in queue_enter. */
	struct drmcs_node *next = atomic_load_explicit(&lock->holder.next, memory_order_acquire);
	struct drmcs_node *expected = &lock->holder;
	/* holder -> NULL; release: what this writer did, pairs with queue_enter and try_read. */
	if (!next && atomic_compare_exchange_strong_explicit(&lock->newest, &expected, NULL, memory_order_release,
	                                                     memory_order_relaxed))
		return;
	if (!next)
		next = await_next(&lock->holder);
	answer_give(&next->answer, GRANTED);
}

STACK_ENTRY(drmcs_write_lock)
enum heddle_error drmcs_write_lock(struct drmcs_lock *lock)
{
	unsigned turns = 0;
	quantum_check_cooperative("drmcs_write_lock()");
	while (atomic_load_explicit(&lock->impatient, memory_order_relaxed) != 0)
		pause_or_yield(&turns);
	queue_enter(lock);
	section_begin(task_current());
	for (unsigned i = 0; i < DRMCS_PLACES; i++)
		/* seq_cst: after the CAS in queue_enter; acquire: what the readers saw, pairs with drmcs_depart. */
		while (atomic_load_explicit(&lock->places[i].readers, memory_order_seq_cst) != 0)
			pause_or_yield(&turns);
	return HEDDLE_OK;
}

STACK_ENTRY(drmcs_write_unlock)
enum heddle_error drmcs_write_unlock(struct drmcs_lock *lock)
{
	section_end(task_current());
	queue_leave(lock);
	return HEDDLE_OK;
}

/* -------------------------------------------------------------------------------------------- readers -- */

static _Atomic(uint32_t) *place_of_caller(struct drmcs_lock *lock)
{
	return &lock->places[task_current()->pooled.number % DRMCS_PLACES].readers;
}

static void drmcs_depart(_Atomic(uint32_t) *place)
{
	/* release: what was read, pairs with the look of drmcs_write_lock. */
	atomic_fetch_sub_explicit(place, 1, memory_order_release);
}

static bool has_writer(struct drmcs_lock *lock)
{
	/* seq_cst: after the increment in try_read; acquire: what the writers did, pairs with queue_leave. */
	return atomic_load_explicit(&lock->newest, memory_order_seq_cst) != NULL;
}

static bool try_read(struct drmcs_lock *lock, _Atomic(uint32_t) *place)
{
	/* seq_cst: before the look at the queue, pairs with queue_enter. */
	atomic_fetch_add_explicit(place, 1, memory_order_seq_cst);
	if (!has_writer(lock))
		return true;
	drmcs_depart(place);
	return false;
}

STACK_ENTRY(drmcs_read_lock)
enum heddle_error drmcs_read_lock(struct drmcs_lock *lock)
{
	_Atomic(uint32_t) *place = place_of_caller(lock);
	unsigned turned_away = 0, turns = 0;
	quantum_check_cooperative("drmcs_read_lock()");
	while (!try_read(lock, place)) {
		if (++turned_away == DRMCS_PATIENCE)
			atomic_fetch_add_explicit(&lock->impatient, 1, memory_order_relaxed);
		do
			pause_or_yield(&turns);
		while (has_writer(lock) && turns % ANSWER_SPINS != 0);
	}
	if (turned_away >= DRMCS_PATIENCE)
		atomic_fetch_sub_explicit(&lock->impatient, 1, memory_order_relaxed);
	section_begin(task_current());
	return HEDDLE_OK;
}

enum heddle_error drmcs_read_unlock(struct drmcs_lock *lock)
{
	section_end(task_current());
	drmcs_depart(place_of_caller(lock));
	return HEDDLE_OK;
}
