/*
 * A lock of one's own, in a file outside the tree (writing-a-lock.md): each benchmark of locks takes its name for
 * lock=. Zeroed memory is a free one, and nothing is done when it is not used any more.
 *
 *     struct mine { ... };
 *     static void mine_lock(struct mine *mine) ...
 *     static void mine_unlock(struct mine *mine) ...
 *     HEDDLE_LOCK(mine, struct mine, mine_lock, mine_unlock);
 *
 * HEDDLE_READER_WRITER_LOCK() adds two functions for those that only read. Without them readers exclude each other.
 */
#ifndef SYNC_ADDED_LOCK_H
#define SYNC_ADDED_LOCK_H

#include <stdint.h>

#include "heddle/attributes.h"
#include "kernel/registered.h"

struct lock_kind {
	struct registered registered;
	void (*lock)(void *lock), (*unlock)(void *lock);
	void (*read_lock)(void *lock), (*read_unlock)(void *lock);
};

#define HEDDLE_LOCK(identifier, type, lock, unlock) \
	HEDDLE_READER_WRITER_LOCK(identifier, type, lock, unlock, lock, unlock)
#define HEDDLE_READER_WRITER_LOCK(identifier, type, lock, unlock, read_lock, read_unlock)              \
	_Static_assert(sizeof(type) <= LOCK_SIZE && _Alignof(type) <= _Alignof(uint64_t),                  \
	               "a lock is too large, or asks for too much alignment: let it point to its memory"); \
	LOCK_CALL(lock_##identifier##_lock, type, lock)                                                    \
	LOCK_CALL(lock_##identifier##_unlock, type, unlock)                                                \
	LOCK_CALL(lock_##identifier##_read_lock, type, read_lock)                                          \
	LOCK_CALL(lock_##identifier##_read_unlock, type, read_unlock)                                      \
	static const struct lock_kind lock_##identifier = {{#identifier},                                  \
	                                                   lock_##identifier##_lock,                       \
	                                                   lock_##identifier##_unlock,                     \
	                                                   lock_##identifier##_read_lock,                  \
	                                                   lock_##identifier##_read_unlock};               \
	static const struct registered *const lock_entry_##identifier                                      \
	    __attribute__((used, section("heddle_locks"))) = &lock_##identifier.registered
#define LOCK_CALL(name, type, function) \
	static void name(void *lock)        \
	{                                   \
		function((type *)lock);         \
	}

#define LOCK_SIZE 104 /* bytes that a lock has at most; more may be behind a pointer */

/* One such lock. */
struct added_lock {
	const struct lock_kind *kind;
	size_t place; /* of its kind in heddle_locks() */
	uint64_t memory[LOCK_SIZE / sizeof(uint64_t)];
};

/* A free one of the kind at that place. */
void added_lock_create(struct added_lock *lock, size_t place);

/* They call the lock's function, which has LOCK_STACK bytes of stack. While a task waits in there, reports say that it
 * waits for this lock, whatever the lock waits by. While it holds the lock, a spent quantum is extended. */
HEDDLE_MAY_SWITCH HEDDLE_DEEP void added_lock_lock(struct added_lock *lock);
HEDDLE_MAY_SWITCH HEDDLE_DEEP void added_lock_unlock(struct added_lock *lock);
HEDDLE_MAY_SWITCH HEDDLE_DEEP void added_lock_read_lock(struct added_lock *lock);
HEDDLE_MAY_SWITCH HEDDLE_DEEP void added_lock_read_unlock(struct added_lock *lock);

#define LOCK_STACK 928 /* tools/verify/depth/facts.py has it, too */

#endif
