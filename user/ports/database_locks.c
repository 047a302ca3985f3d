#include "user/ports/database_locks.h"

#include "heddle/mutex.h"
#include "kernel/panic.h"
#include "sqlite3.h"
#include "stdlib.h"

#define SHARED_MAXIMUM 16

/* SQLite asks for some mutexes that one task may lock more than once. */
struct sqlite3_mutex {
	struct mutex mutex;
	unsigned depth; /* the holder's */
};

static int begin(void)
{
	return SQLITE_OK;
}

/* Mutexes for a special purpose are numbered; all others are new ones. */
static sqlite3_mutex *allocate(int kind)
{
	static struct sqlite3_mutex shared[SHARED_MAXIMUM];
	if (kind == SQLITE_MUTEX_FAST || kind == SQLITE_MUTEX_RECURSIVE)
		return calloc(1, sizeof(struct sqlite3_mutex));
	return kind < SHARED_MAXIMUM ? &shared[kind] : NULL;
}

/* Only new ones are freed. */
static void release(sqlite3_mutex *mutex)
{
	mutex_destroy(&mutex->mutex);
	free(mutex);
}

static void enter(sqlite3_mutex *mutex)
{
	/* HEDDLE_RELOCKED: the task has it already. */
	if (mutex_lock(&mutex->mutex) == HEDDLE_NO_MEMORY)
		panic("no memory to wait for SQLite's lock at %p, and SQLite cannot be told", (void *)mutex);
	mutex->depth++;
}

static int try_enter(sqlite3_mutex *mutex)
{
	enum heddle_error error = mutex_try_lock(&mutex->mutex);
	if (error != HEDDLE_OK && error != HEDDLE_RELOCKED)
		return SQLITE_BUSY;
	mutex->depth++;
	return SQLITE_OK;
}

static void leave(sqlite3_mutex *mutex)
{
	if (--mutex->depth == 0)
		mutex_unlock(&mutex->mutex);
}

bool database_use_locks(void)
{
	static const sqlite3_mutex_methods methods = {.xMutexInit = begin,
	                                              .xMutexEnd = begin,
	                                              .xMutexAlloc = allocate,
	                                              .xMutexFree = release,
	                                              .xMutexEnter = enter,
	                                              .xMutexTry = try_enter,
	                                              .xMutexLeave = leave};
	return sqlite3_config(SQLITE_CONFIG_MUTEX, &methods) == SQLITE_OK;
}
