/*
 * The one mechanism: leave a task, run the finalizer on its behalf, once nothing uses its stack any more, and go
 * on with the next (scheduler paper, section 3.2). A finalizer is the only place where a task that was left may
 * be published: on a ready queue, a lock, a timer, its joiner's word; unless no other processor can take the task
 * before its stack was left (yield.c, switch_put(), suspend_lean.c). It runs on the processor's own stack, and
 * calls no code but the kernel's, and nothing that switches.
 */
#ifndef SCHED_SWITCH_H
#define SCHED_SWITCH_H

#include "kernel/panic.h"
#include "sched/control.h"
#include "sched/foresee.h"
#include "sched/owed.h"
#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/scheduler.h"
#include "sched/trace.h"

/* Each place has a switch of its own (arch/x86_64/switch.h). */
#define SWITCH_INLINE __attribute__((always_inline)) static inline

_Noreturn void stack_overflow(struct task *task);

#ifdef __SANITIZE_ADDRESS__ /* the word may be in a red zone */
#	define STACK_CHECK_INLINE __attribute__((no_sanitize("address"))) static inline
#else
#	define STACK_CHECK_INLINE SWITCH_INLINE
#endif

/* A task that overflowed its stack has overwritten the lowest word. This check catches that where there is no guard
 * page. Where there is one, a task may use the lowest word, and the check costs a load and a compare. */
STACK_CHECK_INLINE void stack_check(struct task *task)
{
	if (__builtin_expect(*(uint64_t *)task->context.stack_low != STACK_CANARY, 0) && !task->guarded)
		stack_overflow(task);
}

/* The finalizer that only makes the left task ready. */
static inline void finalize_publish(struct task *left, void *unused)
{
	(void)unused;
	ready_publish(left);
}

/* Make `next` the current task. Returns the task that is left; its stack still runs. */
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

/* The same on the plain way (plain.h): nothing is owed, and the two tasks are alike. */
SWITCH_INLINE void switch_begin_plainly(struct scheduler *scheduler, struct task *next)
{
	ASSERT(next != scheduler->current && !arch_is_uncooperative() && !scheduler->owed);
	trace_switch(scheduler->current, next);
	scheduler->current = next;
	arch_quantum_set(next->schedule.slice);
}

/* Leave the current task, and save the limit of the stack that runs, its own or a generator's. */
static inline void switch_contexts(struct task *left, struct task *next, finalizer finalize, void *argument)
{
	left->context.limit = arch_stack_limit();
	arch_context_switch(&left->context, &next->context, finalize, left, argument, false);
}

/* Returns when a processor, perhaps another one, switches to the left task again. */
static inline void switch_to(struct task *next, finalizer finalize, void *argument)
{
	struct scheduler *scheduler = scheduler_current();
	counter_add(&scheduler->counters.switches, 1);
	switch_contexts(switch_begin(scheduler, next), next, finalize, argument);
}

/* All of a plain switch but the contexts, which the caller exchanges without a finalizer. */
SWITCH_INLINE void switch_plainly(struct scheduler *scheduler, struct task *left, struct task *next)
{
	switch_begin_plainly(scheduler, next);
	left->context.limit = arch_stack_limit();
	arch_stack_limit_set(next->context.limit);
}

/* Choose the next task where none was taken on the plain way: one of the plain queue, the owed one, another that is
 * ready here, or the idle task. Runs on the processor's stack. */
struct arch_context *switch_choose(void);

/* The next task that is at hand on the plain way, or the owed one. NULL: neither. */
SWITCH_INLINE struct task *switch_take_at_hand(struct scheduler *scheduler, const struct task *left)
{
	struct task *next = plain_take(scheduler, left);
	return next ? next : owed_leave_plainly(scheduler, left);
}

/* Where plain_take() has found none: one that a refill of the plain queue brings, or the owed one. NULL: neither. */
struct task *switch_take_less_plainly(struct scheduler *scheduler, const struct task *left);

/* Take the next task on the plain way, and make it the current one. It is like the left one, so nothing is to be kept,
 * and the priority stays. NULL: switch_choose() has to choose. */
SWITCH_INLINE struct task *switch_take_plainly(struct scheduler *scheduler, struct task *left)
{
	struct task *next = plain_take(scheduler, left);
	if (__builtin_expect(!next, 0) && !(next = switch_take_less_plainly(scheduler, left)))
		return NULL;
	stack_check(left);
	switch_begin_plainly(scheduler, next);
	return next;
}

/* switch_away() for a caller that has the scheduler and its current task at hand. */
SWITCH_INLINE void switch_away_from(struct scheduler *scheduler, struct task *left, finalizer finalize,
                                    void *argument)
{
	struct task *next = switch_take_plainly(scheduler, left);
	left->context.limit = arch_stack_limit();
	if (__builtin_expect(next != NULL, 1))
		arch_context_switch(&left->context, &next->context, finalize, left, argument, false);
	else
		arch_context_switch_chosen(&left->context, switch_choose, finalize, left, argument);
}

/* Leave the current task for whatever comes next. */
static inline void switch_away(finalizer finalize, void *argument)
{
	struct scheduler *scheduler = scheduler_current();
	switch_away_from(scheduler, scheduler->current, finalize, argument);
}

/* switch_away_from() for a task whose registers and place to go on were saved on its stack before, to a task that was
 * taken on the plain way. */
_Noreturn SWITCH_INLINE void switch_saved_to(struct scheduler *scheduler, struct task *left,
                                             struct task *next, finalizer finalize)
{
	stack_check(left);
	switch_begin_plainly(scheduler, next);
	left->context.limit = arch_stack_limit();
	arch_context_leave(&left->context, &next->context, finalize, left);
}

/* The same, where it has to be taken yet. This refills nothing: switch_choose() does. */
_Noreturn SWITCH_INLINE void switch_saved(struct scheduler *scheduler, struct task *left, finalizer finalize)
{
	struct task *next = switch_take_at_hand(scheduler, left);
	if (__builtin_expect(next != NULL, 1))
		switch_saved_to(scheduler, left, next, finalize);
	left->context.limit = arch_stack_limit();
	arch_context_leave_chosen(&left->context, switch_choose, finalize, left);
}

/* switch_saved_to() for a task that is never resumed, to one that was taken on the plain way. This does not look at the
 * left stack, whose low end would have to be fetched for that. */
_Noreturn SWITCH_INLINE void switch_for_good_to(struct scheduler *scheduler, struct task *left,
                                                struct task *next, finalizer finalize)
{
	switch_begin_plainly(scheduler, next);
	foresee_oldest(scheduler->plain_queue); /* tasks that end at once leave no time for it later */
	arch_context_leave(&left->context, &next->context, finalize, left);
}

/* The same, where it has to be taken yet. `choose`: as switch_choose(). */
_Noreturn SWITCH_INLINE void switch_for_good(struct scheduler *scheduler, struct task *left, chooser choose,
                                             finalizer finalize)
{
	struct task *next = switch_take_at_hand(scheduler, left);
	if (__builtin_expect(next != NULL, 1)) {
		stack_check(left);
		switch_for_good_to(scheduler, left, next, finalize);
	}
	arch_context_leave_chosen(&left->context, choose, finalize, left);
}

/* Whether `next` is like the current task, `left`. The caller has ended the wait of `next`, so its ties cannot change
 * any more. */
SWITCH_INLINE bool switch_is_like(const struct task *left, const struct task *next)
{
	return next->schedule.ties.word == left->schedule.ties.word;
}

/* Whether the current task, `left`, may make way for a task that is like it, and become ready on the plain way. */
SWITCH_INLINE bool switch_may_make_way(const struct scheduler *scheduler, const struct task *left)
{
	return __builtin_expect(plain_is_of(scheduler, left) && !scheduler->owed && !chain_is_long(scheduler) &&
	                            !arch_is_uncooperative(),
	                        1);
}

/* Whether the current task, `left`, may make way for `next`. */
SWITCH_INLINE bool switch_may_exchange(const struct scheduler *scheduler, const struct task *left,
                                       const struct task *next)
{
	return __builtin_expect(switch_is_like(left, next), 1) && switch_may_make_way(scheduler, left);
}

/* The left task is put into the plain queue first: no other processor can take a task from the processor's own part of
 * its queue before the next look (local_queue.h). So no finalizer is needed, unless that look is due now. */
SWITCH_INLINE void switch_put(struct scheduler *scheduler, struct task *left, struct task *next,
                              uint32_t room, bool more)
{
	unsigned level = left->schedule.priority;
	local_queue_append(scheduler->plain_queue, left, room);
	if (__builtin_expect(plain_is_seen(scheduler, level) && ready_is_seen(level, more), 0)) {
		switch_begin_plainly(scheduler, next);
		switch_contexts(left, next, ready_look, NULL);
	} else {
		switch_plainly(scheduler, left, next);
		arch_context_swap(&left->context, &next->context);
	}
}

/* Make way for `next`. `more`: others wait for the lock that it was given. Returns when the left task has its turn
 * again. */
SWITCH_INLINE void switch_exchange(struct scheduler *scheduler, struct task *left, struct task *next,
                                   bool more)
{
	uint32_t room = local_queue_room(scheduler->plain_queue);
	scheduler->chain.count++;
	counter_add(&scheduler->counters.switches, 1);
	if (__builtin_expect(room > 1, 1)) {
		switch_put(scheduler, left, next, room, more);
	} else { /* it fills a block, which is shared: its stack must have been left */
		chain_more(scheduler, more);
		switch_begin_plainly(scheduler, next);
		switch_contexts(left, next, finalize_publish, NULL);
	}
}

#endif
