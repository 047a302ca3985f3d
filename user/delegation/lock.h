/*
 * Delegation locks of the host's threads (heddle/delegation/locks/locks.h is their interface). The queue is that of the
 * locks of tasks (sync/delegation/queue.h); but threads wait by a futex.
 *
 * The word says whether a thread holds the lock. The holder opens the queue, and closes it before it gives the lock up:
 * when the queue is empty, or, after LL_HELP_LIMIT sections, with a rest that it runs itself. So the word is never FREE
 * while the queue is open or has a rest:
 *
 *     FREE --CAS--> HELD --by the holder: exchange--> FREE
 *     HELD --a thread that will sleep: exchange--> WAITED --by the holder: exchange, and one is woken--> FREE
 *     FREE --a thread that has slept: exchange--> WAITED (others may sleep still)
 *
 * Readers add themselves to their group, then look at the word; the holder has the word, then looks at the groups. One
 * of them sees the other, and it is the reader that steps back. `readers_awaited`, on which the holder sleeps:
 *
 *     0 --holder, before it looks at the groups--> 1 --a reader that leaves, which wakes it--> 0
 *
 * A slot that is QD_AWAITED is itself the futex on which the holder sleeps (queue.h).
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

enum { LL_FREE, LL_HELD, LL_WAITED }; /* of the word */

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
	_Alignas(64) _Atomic uint32_t word;
	LL_lock_type_name kind;
	bool created; /* by LL_create() */
	/* The holder's: */
	_Atomic(const void *) holder; /* its thread; NULL: none */
	uint64_t help;                /* sections run since it got the lock */
	struct ll_nested *nested, *nested_last;
	_Alignas(64) _Atomic uint32_t readers_awaited;
	struct ll_group groups[LL_GROUPS];
	struct qd_slot slots[LL_SLOTS];
};

_Static_assert(sizeof(struct OOLock) <= LL_LOCK_SIZE, "a lock has room in each of the public types");

/* Say what is wrong with the lock, and end the program. */
_Noreturn void ll_misused(const OOLock *lock, const char *sentence);

/* ----- Waiting (wait.c) ----- */

/* Sleep while the word has that value; wake one thread that does. May return at any time. */
void ll_sleep(const volatile void *word, uint32_t value);
void ll_wake(const volatile void *word);

/* Look again for a moment before sleeping; false: that was long enough. */
bool ll_spin(unsigned *turns);

/* ----- The word (holder.c) ----- */

/* Whether the calling thread holds the lock. */
bool ll_is_holder(const OOLock *lock);

/* Record that the thread has opened a buffer of that lock, or with NULL that it has closed the buffer: it must not wait
 * for itself to close it. */
void ll_set_buffer_of(OOLock *lock);

/* Get the lock, and open the queue. */
bool ll_try_hold(OOLock *lock);
void ll_hold(OOLock *lock);

/* Run what was delegated, and give the lock up. */
void ll_leave(OOLock *lock);

/* A place for a section of the holder's own, behind all others. */
struct qd_slot *ll_take_inside(OOLock *lock, unsigned size);

/* ----- Readers (readers.c) ----- */

bool ll_is_read(OOLock *lock);

/* For the holder: wait until no thread reads. */
void ll_await_readers(OOLock *lock);

#endif
