/*
 * The task, as the scheduler sees it; user code sees heddle/task.h. Who may touch which field:
 *   - what the running task is and has: only itself, or the finalizer that publishes it after it was left;
 *   - `join`, `wait`, `permit` and `cancelled`: everybody, by the compare-and-exchange that their diagrams show, here
 *     and in wait.h;
 *   - what it waits for: written by the task, read by reports while it waits.
 *
 * `join`, the handshake of end and join; whoever comes last reclaims, and TAKEN lets nobody reclaim twice:
 *     JOINABLE --task_detach--> DETACHED (reclaimed by its end)
 *     JOINABLE --end--> ENDED --task_join, task_detach--> TAKEN (reclaimed by the caller)
 *     JOINABLE --finalizer of a task_join--> the joiner --end--> TAKEN (joiner made ready; it reclaims)
 *     the joiner --end, where nothing else is ready--> ENDING --> TAKEN (the joiner comes next, or is made ready)
 * ENDING has the joiner as well, which withdraws no more.
 *
 * `join_done`, of a joiner that was cancelled when its task had taken notice of it: it stays until that is
 * done.
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
	TASK_ACTIVE, /* running, on a ready queue, or waiting: `wait` tells */
	TASK_ENDED,  /* waits to be joined */
};

/* Any other value of `join` is the joiner's address, perhaps with TASK_JOIN_ENDING. */
enum { TASK_JOINABLE, TASK_JOIN_ENDED, TASK_JOIN_DETACHED, TASK_JOIN_TAKEN, TASK_JOIN_ENDING = 8 };
enum { TASK_JOIN_NOT_DONE, TASK_JOIN_DONE }; /* any other value: a ticket */

/* The lowest word of each stack: a stack that grew into it has overflowed. */
#define STACK_CANARY ((uint64_t)INT32_C(-0x726b2e69)) /* a constant that an instruction has room for */

/* What a task costs: its structure and the first piece of its stack; with a queue node 1 KiB. */
#define TASK_BLOCK 1008

struct stack;
struct stack_segment;

struct task {
	/* First: the pool's own; its number names the task in reports. Aligned: run_next.h uses the bits below. */
	_Alignas(16) struct pool_object pooled;
	struct queue_item item;
	struct task *ready_next;      /* in its list of a local queue, or its block there (local_queue.h), */
	_Atomic uint32_t ready_count; /* and how many the block has, if it is its first */
	_Atomic uint32_t state;
	struct arch_context context;
	struct task_schedule schedule;
	bool guarded;        /* what lies below the stack is not accessible */
	bool function_ended; /* it will never be resumed */
	bool grows;          /* its stack begins in its own block (growth.h) */
	bool touched;        /* what is cold (below) may be otherwise than task_reset_cold() leaves it */
	_Atomic uintptr_t join;
	struct task_wait wait;
	uint16_t wake_pause;      /* those that it wakes do not wait for it so many times (owed.h); */
	uint16_t wake_pause_next; /* and after the next time that it is in vain. A new task begins with both */
	uint32_t stack_maximum;   /* bytes of further pieces that there may be of a stack that grows */
	task_function function;
	void *argument;
	intptr_t result;
	char name[HEDDLE_TASK_NAME_MAXIMUM];

	/*
	 * All that follows is cold: most tasks never come to it. A task is made with it as it is found. So what leaves
	 * there something that a new task must not have (task_is_as_new()), until the task ends, calls task_touch().
	 */
	struct arch_kept kept; /* what it keeps, while it does not run */
	struct stack *stack;   /* a whole one; NULL: it grows, or is a processor's own, of its idle task */
	struct stack_segment *segment;  /* the newest piece of one that grows; NULL: that in the task's block */
	struct stack_segment *spaces;   /* what stack_allocate() gave, the newest first */
	struct stack *generator_stacks; /* those that its generators got */
	uint32_t stack_grown;           /* bytes of all these pieces */
	uint32_t extension; /* of a quantum that is spent in a critical section, instructions; 0: none */

	finalizer ending_wait;  /* while it ends (task_ends): what it has to wait for before; NULL: nothing */
	struct task *waits_for; /* for whose end it waits */
	uint64_t join_ticket;   /* of that wait; read by whoever found this task in `join` */
	_Atomic uint64_t join_done;
	enum heddle_error ending;
	bool join_refused;

	struct task_wait_cold wait_cold;
	struct task_locks locks;

	void *local[HEDDLE_TASK_LOCAL_SLOTS];
};

/* Something cold may stay with the task that a new one must not have. */
static inline void task_touch(struct task *task)
{
	task->touched = true;
}

/* Not a processor's idle task, nor one that has ended. */
static inline bool task_has_stack(const struct task *task)
{
	return task->stack || task->grows;
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

/* Whether the task holds a lock: a quantum that is spent then is extended. */
static inline bool task_in_section(const struct task *task)
{
	return task_locks_held(&task->locks) != 0;
}

/* Whether a lock has left something with the task, which its end must look at (task_ends). */
static inline bool task_has_locks(const struct task *task)
{
	return task_locks_left(&task->locks) != 0;
}

/* Make the pools of tasks and stacks. Boot processor, before the scheduler. */
void task_pools_create(void);

/* A task with the means that its options ask for, not ready yet, and its state still that of a free one; NULL: no
 * memory. */
struct task *task_make(task_function function, void *argument, const struct task_options *options);

/* The task that a processor runs when there is no other: it has the processor's own stack, which is running.
 * NULL: no memory. */
struct task *task_make_idle(struct processor *processor);

/* End the calling task as one that faulted. */
_Noreturn void task_exit_by_fault(void);

/* Called with each task that ends, by itself, before its memory goes back; NULL: nobody wants to know. Set by sync/ at
 * boot. It runs on the processor's stack, so it does not wait itself: where the task has to, `ending_wait` is the
 * finalizer of that wait, and wait_object what it is for. Only wait_grant() ends it (wait.h); then this is called
 * again. */
extern void (*task_ends)(struct task *task);

/* Give the stack of a task that was touched back; it must have been left for good. */
void task_release_stack(struct task *task);

/* Give the task itself back; nobody may know it any more. */
void task_release(struct task *task);

/* Visit every task that is not free, for reports. What is seen of a running task may be outdated. */
void task_visit(void (*visit)(struct task *task, void *argument), void *argument);

/* Those that are free as well, for tests of what a task keeps in its pool. */
void task_visit_all(void (*visit)(struct task *task, void *argument), void *argument);

#endif
