/*
 * Other names for what heddle/pthread.h declares, so that tasks and the host's threads can be in one program. Only that
 * header includes this, after the system's headers.
 */
#ifndef HEDDLE_PTHREAD_NAMES_H
#define HEDDLE_PTHREAD_NAMES_H
#pragma GCC system_header

#define pthread_mutex_t       heddle_pthread_mutex_t
#define pthread_mutexattr_t   heddle_pthread_mutexattr_t
#define pthread_cond_t        heddle_pthread_cond_t
#define pthread_condattr_t    heddle_pthread_condattr_t
#define pthread_rwlock_t      heddle_pthread_rwlock_t
#define pthread_rwlockattr_t  heddle_pthread_rwlockattr_t
#define pthread_barrier_t     heddle_pthread_barrier_t
#define pthread_barrierattr_t heddle_pthread_barrierattr_t
#define pthread_spinlock_t    heddle_pthread_spinlock_t
#define pthread_attr_t        heddle_pthread_attr_t
#define sem_t                 heddle_sem_t

#ifdef HEDDLE_STACKS_GROW
#	define pthread_create heddle_pthread_create_growing
#else
#	define pthread_create heddle_pthread_create
#endif
#define pthread_join          heddle_pthread_join
#define pthread_tryjoin_np    heddle_pthread_tryjoin_np
#define pthread_timedjoin_np  heddle_pthread_timedjoin_np
#define pthread_clockjoin_np  heddle_pthread_clockjoin_np
#define pthread_detach        heddle_pthread_detach
#define pthread_exit          heddle_pthread_exit
#define pthread_self          heddle_pthread_self
#define pthread_equal         heddle_pthread_equal
#define pthread_getattr_np    heddle_pthread_getattr_np
#define pthread_setname_np    heddle_pthread_setname_np
#define pthread_getname_np    heddle_pthread_getname_np
#define pthread_kill          heddle_pthread_kill
#define pthread_sigqueue      heddle_pthread_sigqueue
#define pthread_sigmask       heddle_pthread_sigmask
#define pthread_getcpuclockid heddle_pthread_getcpuclockid

#define pthread_getschedparam       heddle_pthread_getschedparam
#define pthread_setschedparam       heddle_pthread_setschedparam
#define pthread_setschedprio        heddle_pthread_setschedprio
#define pthread_getaffinity_np      heddle_pthread_getaffinity_np
#define pthread_setaffinity_np      heddle_pthread_setaffinity_np
#define pthread_attr_getaffinity_np heddle_pthread_attr_getaffinity_np
#define pthread_attr_setaffinity_np heddle_pthread_attr_setaffinity_np
#undef pthread_yield
#define pthread_yield heddle_sched_yield
#define sched_yield   heddle_sched_yield

#define pthread_cancel         heddle_pthread_cancel
#define pthread_testcancel     heddle_pthread_testcancel
#define pthread_setcancelstate heddle_pthread_setcancelstate
#define pthread_setcanceltype  heddle_pthread_setcanceltype

#define pthread_key_create  heddle_pthread_key_create
#define pthread_key_delete  heddle_pthread_key_delete
#define pthread_getspecific heddle_pthread_getspecific
#define pthread_setspecific heddle_pthread_setspecific
#define pthread_once        heddle_pthread_once

#define pthread_attr_init            heddle_pthread_attr_init
#define pthread_attr_destroy         heddle_pthread_attr_destroy
#define pthread_attr_getdetachstate  heddle_pthread_attr_getdetachstate
#define pthread_attr_setdetachstate  heddle_pthread_attr_setdetachstate
#define pthread_attr_getguardsize    heddle_pthread_attr_getguardsize
#define pthread_attr_setguardsize    heddle_pthread_attr_setguardsize
#define pthread_attr_getinheritsched heddle_pthread_attr_getinheritsched
#define pthread_attr_setinheritsched heddle_pthread_attr_setinheritsched
#define pthread_attr_getschedparam   heddle_pthread_attr_getschedparam
#define pthread_attr_setschedparam   heddle_pthread_attr_setschedparam
#define pthread_attr_getschedpolicy  heddle_pthread_attr_getschedpolicy
#define pthread_attr_setschedpolicy  heddle_pthread_attr_setschedpolicy
#define pthread_attr_getscope        heddle_pthread_attr_getscope
#define pthread_attr_setscope        heddle_pthread_attr_setscope
#define pthread_attr_getstack        heddle_pthread_attr_getstack
#define pthread_attr_setstack        heddle_pthread_attr_setstack
#define pthread_attr_getstackaddr    heddle_pthread_attr_getstackaddr
#define pthread_attr_setstackaddr    heddle_pthread_attr_setstackaddr
#define pthread_attr_getstacksize    heddle_pthread_attr_getstacksize
#define pthread_attr_setstacksize    heddle_pthread_attr_setstacksize

#define pthread_mutex_init           heddle_pthread_mutex_init
#define pthread_mutex_destroy        heddle_pthread_mutex_destroy
#define pthread_mutex_lock           heddle_pthread_mutex_lock
#define pthread_mutex_trylock        heddle_pthread_mutex_trylock
#define pthread_mutex_timedlock      heddle_pthread_mutex_timedlock
#define pthread_mutex_clocklock      heddle_pthread_mutex_clocklock
#define pthread_mutex_unlock         heddle_pthread_mutex_unlock
#define pthread_mutex_consistent     heddle_pthread_mutex_consistent
#define pthread_mutex_getprioceiling heddle_pthread_mutex_getprioceiling
#define pthread_mutex_setprioceiling heddle_pthread_mutex_setprioceiling

#define pthread_mutexattr_init           heddle_pthread_mutexattr_init
#define pthread_mutexattr_destroy        heddle_pthread_mutexattr_destroy
#define pthread_mutexattr_gettype        heddle_pthread_mutexattr_gettype
#define pthread_mutexattr_settype        heddle_pthread_mutexattr_settype
#define pthread_mutexattr_getrobust      heddle_pthread_mutexattr_getrobust
#define pthread_mutexattr_setrobust      heddle_pthread_mutexattr_setrobust
#define pthread_mutexattr_getpshared     heddle_pthread_mutexattr_getpshared
#define pthread_mutexattr_setpshared     heddle_pthread_mutexattr_setpshared
#define pthread_mutexattr_getprotocol    heddle_pthread_mutexattr_getprotocol
#define pthread_mutexattr_setprotocol    heddle_pthread_mutexattr_setprotocol
#define pthread_mutexattr_getprioceiling heddle_pthread_mutexattr_getprioceiling
#define pthread_mutexattr_setprioceiling heddle_pthread_mutexattr_setprioceiling

#define pthread_cond_init           heddle_pthread_cond_init
#define pthread_cond_destroy        heddle_pthread_cond_destroy
#define pthread_cond_wait           heddle_pthread_cond_wait
#define pthread_cond_timedwait      heddle_pthread_cond_timedwait
#define pthread_cond_clockwait      heddle_pthread_cond_clockwait
#define pthread_cond_signal         heddle_pthread_cond_signal
#define pthread_cond_broadcast      heddle_pthread_cond_broadcast
#define pthread_condattr_init       heddle_pthread_condattr_init
#define pthread_condattr_destroy    heddle_pthread_condattr_destroy
#define pthread_condattr_getclock   heddle_pthread_condattr_getclock
#define pthread_condattr_setclock   heddle_pthread_condattr_setclock
#define pthread_condattr_getpshared heddle_pthread_condattr_getpshared
#define pthread_condattr_setpshared heddle_pthread_condattr_setpshared

#define pthread_rwlock_init           heddle_pthread_rwlock_init
#define pthread_rwlock_destroy        heddle_pthread_rwlock_destroy
#define pthread_rwlock_rdlock         heddle_pthread_rwlock_rdlock
#define pthread_rwlock_tryrdlock      heddle_pthread_rwlock_tryrdlock
#define pthread_rwlock_timedrdlock    heddle_pthread_rwlock_timedrdlock
#define pthread_rwlock_clockrdlock    heddle_pthread_rwlock_clockrdlock
#define pthread_rwlock_wrlock         heddle_pthread_rwlock_wrlock
#define pthread_rwlock_trywrlock      heddle_pthread_rwlock_trywrlock
#define pthread_rwlock_timedwrlock    heddle_pthread_rwlock_timedwrlock
#define pthread_rwlock_clockwrlock    heddle_pthread_rwlock_clockwrlock
#define pthread_rwlock_unlock         heddle_pthread_rwlock_unlock
#define pthread_rwlockattr_init       heddle_pthread_rwlockattr_init
#define pthread_rwlockattr_destroy    heddle_pthread_rwlockattr_destroy
#define pthread_rwlockattr_getpshared heddle_pthread_rwlockattr_getpshared
#define pthread_rwlockattr_setpshared heddle_pthread_rwlockattr_setpshared
#define pthread_rwlockattr_getkind_np heddle_pthread_rwlockattr_getkind_np
#define pthread_rwlockattr_setkind_np heddle_pthread_rwlockattr_setkind_np

#define pthread_barrier_init           heddle_pthread_barrier_init
#define pthread_barrier_destroy        heddle_pthread_barrier_destroy
#define pthread_barrier_wait           heddle_pthread_barrier_wait
#define pthread_barrierattr_init       heddle_pthread_barrierattr_init
#define pthread_barrierattr_destroy    heddle_pthread_barrierattr_destroy
#define pthread_barrierattr_getpshared heddle_pthread_barrierattr_getpshared
#define pthread_barrierattr_setpshared heddle_pthread_barrierattr_setpshared

#define pthread_spin_init    heddle_pthread_spin_init
#define pthread_spin_destroy heddle_pthread_spin_destroy
#define pthread_spin_lock    heddle_pthread_spin_lock
#define pthread_spin_trylock heddle_pthread_spin_trylock
#define pthread_spin_unlock  heddle_pthread_spin_unlock

#define sem_init      heddle_sem_init
#define sem_destroy   heddle_sem_destroy
#define sem_open      heddle_sem_open
#define sem_close     heddle_sem_close
#define sem_unlink    heddle_sem_unlink
#define sem_wait      heddle_sem_wait
#define sem_trywait   heddle_sem_trywait
#define sem_timedwait heddle_sem_timedwait
#define sem_clockwait heddle_sem_clockwait
#define sem_post      heddle_sem_post
#define sem_getvalue  heddle_sem_getvalue

#endif
