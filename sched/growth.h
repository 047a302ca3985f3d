/*
 * Stacks that grow. A task whose code is compiled for it (task_options.stack) has its structure and the first
 * piece of its stack in one block:
 *
 *     task                 low                limit                              task + TASK_BLOCK
 *     | struct task        | STACK_RESERVE    | ...           top | first context |
 *
 * A function that would come below the limit runs on a further piece, a segment, which the processor takes from a
 * pool and gives back when the function returns. So a suspended task has segments only where its calls are deep.
 * Segments are linked from the task, the newest first. Code that is not compiled for this, the kernel and arch/, runs
 * on the reserve, and its deeper calls begin with STACK_ENTRY(). So no stack has to grow in the middle of what the
 * kernel does, and no task can end there for want of memory.
 *
 * Only the task itself, or the processor that ends it, touches its segments; the pools are lock-free. What arch/
 * calls, to grow and to shrink, is declared in arch.h, under "calls up".
 */
#ifndef SCHED_GROWTH_H
#define SCHED_GROWTH_H

#include "sched/task.h"

/* The running stack has a limit (arch_stack_limit()): the address below which no frame may come, with this bit set if
 * the stack grows then. The limit of a whole stack, of a task or a generator, is its lowest address: code that is
 * compiled for growing stacks ends the task there. The limit of a stack that does not run is in its context. */
#define STACK_GROWS ((uintptr_t)1)

/* While foreign code runs on the processor's own stack for a task, each bit of the limit of the task's, which grows, is
 * inverted. Then it has this bit, which no other limit has, and no address of a process is above it. When the scheduler
 * itself runs on that stack, and when no stack is known, the limit is 0. */
#define STACK_FOREIGN ((uintptr_t)2)

/* Whether a task with that limit runs on another stack than its own and its generators'. */
static inline bool stack_limit_is_elsewhere(uintptr_t limit)
{
	return limit == 0 || (limit & STACK_FOREIGN);
}

struct stack_segment;

/* Boot processor, before the scheduler. */
void stack_segments_create(void);

_Static_assert(sizeof(struct task) % 16 == 0 && TASK_BLOCK % 16 == 0,
               "what lies behind a task is aligned like a stack");

/* The bounds of the first piece. */
static inline uintptr_t stack_block_low(const struct task *task)
{
	return (uintptr_t)(task + 1);
}

static inline uintptr_t stack_block_high(const struct task *task)
{
	return (uintptr_t)task + TASK_BLOCK;
}

_Static_assert(STACK_RESERVE % 4 == 0, "STACK_GROWS and STACK_FOREIGN are free");

static inline uintptr_t stack_limit_of(uintptr_t low)
{
	return low + STACK_RESERVE + STACK_GROWS;
}

/* The most bytes of further pieces. */
static inline uint32_t stack_maximum(const struct task *task)
{
	return task->stack_maximum ? task->stack_maximum : HEDDLE_TASK_STACK_GROWTH;
}

/* Where the memory begins, above the canary, that a free task does not use: the pool may. It ends below the first
 * context. */
#define STACK_ROOM_IN_BLOCK (sizeof(struct task) + 16)

/* Leave a free task with the stack in its block and nothing more. */
void stack_reset_block(struct task *task);
bool stack_block_is_reset(const struct task *task);

/* Where each task begins. */
void task_entry(void);

/* Let a free task begin on the stack in its block. */
static inline void stack_begin(struct task *task)
{
	arch_context_renew(&task->context, stack_block_high(task), task_entry);
	task->context.limit = stack_limit_of(stack_block_low(task));
}

/* Give back all segments of a task that runs on none of them any more. */
void stack_release_segments(struct task *task);

/* The bounds of the piece that holds the address. False: no piece of the task's stack does; the bounds are
 * unchanged. */
bool stack_piece_around(const struct task *task, uintptr_t address, uintptr_t *low, uintptr_t *high);

/* Free the current task's whole stack; the task goes on at the stack pointer returned, its very top, and only to end as
 * one that was touched. */
void *stack_reset(struct task *task);

/* Called by user code where a jump out of functions may land, as after setjmp(), on the piece where it continues.
 * Gives back the newer pieces, and forgets the calls back that the jump has left (callback.h). Such a jump must not
 * leave a generator. This may change the counter of the quantum. */
void heddle_stack_jumped(void);

/* The same where an exception lands; the task handles it from now on (control.h). */
void heddle_stack_landed(void);

/* Called by user code at the beginning of a function that calls alloca(): gives back what alloca() gave to an earlier
 * function at the same depth. */
void heddle_stack_entered(void);

#endif
