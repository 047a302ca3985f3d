/*
 * The task, as the scheduler sees it; user code sees heddle/task.h. Access to its fields:
 *   - what the running task is and has: only the task itself, or the finalizer that publishes it after it was left;
 *   - `join`, and the word and the requests of `wait`: any processor, by the operations that their diagrams show, here
 *     and in wait.h;
 *   - what the task waits for: written by the task, read by reports while it waits.
 *
 * `join`, the handshake of end and join. The side that comes last reclaims the task; TAKEN means that it is
 * reclaimed:
 *     JOINABLE --task_detach--> DETACHED (reclaimed by its end)
 *     JOINABLE --end--> ENDED --task_join, task_detach--> TAKEN (reclaimed by the caller)
 *     JOINABLE --finalizer of a task_join--> the joiner --end--> TAKEN (joiner made ready; it reclaims)
 *     the joiner --end, where nothing else is ready--> ENDING --> TAKEN (the joiner comes next, or is made ready)
 * ENDING holds the joiner as well, which can no longer withdraw.
 *
 * `join_done`, of a joiner whose wait was cancelled when the ending task had already seen it: the joiner stays until
 * the end is done with it.
 *     NO --end, the last thing it does--> YES
 *     NO --the joiner, to wait for that--> its ticket --end--> YES (and the wait granted)
 */
#ifndef SCHED_TASK_H
#define SCHED_TASK_H

#include <stdatomic.h>
#include <stdint.h>

#include "arch/arch.h"
#include "heddle/task.h"
#include "kernel/pool.h"
#include "sched/queue.h"
#include "sched/task_schedule.h"
#include "sched/task_wait.h"
#include "sync/task_locks.h"

enum task_state {
	TASK_FREE,   /* in its pool */
	TASK_ACTIVE, /* running, on a ready queue, or waiting: see `wait` */
	TASK_ENDED,  /* waits to be joined */
};

/* Any other value of `join` is the joiner's address, perhaps with TASK_JOIN_ENDING. */
enum { TASK_JOINABLE, TASK_JOIN_ENDED, TASK_JOIN_DETACHED, TASK_JOIN_TAKEN, TASK_JOIN_ENDING = 8 };
enum { TASK_JOIN_NOT_DONE, TASK_JOIN_DONE }; /* any other value: a ticket */

/* The lowest word of each stack: a stack that grew into it has overflowed. */
#define STACK_CANARY ((uint64_t)INT32_C(-0x726b2e69)) /* fits the constant of an instruction */

/* What a task costs, but for a queue node: its structure and the first piece of its stack. An odd number of cache
 * lines, so that the same lines of many tasks lie in different sets of the cache. */
#define TASK_BLOCK 1088

struct mutex;
struct stack;
struct stack_segment;

struct task {
	/* First: the pool's own; its number names the task in reports. Aligned: slot.h uses the low bits of the
	 * address. The pool aligns all of the task to a cache line. */
	_Alignas(16) struct pool_object pooled;

	/* A yield needs no more than this line. `ready_next`: the next of those granted (sync/serve.h), or in its list or
	 * block of a local queue (local_queue.h). */
	struct task *ready_next;
	struct task_schedule schedule;
	struct arch_context context; /* its last field lies in the next line */

	/* Its start and its end need this one, too. */
	_Atomic uint32_t ready_count; /* of its block in a local queue, if it is the first: the tasks in it */
	uint32_t stack_maximum; /* the most bytes of further pieces of its stack; 0: HEDDLE_TASK_STACK_GROWTH */
	_Atomic uintptr_t join;
	_Atomic uint8_t state; /* enum task_state */
	bool guarded;          /* the memory below its stack is not accessible */
	bool function_ended;   /* it will never be resumed */
	bool grows;            /* its stack begins in its own block (growth.h) */
	bool touched;          /* the cold part (below) may differ from what task_reset_cold() leaves */
	uint8_t stack_class;   /* cold, too: the least size of further pieces of its stack (growth.c) */
	task_function function;
	void *argument;
	intptr_t result;
	struct mutex *held; /* mutexes that it holds, the newest first; none when it has ended */

	/* Waits need this one, and the first. */
	struct task_wait wait;
	struct queue_item item;
	char name[HEDDLE_TASK_NAME_MAXIMUM];

	/*
	 * All that follows is cold: most tasks never use it. A new task finds it as the last one has left it. So code
	 * that leaves something here that a new task must not have (task_is_as_new()) calls task_touch(), before the task
	 * ends.
	 */
	struct arch_kept kept; /* the state that it keeps over switches, while it does not run */
	struct stack *stack;   /* a whole stack; NULL: it grows, or is the processor's own, of the idle task */
	struct stack_segment *segment;  /* the newest piece of a growing stack; NULL: that in the task's block */
	struct stack_segment *spaces;   /* what stack_allocate() gave, the newest first */
	struct stack *generator_stacks; /* the stacks of its generators */
	uint32_t stack_grown;           /* bytes of all these pieces */
	uint32_t extension; /* of a quantum that ends in a critical section, in instructions; 0: none */

	finalizer ending_wait;  /* for a wait that its end needs first (task_ends); NULL: none */
	struct task *waits_for; /* it waits for the end of this one */
	uint64_t join_ticket;   /* of that wait; read by the task that found this one in its `join` */
	_Atomic uint64_t join_done;
	enum heddle_error ending;
	bool join_refused;

	struct task_wait_cold wait_cold;
	struct task_locks locks;

	void *local[HEDDLE_TASK_LOCAL_SLOTS];
};

/* Whether nothing is in the cold part that a new task must not have: for assertions. */
bool task_is_as_new(const struct task *task);

/* Sanitizers and assertions keep more in it. */
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) && !defined(HEDDLE_DEBUG)
_Static_assert(offsetof(struct task, context.stack_size) == CACHE_LINE &&
                   offsetof(struct task, wait) == 2 * CACHE_LINE &&
                   offsetof(struct task, kept) == 3 * CACHE_LINE &&
                   TASK_BLOCK % (2 * CACHE_LINE) == CACHE_LINE,
               "the lines of a task");
#endif

/* The cold part may now hold something that a new task must not have. */
static inline void task_touch(struct task *task)
{
	task->touched = true;
}

/* False for a processor's idle task and a task that has ended. relaxed: a report may look while a task ends. */
static inline bool task_has_stack(const struct task *task)
{
	return __atomic_load_n(&task->stack, __ATOMIC_RELAXED) || task->grows;
}

static inline struct task *task_of_item(struct queue_item *item)
{
	return item ? (struct task *)((char *)item - offsetof(struct task, item)) : NULL;
}

/* Below the frames, where the address sanitizer may have a red zone. */
__attribute__((no_sanitize("address"))) static inline void stack_canary_place(struct task *task)
{
	*(volatile uint64_t *)task->context.stack_low = STACK_CANARY;
}

/* Whether the task holds a lock: then a spent quantum is extended. */
static inline bool task_in_section(const struct task *task)
{
	return ((uintptr_t)task->held | task_locks_held(&task->locks)) != 0;
}

/* Whether locks have left something with the task that its end must deal with (task_ends). Most tasks have no mutex and
 * are not touched, so that the rest need not be read. */
__attribute__((always_inline)) static inline bool task_has_locks(const struct task *task)
{
	return __builtin_expect(task->held || task->touched, 0) &&
	       ((uintptr_t)task->held | task_locks_left(&task->locks)) != 0;
}

/* Make the pools of tasks and stacks. Boot processor, before the scheduler. */
void task_pools_create(void);

/* What a processor has at hand of the memory of tasks. */
struct pool_magazine *task_magazine(unsigned index);

/* Make a task by its options, which are valid. It is not ready yet. NULL: no memory. */
struct task *task_make(task_function function, void *argument, const struct task_options *options);

/* The task that a processor runs when there is no other. It has the processor's own stack, which is running. NULL: no
 * memory. */
struct task *task_make_idle(struct processor *processor);

/* End the calling task with the outcome HEDDLE_TASK_FAULT. */
_Noreturn void task_exit_by_fault(void);

/* Each task that ends calls this itself, before its memory goes back, if task_has_locks(). Set by sync/ at boot. It
 * runs on the processor's stack, so it cannot wait. If the task has to wait, `ending_wait` is the finalizer of that
 * wait, and `wait_cold.object` says what it is for. Only wait_grant() ends such a wait (wait.h); then this is called
 * again. */
extern void (*task_ends)(struct task *task);

/* task_exit(), not declared as what does not return, so that it is jumped to: a call without a return misleads the
 * processor's predictions of the returns that follow. */
void exit_plainly(intptr_t result);

/* The finalizer of the end of a task that was not touched. */
void finalize_untouched_exit(struct task *left, void *unused);

/* Give back the stack of a touched task that will not run any more. */
void task_release_stack(struct task *task);

/* Give the task itself back; there must be no reference to it any more. */
void task_release(struct task *task);

/* Visit every task that is not free, for reports. What it sees of a running task may be outdated. */
void task_visit(void (*visit)(struct task *task, void *argument), void *argument);

/* Visit free ones as well, for tests of what a task keeps in its pool. */
void task_visit_all(void (*visit)(struct task *task, void *argument), void *argument);

#endif
