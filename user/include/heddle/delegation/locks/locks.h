/*
 * Delegation locks for the host's threads, with the interface of the delegation paper's library (section 3), so that
 * programs that were written for that compile unchanged:
 *
 *     gcc -I user/include/heddle/delegation program.c build/hosted/libheddle-delegation.a -pthread
 *
 * A thread that finds the lock held puts its section, a function and a message, into the lock's queue and goes on; the
 * thread that holds the lock, the helper, runs it. The queue is that of heddle/qd_lock.h. A task of Heddle uses that
 * one: here a thread that must wait blocks, with the processor that it runs on.
 *
 * Kinds: QDLock; MRQDLock, with many readers; TATASLock, to compare with: it has no queue, so each thread runs its own
 * sections. OOLock is any of them, as LL_create() makes it.
 *
 * Order: sections run one at a time, in the order in which their delegations took effect, those of one thread in the
 * order in which it delegated them. A thread that has got the lock, to read as well, or whose LL_delegate_wait() has
 * returned, sees all that was delegated before.
 *
 * A section runs in the helper's thread: it must not use variables of the thread that delegated it. It may delegate, to
 * this lock and to others; a section that waits for its own lock, or for what another section of it has to do, waits
 * for ever. Helping is bounded: after LL_HELP_LIMIT sections the helper closes the queue, runs what is left in it, and
 * gives up the lock.
 *
 * A misuse ends the program (abort()) with a sentence: unlocking a lock that the thread does not hold, locking one that
 * it holds, a buffer that was never closed.
 *
 * | operation        | progress                                         | takes effect                       |
 * |------------------|--------------------------------------------------|------------------------------------|
 * | LL_delegate      | lock-free while the queue has room, else blocks  | at its CAS of the queue's tail, or |
 * |                  |                                                  | when it gets the lock              |
 * | LL_delegate_wait | blocks                                           | the same                           |
 * | LL_lock          | blocks; not in order of arrival                  | at its CAS of the word             |
 * | LL_rlock         | wait-free while no thread holds the lock         | at its addition to its group       |
 * | LL_runlock       | wait-free                                        | at its subtraction                 |
 */
#ifndef LOCKS_H
#define LOCKS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of a lock, with its queue in it; sections of others that a helper runs before it closes the queue. */
#define LL_LOCK_SIZE  8192
#define LL_HELP_LIMIT 1024

typedef struct OOLock OOLock;
typedef struct {
	unsigned char room[LL_LOCK_SIZE] __attribute__((aligned(64)));
} QDLock;
typedef struct {
	unsigned char room[LL_LOCK_SIZE] __attribute__((aligned(64)));
} MRQDLock;
typedef struct {
	unsigned char room[LL_LOCK_SIZE] __attribute__((aligned(64)));
} TATASLock;

/* Only the first three of the paper's kinds are here; LL_create() of another ends the program with a sentence. */
typedef enum {
	TATAS_LOCK,
	QD_LOCK,
	MRQD_LOCK,
	PLAIN_TATAS_LOCK,
	PLAIN_QD_LOCK,
	PLAIN_MRQD_LOCK,
	MCS_LOCK,
	DRMCS_LOCK,
	CCSYNCH_LOCK,
	PLAIN_MCS_LOCK,
	PLAIN_DRMCS_LOCK,
	PLAIN_CCSYNCH_LOCK
} LL_lock_type_name;

/* A section: the size of its message in bytes, and the message, where it lies now. */
typedef void (*LL_section)(unsigned int size, void *message);

/* The functions behind the names below. */
void heddle_ll_initialize(OOLock *lock, LL_lock_type_name kind);
void heddle_ll_destroy(OOLock *lock);
void heddle_ll_free(OOLock *lock);
void heddle_ll_lock(OOLock *lock);
bool heddle_ll_try_lock(OOLock *lock);
void heddle_ll_unlock(OOLock *lock);
bool heddle_ll_is_locked(OOLock *lock);
void heddle_ll_rlock(OOLock *lock);
void heddle_ll_runlock(OOLock *lock);
void heddle_ll_delegate(OOLock *lock, LL_section section, unsigned int size, void *message);
void heddle_ll_delegate_wait(OOLock *lock, LL_section section, unsigned int size, void *message);
void *heddle_ll_delegate_or_lock(OOLock *lock, unsigned int size);
void heddle_ll_close_delegate_buffer(OOLock *lock, void *buffer, LL_section section);

/* Make a lock in memory of its own, to be given back by LL_free(). If there is none, the program ends with a
 * sentence. */
void *LL_create(LL_lock_type_name kind);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
static inline OOLock *heddle_ll(OOLock *lock)
{
	return lock;
}

template <class Lock> OOLock *heddle_ll(Lock *lock)
{
	return reinterpret_cast<OOLock *>(lock);
}

static inline LL_lock_type_name heddle_ll_kind(const QDLock *)
{
	return QD_LOCK;
}

static inline LL_lock_type_name heddle_ll_kind(const MRQDLock *)
{
	return MRQD_LOCK;
}

static inline LL_lock_type_name heddle_ll_kind(const TATASLock *)
{
	return TATAS_LOCK;
}
#else
#	define heddle_ll(lock) \
		_Generic((lock), OOLock * : (lock), QDLock * : (lock), MRQDLock * : (lock), TATASLock * : (lock))
#	define heddle_ll_kind(lock) \
		_Generic((lock), QDLock * : QD_LOCK, MRQDLock * : MRQD_LOCK, TATASLock * : TATAS_LOCK)
#endif

/* `lock` is a pointer to one of the types above. Make a lock in its memory; declare that it is not used any more. */
#define LL_initialize(lock) heddle_ll_initialize(HEDDLE_LL(lock), heddle_ll_kind(lock))
#define LL_destroy(lock)    heddle_ll_destroy(HEDDLE_LL(lock))
#define LL_free(lock)       heddle_ll_free(HEDDLE_LL(lock))

/* Hold the lock alone. Others delegate meanwhile; LL_unlock() runs their sections. */
#define LL_lock(lock)     heddle_ll_lock(HEDDLE_LL(lock))
#define LL_try_lock(lock) heddle_ll_try_lock(HEDDLE_LL(lock))
#define LL_unlock(lock)   heddle_ll_unlock(HEDDLE_LL(lock))

/* Whether a thread holds the lock, outdated at once. */
#define LL_is_locked(lock) heddle_ll_is_locked(HEDDLE_LL(lock))

/* Read together with other readers; in a lock of a kind without readers, hold it alone, and nobody delegates. */
#define LL_rlock(lock)   heddle_ll_rlock(HEDDLE_LL(lock))
#define LL_runlock(lock) heddle_ll_runlock(HEDDLE_LL(lock))

/* Run section(size, message) under the lock, in this thread now or in the helper's later. The message is copied. */
#define LL_delegate(lock, section, size, message) heddle_ll_delegate(HEDDLE_LL(lock), section, size, message)

/* The same, but return when it has run. It may write to the message's own memory, which is not copied. */
#define LL_delegate_wait(lock, section, size, message) \
	heddle_ll_delegate_wait(HEDDLE_LL(lock), section, size, message)

/* A buffer in the queue for a message of that size: write it, then LL_close_delegate_buffer(). NULL: the caller has
 * got the lock instead; then LL_delegate_unlock(). */
#define LL_delegate_or_lock(lock, size) heddle_ll_delegate_or_lock(HEDDLE_LL(lock), size)
#define LL_close_delegate_buffer(lock, buffer, section) \
	heddle_ll_close_delegate_buffer(HEDDLE_LL(lock), buffer, section)
#define LL_delegate_unlock(lock) LL_unlock(lock)

#ifdef __cplusplus
#	define HEDDLE_LL(lock) heddle_ll(lock)
#else
#	define HEDDLE_LL(lock) ((OOLock *)heddle_ll(lock))
#endif

#endif
