/*
 * Delegation locks of the host's threads (heddle/delegation/locks/locks.h is their interface). The queue is that of the
 * locks of tasks (sync/delegation/queue.h); but threads wait by a futex.
 *
 * The word says which thread holds the lock. The holder opens the queue, and closes it before it gives the lock up:
 * when the queue is empty, or, after LL_HELP_LIMIT sections, with a rest that it runs itself. So the word is never FREE
 * while the queue is open or has a rest:
 *
 *     FREE --CAS--> the name of a thread --by that thread: store--> FREE
 *
 * Readers add themselves to their group, then look at the word; the holder has the word, then looks at the groups. One
 * of them sees the other, and it is the reader that steps back.
 *
 * A thread that waits yields for a while, then sleeps on the word that it waits for: the lock's, a
 * group's, that of a slot (QD_AWAITED, queue.h), or its own in LL_delegate_wait(). Whoever changes such a word looks
 * afterwards, by a plain load, whether a thread sleeps on it: so where none does, that costs no locked operation and no
 * system call.
 *
 *     sleeper:  counts itself in the word's bed;  membarrier();      has Linux compare the word, and sleeps
 *     waker:    changes the word;                 no reordering by the compiler;        looks at the word's bed
 *
 * At some moment of membarrier() each thread that runs has all its stores in memory. Either the change is among them,
 * so it is seen by the comparison, or the waker looks at the bed after that moment, and sees the sleeper. The beds are
 * not part of the lock: it may be free, and its memory gone, once its word is changed.
 */
#ifndef USER_DELEGATION_LOCK_H
#define USER_DELEGATION_LOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heddle/delegation/locks/locks.h"
#include "sync/delegation/queue.h"

#define LL_SLOTS  64
#define LL_GROUPS 16

#define LL_FREE 0 /* the word of a lock that no thread holds */

/* A section that the holder delegates to its own lock while the queue is full. */
struct ll_nested {
	struct ll_nested *next;
	uint64_t position;   /* the queue's tail then: what is before that comes first */
	struct qd_slot slot; /* and the rest of the message behind it */
};

struct ll_group {
	_Alignas(64) _Atomic uint32_t readers;
};

struct OOLock {
	struct qd_lock queue; /* its mutex is not used; first: qd_await() knows it by this address */
	_Alignas(64) LL_lock_type_name kind;
	bool created; /* by LL_create() */
	_Alignas(64) _Atomic uintptr_t word;
	/* The holder's, apart from the word, which others read; what changes with each section is in `queue`: */
	_Alignas(64) _Atomic uintptr_t locked; /* its name, if it is to unlock the lock itself; else LL_FREE */
	struct ll_nested *nested, *nested_last;
	struct ll_group groups[LL_GROUPS];
	struct qd_slot slots[LL_SLOTS];
};

_Static_assert(sizeof(struct OOLock) <= LL_LOCK_SIZE, "a lock has room in each of the public types");

/* Say what is wrong with the lock, and end the program. */
_Noreturn void ll_misused(const OOLock *lock, const char *sentence);

/* ----- Waiting (wait.c) ----- */

/* Yield before the caller looks again; false: it has done so often enough, and may sleep. */
bool ll_yield(unsigned *turns);

/* Sleep while the word has that value. May return at any time. */
void ll_sleep(const volatile void *word, uint32_t value);

/* Wake one thread that sleeps on the word. */
void ll_wake(const volatile void *word);

/* How many threads sleep on the words of one bed. */
#define LL_BEDS 64
struct ll_bed {
	_Alignas(64) _Atomic uint32_t sleepers;
};
extern struct ll_bed ll_beds[LL_BEDS];

static inline struct ll_bed *ll_bed_of(const volatile void *word)
{
	return &ll_beds[((uintptr_t)word >> 6 ^ (uintptr_t)word >> 12) % LL_BEDS];
}

/* The word was just changed: wake one thread that sleeps on it, if any does. */
static inline void ll_changed(const volatile void *word)
{
	/* The compiler must not take the look before the change; the processor may: pairs with membarrier() in ll_sleep. */
	atomic_signal_fence(memory_order_seq_cst);
	if (__builtin_expect(atomic_load_explicit(&ll_bed_of(word)->sleepers, memory_order_relaxed), 0))
		ll_wake(word);
}

/* The message is written. After this nothing of the lock or the slot may be touched. Wait-free; takes effect at its
 * store. */
static inline void ll_publish(struct qd_slot *slot, uintptr_t value)
{
	/* EMPTY, AWAITED -> value; release: the message, pairs with qd_await and qd_ready. */
	atomic_store_explicit(&slot->section, value, memory_order_release);
	ll_changed(&slot->section);
}

/* ----- Readers (readers.c) ----- */

bool ll_is_read(OOLock *lock);

/* For the holder: wait until no thread reads. */
void ll_await_readers(OOLock *lock);

/* ----- The word (holder.c) ----- */

extern _Thread_local char ll_this_thread;

/* A thread's name is the address of its variable, and odd: so its low half, on which others sleep, is not that of
 * LL_FREE. */
static inline uintptr_t ll_own_name(void)
{
	return (uintptr_t)&ll_this_thread | 1;
}

/* Whether the calling thread holds the lock. */
static inline bool ll_is_holder(const OOLock *lock)
{
	/* relaxed: it is this thread's name only where this thread has written it. */
	return atomic_load_explicit(&lock->word, memory_order_relaxed) == ll_own_name();
}

/* Record that the thread has opened a buffer of that lock, or with NULL that it has closed the buffer: it must not wait
 * for itself to close it. */
void ll_set_buffer_of(OOLock *lock);

/* FREE -> the thread's name */
static inline bool ll_take(OOLock *lock)
{
	uintptr_t word = LL_FREE;
	/* seq_cst: before the groups are looked at, pairs with arrive() of readers; acquire: what the last holder did. */
	return atomic_load_explicit(&lock->word, memory_order_relaxed) == LL_FREE &&
	       atomic_compare_exchange_strong_explicit(&lock->word, &word, ll_own_name(), memory_order_seq_cst,
	                                               memory_order_relaxed);
}

/* The thread has taken the word: let others delegate. */
static inline void ll_begin(OOLock *lock)
{
	if (lock->kind == TATAS_LOCK)
		return;
	lock->queue.help = 0;
	qd_open(&lock->queue);
}

static inline void ll_release(OOLock *lock)
{
	/* its name -> FREE; release: what was done under it, pairs with ll_take(). */
	atomic_store_explicit(&lock->word, LL_FREE, memory_order_release);
	ll_changed(&lock->word);
}

/* Get the lock, if nobody has it or reads. */
static inline bool ll_try_hold(OOLock *lock)
{
	if (!ll_take(lock))
		return false;
	if (__builtin_expect(lock->kind == MRQD_LOCK, 0) && ll_is_read(lock)) {
		ll_release(lock);
		return false;
	}
	ll_begin(lock);
	return true;
}

/* The same, waiting. */
void ll_hold(OOLock *lock);

/* Take the word, waiting, and leave the queue closed. */
void ll_wait(OOLock *lock);

static inline void ll_set_locked(OOLock *lock, uintptr_t name)
{
	atomic_store_explicit(&lock->locked, name, memory_order_relaxed);
}

/* The calling thread unlocks. The word would tell as well, but it was just changed, and a processor waits for that. */
static inline void ll_end_locked(OOLock *lock)
{
	if (atomic_load_explicit(&lock->locked, memory_order_relaxed) != ll_own_name())
		ll_misused(lock, "a thread unlocks what it does not hold");
	ll_set_locked(lock, LL_FREE);
}

/* Whether nothing is queued, and nothing will be. */
static inline bool ll_close_empty(OOLock *lock)
{
	return !lock->nested && (lock->kind == TATAS_LOCK || qd_close_empty(&lock->queue));
}

/* Run what was delegated. After that the queue is closed. */
void ll_help(OOLock *lock);

/* Run what was delegated, and give the lock up. */
static inline void ll_leave(OOLock *lock)
{
	/* A look at the tail, which delegators write, only where the slots tell nothing. */
	if (!ll_close_empty(lock))
		ll_help(lock);
	ll_release(lock);
}

/* A place for a section of the holder's own, behind all others. */
struct qd_slot *ll_take_inside(OOLock *lock, unsigned size);

#endif
