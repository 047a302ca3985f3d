/*
 * The types of heddle/pthread.h: memory of the right size. An object begins zeroed, except for the kind of a mutex. The
 * rest is private to the library (user/posix/).
 */
#ifndef HEDDLE_PTHREAD_TYPES_H
#define HEDDLE_PTHREAD_TYPES_H
#pragma GCC system_header

#define HEDDLE_PTHREAD_STATE(words) unsigned long heddle_state[words]

typedef struct {
	int heddle_kind;
	HEDDLE_PTHREAD_STATE(28);
} heddle_pthread_mutex_t, heddle_pthread_spinlock_t;

typedef struct {
	HEDDLE_PTHREAD_STATE(8);
} heddle_pthread_cond_t;

typedef struct {
	HEDDLE_PTHREAD_STATE(28);
} heddle_pthread_rwlock_t;

typedef struct {
	HEDDLE_PTHREAD_STATE(8);
} heddle_pthread_barrier_t;

typedef struct {
	HEDDLE_PTHREAD_STATE(18);
} heddle_sem_t;

typedef struct {
	unsigned heddle_made;
	int heddle_detached, heddle_inherits, heddle_policy, heddle_priority;
	unsigned long heddle_stack, heddle_guard;
	void *heddle_stack_memory;
} heddle_pthread_attr_t;

typedef struct {
	unsigned heddle_made;
	int heddle_kind, heddle_robust;
} heddle_pthread_mutexattr_t;

typedef struct {
	unsigned heddle_made;
	__clockid_t heddle_clock;
} heddle_pthread_condattr_t;

typedef struct {
	unsigned heddle_made;
	int heddle_kind;
} heddle_pthread_rwlockattr_t, heddle_pthread_barrierattr_t;

#undef PTHREAD_MUTEX_INITIALIZER
#undef PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP
#undef PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP
#undef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
#undef PTHREAD_COND_INITIALIZER
#undef PTHREAD_RWLOCK_INITIALIZER
#undef PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP
#define HEDDLE_PTHREAD_MUTEX(kind) \
	{                              \
		(kind),                    \
		{                          \
			0                      \
		}                          \
	}
#define HEDDLE_PTHREAD_ZEROED \
	{                         \
		{                     \
			0                 \
		}                     \
	}
#define PTHREAD_MUTEX_INITIALIZER                         HEDDLE_PTHREAD_MUTEX(0)
#define PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP            HEDDLE_PTHREAD_MUTEX(1)
#define PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP           HEDDLE_PTHREAD_MUTEX(2)
#define PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP             HEDDLE_PTHREAD_MUTEX(0)
#define PTHREAD_COND_INITIALIZER                          HEDDLE_PTHREAD_ZEROED
#define PTHREAD_RWLOCK_INITIALIZER                        HEDDLE_PTHREAD_ZEROED
#define PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP HEDDLE_PTHREAD_ZEROED

#undef SEM_FAILED
#define SEM_FAILED ((heddle_sem_t *)0)

#endif
