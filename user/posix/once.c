/*
 * A function that is called once. `pthread_once_t` is the system's, an integer:
 *     NEVER --pthread_once--> RUNS --the function has returned--> DONE
 *                             RUNS --it was cancelled--> NEVER
 */
#include <stdatomic.h>

#include "heddle/condition.h"
#include "user/posix/thread.h"

enum { NEVER = PTHREAD_ONCE_INIT, RUNS, DONE };

typedef _Atomic pthread_once_t once_state;
_Static_assert(sizeof(once_state) == sizeof(pthread_once_t), "it is that integer");

/* One for all: a thread that waits for a running function is woken by the end of any. */
static struct mutex lock;
static struct condition ended = HEDDLE_CONDITION_INITIALIZER;

static void lock_all(void)
{
	while (thread_wait_again(mutex_lock(&lock), "pthread_once()"))
		continue;
}

static void set(once_state *once, int state)
{
	lock_all();
	/* release: what the function did, for pthread_once(). */
	atomic_store_explicit(once, state, memory_order_release);
	condition_notify_all(&ended);
	mutex_unlock(&lock);
}

static void call_again(void *once)
{
	set(once, NEVER);
}

/* Whether the caller must call the function. */
static bool begin(once_state *once)
{
	lock_all();
	while (atomic_load_explicit(once, memory_order_relaxed) == RUNS)
		thread_wait_again(condition_wait(&ended, &lock), "pthread_once()");
	bool is_first = atomic_load_explicit(once, memory_order_relaxed) == NEVER;
	if (is_first)
		atomic_store_explicit(once, RUNS, memory_order_relaxed);
	mutex_unlock(&lock);
	return is_first;
}

int pthread_once(pthread_once_t *public, void (*routine)(void))
{
	once_state *once = (once_state *)public;
	/* acquire: what the function did, from set(). */
	if (atomic_load_explicit(once, memory_order_acquire) == DONE)
		return 0;
	if (!thread_task("pthread_once()")) {
		routine();
		*public = DONE;
	} else if (begin(once)) {
		pthread_cleanup_push(call_again, once);
		routine();
		pthread_cleanup_pop(false);
		set(once, DONE);
	}
	return 0;
}
