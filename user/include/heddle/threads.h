/*
 * The names of C11's threads for tasks (ISO/IEC 9899:2011, 7.26), as heddle/pthread.h has those of POSIX: behind the
 * system's header come types and functions with names of their own. All that is said there holds here.
 *
 * `thread_local` is the compiler's, and so a variable of the host's thread, not of the task: use tss_t.
 */
#ifndef HEDDLE_THREADS_H
#define HEDDLE_THREADS_H
#pragma GCC system_header

#include <threads.h>

#include "heddle/pthread.h"

typedef pthread_mutex_t heddle_mtx_t;
typedef pthread_cond_t heddle_cnd_t;

#define mtx_t heddle_mtx_t
#define cnd_t heddle_cnd_t

#ifdef HEDDLE_STACKS_GROW
#	define thrd_create heddle_thrd_create_growing
#else
#	define thrd_create heddle_thrd_create
#endif
#define thrd_current  heddle_thrd_current
#define thrd_detach   heddle_thrd_detach
#define thrd_equal    heddle_thrd_equal
#define thrd_exit     heddle_thrd_exit
#define thrd_join     heddle_thrd_join
#define thrd_sleep    heddle_thrd_sleep
#define thrd_yield    heddle_thrd_yield
#define mtx_init      heddle_mtx_init
#define mtx_destroy   heddle_mtx_destroy
#define mtx_lock      heddle_mtx_lock
#define mtx_timedlock heddle_mtx_timedlock
#define mtx_trylock   heddle_mtx_trylock
#define mtx_unlock    heddle_mtx_unlock
#define cnd_init      heddle_cnd_init
#define cnd_destroy   heddle_cnd_destroy
#define cnd_broadcast heddle_cnd_broadcast
#define cnd_signal    heddle_cnd_signal
#define cnd_timedwait heddle_cnd_timedwait
#define cnd_wait      heddle_cnd_wait
#define tss_create    heddle_tss_create
#define tss_delete    heddle_tss_delete
#define tss_get       heddle_tss_get
#define tss_set       heddle_tss_set
#define call_once     heddle_call_once

#ifdef __cplusplus
extern "C" {
#endif

int heddle_thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
int heddle_thrd_create_growing(thrd_t *thread, thrd_start_t start, void *argument);
thrd_t thrd_current(void);
int thrd_detach(thrd_t thread);
int thrd_equal(thrd_t one, thrd_t other);
void thrd_exit(int result) __attribute__((noreturn));
int thrd_join(thrd_t thread, int *result);
int thrd_sleep(const struct timespec *time, struct timespec *rest);
void thrd_yield(void);

int mtx_init(mtx_t *mutex, int kind);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *time);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);

int cnd_init(cnd_t *condition);
void cnd_destroy(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
int cnd_signal(cnd_t *condition);
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time);
int cnd_wait(cnd_t *condition, mtx_t *mutex);

int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
void *tss_get(tss_t key);
int tss_set(tss_t key, void *value);

void call_once(once_flag *once, void (*routine)(void));

#ifdef __cplusplus
}
#endif

#endif
