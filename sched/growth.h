/*
 * Stacks that grow. A task whose code is compiled for it (task_options.stack) has its structure and the first
 * piece of its stack in one block:
 *
 *     task                 low                limit                     task + TASK_BLOCK
 *     | struct task        | STACK_RESERVE    | ...                 top |
 *
 * A function that would come below the limit runs on a further piece, a segment, which the processor takes
 * from a pool and gives back when the function returns; so a task that is suspended where it is not deep has
 * none. Segments lie on the task one behind the other, the newest first. What is not compiled for it, the
 * kernel and the machine's part, runs on the reserve, and deeper calls of it begin with STACK_ENTRY(): no
 * stack ever has to grow, and no task can end for want of memory, in the middle of what the kernel does.
 *
 * Only the task itself, or who ends it, touches its segments; the pools are lock-free. What arch/ calls, to grow and to
 * shrink, is declared in arch.h, under "calls up".
 */
#ifndef SCHED_GROWTH_H
#define SCHED_GROWTH_H

#include "sched/task.h"

/* What runs has a limit (arch_stack_limit): the address below which a frame must not come, and this with it where the
 * stack grows then. A whole stack's, a task's or a generator's, is its lowest address: code that is compiled for
 * stacks that grow ends the task there. The limit of what does not run is in its context. */
#define STACK_GROWS ((uintptr_t)1)

/* While foreign code runs on the processor's own stack on behalf of a task: nothing is above it.
 * On that stack itself, and where none is known, the limit is 0. */
#define STACK_FOREIGN (~(uintptr_t)1)

struct stack_segment;

/* Boot processor, before the scheduler. */
void stack_segments_create(void);

_Static_assert(sizeof(struct task) % 16 == 0 && TASK_BLOCK % 16 == 0,
               "what lies behind a task is aligned like a stack");

/* The first piece. */
static inline uintptr_t stack_block_low(const struct task *task)
{
	return (uintptr_t)(task + 1);
}

static inline uintptr_t stack_block_high(const struct task *task)
{
	return (uintptr_t)task + TASK_BLOCK;
}

static inline uintptr_t stack_limit_of(uintptr_t low)
{
	return (low + STACK_RESERVE) | STACK_GROWS;
}

/* Above the canary, where a task that is free has nothing: for its pool. */
#define STACK_ROOM_IN_BLOCK (sizeof(struct task) + 16)

/* Have a task that is free own the stack in its block, and nothing more. */
void stack_reset_block(struct task *task);
bool stack_block_is_reset(const struct task *task);

/* Such a task begins there, at `entry`. */
static inline void stack_begin(struct task *task, void (*entry)(void))
{
	arch_context_renew(&task->context, stack_block_high(task), entry);
	task->context.limit = stack_limit_of(stack_block_low(task));
}

/* Give back all segments of a task that runs on none of them any more. */
void stack_release_segments(struct task *task);

/* The bounds of the piece that the address is in. False: it is in none of the task's stack, and they stay. */
bool stack_piece_around(const struct task *task, uintptr_t address, uintptr_t *low, uintptr_t *high);

/* Make all of it free again, by the current task, which goes on from the stack pointer returned. */
void *stack_reset(struct task *task);

/* Called by user code where a jump out of functions may have led, as behind setjmp(), on the piece that it goes on
 * in: gives back the newer ones, and forgets the calls back that it has left (callback.h). Such a jump must not leave a
 * generator. It may change the counter of the quantum. */
void heddle_stack_jumped(void);

/* The same where an exception has led to, which the task handles from now on (control.h). */
void heddle_stack_landed(void);

/* Called by user code where a function begins that calls alloca(): gives back what another at the same depth was
 * given by that. */
void heddle_stack_entered(void);

#endif
