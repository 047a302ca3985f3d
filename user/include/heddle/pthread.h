/*
 * The names of POSIX threads for tasks. A program that includes this header compiles unchanged: its threads are tasks,
 * its mutexes Heddle's. Put the folder heddle/posix/ in front of the system's headers, and it need not even include it
 * (user/posix/README.md). Only in a Linux process; all of the program is compiled with the plugin.
 *
 * The system's header comes first, for its constants; then types and functions get names of their own. So the C and
 * C++ libraries go on with the host's threads, and code that passes a mutex to one of them does not compile.
 *
 * What POSIX leaves open is decided as follows:
 *   - Priorities are Heddle's levels (heddle/task.h), set by the thread itself or when it is made. Waiting threads are
 *     served in the order in which they came, whatever their priority.
 *   - Nothing is shared with other processes: PTHREAD_PROCESS_SHARED is ENOTSUP, a shared semaphore ENOSYS.
 *   - No mutex raises a priority: PTHREAD_PRIO_INHERIT and PTHREAD_PRIO_PROTECT are ENOTSUP.
 *   - Cancellation is acted upon in the waits here and in sleep(), usleep(), nanosleep() and clock_nanosleep(), and not
 *     in read() and its like; where it is asynchronous, in all functions that change how a thread is cancelled, too.
 *   - Cancellation and pthread_exit() run the handlers and the destructors of keys, and no destructors of C++ objects.
 *   - A stack has 1 MiB if nothing is said, that of main() what `ulimit -s` says.
 *   - A recursive pthread_rwlock_rdlock() always succeeds; all other locking waits behind the threads that came before.
 *   - A signal that a thread sends itself is handled in the thread, and siglongjmp() may leave the handler. Any other
 *     goes to the process, even if pthread_kill() sends it: a thread of the host runs the handler, which may call
 *     sem_post() and pthread_cond_signal() of this header. A signal ends no wait.
 */
#ifndef HEDDLE_PTHREAD_H
#define HEDDLE_PTHREAD_H
#pragma GCC system_header

#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <sys/types.h>
#include <time.h>
#ifdef __cplusplus /* what the C++ library makes of the host's threads, before they have other names here */
extern "C++" {
#	include <string>
#	if __cplusplus >= 201103L
#		include <condition_variable>
#		include <future>
#		include <mutex>
#		include <thread>
#	endif
#	if __cplusplus >= 201402L
#		include <shared_mutex>
#	endif
#	if __cplusplus >= 202002L
#		include <barrier>
#		include <latch>
#		include <semaphore>
#	endif
}
#endif

#include "heddle/pthread_types.h"
#include "heddle/pthread_names.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------- threads -- */

/* The latter makes threads whose stacks grow (HEDDLE_STACKS_GROW). */
int heddle_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                          void *argument);
int heddle_pthread_create_growing(pthread_t *thread, const pthread_attr_t *attributes, void *(*start)(void *),
                                  void *argument);
int pthread_join(pthread_t thread, void **result);
int pthread_tryjoin_np(pthread_t thread, void **result);
int pthread_timedjoin_np(pthread_t thread, void **result, const struct timespec *time);
int pthread_clockjoin_np(pthread_t thread, void **result, __clockid_t clock, const struct timespec *time);
int pthread_detach(pthread_t thread);
void pthread_exit(void *result) __attribute__((noreturn));
pthread_t pthread_self(void);
int pthread_equal(pthread_t one, pthread_t other);
/* ENOTSUP: its stack grows, and moves. */
int pthread_getattr_np(pthread_t thread, pthread_attr_t *attributes);
int pthread_setname_np(pthread_t thread, const char *name);
int pthread_getname_np(pthread_t thread, char *name, size_t size);
int pthread_kill(pthread_t thread, int number);
#ifdef __USE_POSIX199506
int pthread_sigmask(int how, const sigset_t *set, sigset_t *old);
#endif
#ifdef __USE_POSIX199309
int pthread_sigqueue(pthread_t thread, int number, const union sigval value);
#endif
int pthread_getcpuclockid(pthread_t thread, __clockid_t *clock); /* ENOENT: a task has none */

int pthread_getschedparam(pthread_t thread, int *policy, struct sched_param *parameter);
int pthread_setschedparam(pthread_t thread, int policy, const struct sched_param *parameter);
int pthread_setschedprio(pthread_t thread, int priority);
#ifdef CPU_SETSIZE
int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set);
int pthread_setaffinity_np(pthread_t thread, size_t size, const cpu_set_t *set); /* ENOTSUP */
int pthread_attr_getaffinity_np(const pthread_attr_t *attributes, size_t size, cpu_set_t *set);
int pthread_attr_setaffinity_np(pthread_attr_t *attributes, size_t size, const cpu_set_t *set); /* ENOTSUP */
#endif
int sched_yield(void);

int pthread_attr_init(pthread_attr_t *attributes);
int pthread_attr_destroy(pthread_attr_t *attributes);
int pthread_attr_getdetachstate(const pthread_attr_t *attributes, int *state);
int pthread_attr_setdetachstate(pthread_attr_t *attributes, int state);
int pthread_attr_getguardsize(const pthread_attr_t *attributes, size_t *size);
int pthread_attr_setguardsize(pthread_attr_t *attributes, size_t size);
int pthread_attr_getinheritsched(const pthread_attr_t *attributes, int *inherit);
int pthread_attr_setinheritsched(pthread_attr_t *attributes, int inherit);
int pthread_attr_getschedparam(const pthread_attr_t *attributes, struct sched_param *parameter);
int pthread_attr_setschedparam(pthread_attr_t *attributes, const struct sched_param *parameter);
int pthread_attr_getschedpolicy(const pthread_attr_t *attributes, int *policy);
int pthread_attr_setschedpolicy(pthread_attr_t *attributes, int policy);
int pthread_attr_getscope(const pthread_attr_t *attributes, int *scope);
int pthread_attr_setscope(pthread_attr_t *attributes, int scope);
int pthread_attr_getstack(const pthread_attr_t *attributes, void **stack, size_t *size);
int pthread_attr_setstack(pthread_attr_t *attributes, void *stack, size_t size);
int pthread_attr_getstackaddr(const pthread_attr_t *attributes, void **stack);
int pthread_attr_setstackaddr(pthread_attr_t *attributes, void *stack); /* its end, as on Linux */
int pthread_attr_getstacksize(const pthread_attr_t *attributes, size_t *size);
int pthread_attr_setstacksize(pthread_attr_t *attributes, size_t size);

/* ----------------------------------------------------------------------------------------- cancellation -- */

int pthread_cancel(pthread_t thread);
void pthread_testcancel(void);
int pthread_setcancelstate(int state, int *old);
int pthread_setcanceltype(int type, int *old);

struct heddle_cleanup {
	void (*routine)(void *);
	void *argument;
	struct heddle_cleanup *next;
};
void heddle_cleanup_push(struct heddle_cleanup *cleanup);
void heddle_cleanup_pop(struct heddle_cleanup *cleanup, int execute);

#undef pthread_cleanup_push
#undef pthread_cleanup_pop
#undef pthread_cleanup_push_defer_np
#undef pthread_cleanup_pop_restore_np
#ifdef __cplusplus
}
/* An exception runs the handler as well. */
extern "C++" class heddle_cleanup_scope
{
  public:
	heddle_cleanup_scope(void (*routine)(void *), void *argument)
	{
		cleanup_.routine = routine;
		cleanup_.argument = argument;
		heddle_cleanup_push(&cleanup_);
	}
	~heddle_cleanup_scope()
	{
		heddle_cleanup_pop(&cleanup_, execute_);
	}
	void end(int execute)
	{
		execute_ = execute;
	}

  private:
	heddle_cleanup cleanup_;
	int execute_ = 1;
};
extern "C" {
#	define pthread_cleanup_push(routine, argument) \
		do {                                        \
			heddle_cleanup_scope heddle_scope((routine), (argument));
#	define pthread_cleanup_pop(execute) \
		heddle_scope.end(execute);       \
		}                                \
		while (0)
#else
#	define pthread_cleanup_push(to_call, with)                                    \
		do {                                                                       \
			struct heddle_cleanup heddle_cleanup_here = {(to_call), (with), NULL}; \
			heddle_cleanup_push(&heddle_cleanup_here);
#	define pthread_cleanup_pop(execute)                     \
		heddle_cleanup_pop(&heddle_cleanup_here, (execute)); \
		}                                                    \
		while (0)
#endif

/* ---------------------------------------------------------------------------------------- keys and once -- */

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *));
int pthread_key_delete(pthread_key_t key);
void *pthread_getspecific(pthread_key_t key);
int pthread_setspecific(pthread_key_t key, const void *value);
int pthread_once(pthread_once_t *once, void (*routine)(void));

/* ---------------------------------------------------------------------------------------------- mutexes -- */

int pthread_mutex_init(pthread_mutex_t *mutex, const pthread_mutexattr_t *attributes);
int pthread_mutex_destroy(pthread_mutex_t *mutex);
int pthread_mutex_lock(pthread_mutex_t *mutex);
int pthread_mutex_trylock(pthread_mutex_t *mutex);
int pthread_mutex_timedlock(pthread_mutex_t *mutex, const struct timespec *time);
int pthread_mutex_clocklock(pthread_mutex_t *mutex, __clockid_t clock, const struct timespec *time);
/* EPERM: the caller does not hold it, of whatever kind it is. */
int pthread_mutex_unlock(pthread_mutex_t *mutex);
int pthread_mutex_consistent(pthread_mutex_t *mutex);
int pthread_mutex_getprioceiling(const pthread_mutex_t *mutex, int *ceiling);    /* EINVAL */
int pthread_mutex_setprioceiling(pthread_mutex_t *mutex, int ceiling, int *old); /* EINVAL */
int pthread_mutexattr_init(pthread_mutexattr_t *attributes);
int pthread_mutexattr_destroy(pthread_mutexattr_t *attributes);
int pthread_mutexattr_gettype(const pthread_mutexattr_t *attributes, int *kind);
int pthread_mutexattr_settype(pthread_mutexattr_t *attributes, int kind);
int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attributes, int *robust);
int pthread_mutexattr_setrobust(pthread_mutexattr_t *attributes, int robust);
int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attributes, int *shared);
int pthread_mutexattr_setpshared(pthread_mutexattr_t *attributes, int shared);
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attributes, int *protocol);
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *attributes, int protocol);
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *attributes, int *ceiling); /* ENOTSUP */
int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attributes, int ceiling);        /* ENOTSUP */

/* ------------------------------------------------------------------------------------------- conditions -- */

int pthread_cond_init(pthread_cond_t *condition, const pthread_condattr_t *attributes);
int pthread_cond_destroy(pthread_cond_t *condition);
int pthread_cond_wait(pthread_cond_t *condition, pthread_mutex_t *mutex);
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *time);
int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex, __clockid_t clock,
                           const struct timespec *time);
int pthread_cond_signal(pthread_cond_t *condition);
int pthread_cond_broadcast(pthread_cond_t *condition);
int pthread_condattr_init(pthread_condattr_t *attributes);
int pthread_condattr_destroy(pthread_condattr_t *attributes);
int pthread_condattr_getclock(const pthread_condattr_t *attributes, __clockid_t *clock);
int pthread_condattr_setclock(pthread_condattr_t *attributes, __clockid_t clock);
int pthread_condattr_getpshared(const pthread_condattr_t *attributes, int *shared);
int pthread_condattr_setpshared(pthread_condattr_t *attributes, int shared);

/* ---------------------------------------------------------------------------------- reader-writer locks -- */

int pthread_rwlock_init(pthread_rwlock_t *lock, const pthread_rwlockattr_t *attributes);
int pthread_rwlock_destroy(pthread_rwlock_t *lock);
int pthread_rwlock_rdlock(pthread_rwlock_t *lock);
int pthread_rwlock_tryrdlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedrdlock(pthread_rwlock_t *lock, const struct timespec *time);
int pthread_rwlock_clockrdlock(pthread_rwlock_t *lock, __clockid_t clock, const struct timespec *time);
int pthread_rwlock_wrlock(pthread_rwlock_t *lock);
int pthread_rwlock_trywrlock(pthread_rwlock_t *lock);
int pthread_rwlock_timedwrlock(pthread_rwlock_t *lock, const struct timespec *time);
int pthread_rwlock_clockwrlock(pthread_rwlock_t *lock, __clockid_t clock, const struct timespec *time);
int pthread_rwlock_unlock(pthread_rwlock_t *lock);
int pthread_rwlockattr_init(pthread_rwlockattr_t *attributes);
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *attributes);
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attributes, int *shared);
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *attributes, int shared);
int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attributes, int *kind);
int pthread_rwlockattr_setkind_np(pthread_rwlockattr_t *attributes, int kind);

/* --------------------------------------------------------------------------- barriers, locks that spin -- */

int pthread_barrier_init(pthread_barrier_t *barrier, const pthread_barrierattr_t *attributes,
                         unsigned parties);
int pthread_barrier_destroy(pthread_barrier_t *barrier);
int pthread_barrier_wait(pthread_barrier_t *barrier);
int pthread_barrierattr_init(pthread_barrierattr_t *attributes);
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes);
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attributes, int *shared);
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared);

/* These are mutexes: nothing spins. */
int pthread_spin_init(pthread_spinlock_t *lock, int shared);
int pthread_spin_destroy(pthread_spinlock_t *lock);
int pthread_spin_lock(pthread_spinlock_t *lock);
int pthread_spin_trylock(pthread_spinlock_t *lock);
int pthread_spin_unlock(pthread_spinlock_t *lock);

/* ------------------------------------------------------------------------------------------- semaphores -- */

/* Named ones are the process's own as well. */
int sem_init(sem_t *semaphore, int shared, unsigned value);
int sem_destroy(sem_t *semaphore);
sem_t *sem_open(const char *name, int flags, ...);
int sem_close(sem_t *semaphore);
int sem_unlink(const char *name);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *time);
int sem_clockwait(sem_t *semaphore, __clockid_t clock, const struct timespec *time);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);

#ifdef __cplusplus
}
#endif

#endif
