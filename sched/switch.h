/*
 * The one mechanism: leave a task, run the finalizer on its behalf, once nothing uses its stack any more, and go
 * on with the next (scheduler paper, section 3.2). A finalizer is the only place where a task that was left may
 * be published: on a ready queue, a lock, a timer, its joiner's word. It runs on the processor's own stack, and
 * calls no code but the kernel's, and nothing that switches.
 */
#ifndef SCHED_SWITCH_H
#define SCHED_SWITCH_H

#include "kernel/panic.h"
#include "sched/control.h"
#include "sched/owed.h"
#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/scheduler.h"
#include "sched/trace.h"

_Noreturn void stack_overflow(struct task *task);

/* A stack that grew into its lowest word has overwritten it: the check is the net where no guard page is, and
 * costs a load and a compare where one is. There the word may be used like any other: the guard has held. */
__attribute__((no_sanitize("address"))) static inline void stack_check(struct task *task)
{
	if (__builtin_expect(*(volatile uint64_t *)task->context.stack_low != STACK_CANARY, 0) && !task->guarded)
		stack_overflow(task);
}

/* The finalizer that does no more than make the left task ready. */
static inline void finalize_publish(struct task *left, void *unused)
{
	(void)unused;
	ready_publish(left);
}

/* The processor is the next task's from here on. Returns the one that is left, whose stack still runs. */
static inline struct task *switch_begin(struct scheduler *scheduler, struct task *next)
{
	struct task *left = scheduler->current;
	ASSERT(next != left && processor_current()->uncooperative == 0);
	owed_settle_any(scheduler);
	stack_check(left);
	scheduler->current = next;
	trace_switch(left, next);
	quantum_begin(scheduler, next);
	control_switch(left, next);
	return left;
}

/* What switch_to() does but for the count. */
static inline void switch_uncounted(struct scheduler *scheduler, struct task *next, finalizer finalize,
                                    void *argument)
{
	struct task *left = switch_begin(scheduler, next);
	left->context.limit = arch_stack_limit();
	arch_context_switch(&left->context, &next->context, finalize, left, argument, left->function_ended);
}

/* Returns when somebody switches to the left task again, perhaps on another processor. */
static inline void switch_to(struct task *next, finalizer finalize, void *argument)
{
	struct scheduler *scheduler = scheduler_current();
	counter_add(&scheduler->counters.switches, 1);
	switch_uncounted(scheduler, next, finalize, argument);
}

/* What a plain yield to a task of the same priority has of that; it is counted later (plain.h). */
static inline void switch_plainly(struct scheduler *scheduler, struct task *left, struct task *next)
{
	struct processor *processor = processor_current();
	ASSERT(next != left && left == scheduler->current);
	/* That of the stack that the task runs on, its own or a generator's, is the processor's while it runs. */
	left->context.limit = arch_stack_limit();
	arch_stack_limit_set(next->context.limit);
	scheduler->current = next;
	trace_switch(left, next);
	atomic_store_explicit(&processor->quantum, next->quantum_slice, memory_order_relaxed);
}

/* The one that is owed, whatever is ready here, or the idle task; the switch to it is counted. */
static inline struct task *switch_next(struct scheduler *scheduler)
{
	struct task *next = plain_take(scheduler);
	if (__builtin_expect(!next, 0)) {
		next = scheduler->owed ? owed_leave(scheduler) : ready_take(scheduler, LEVEL_LOWEST);
		next = next ? next : scheduler->idle_task;
		counter_add(&scheduler->counters.switches, 1);
	}
	return next;
}

/* Leave the current task for that. */
static inline void switch_away(finalizer finalize, void *argument)
{
	struct scheduler *scheduler = scheduler_current();
	switch_uncounted(scheduler, switch_next(scheduler), finalize, argument);
}

/* The same, and nobody ever resumes it. */
_Noreturn static inline void switch_for_good(finalizer finalize)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *next = switch_next(scheduler);
	struct task *left = switch_begin(scheduler, next);
	arch_context_leave(&left->context, &next->context, finalize, left);
}

#endif
