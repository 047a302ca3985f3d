/*
 * The explicit yield. Plain ones (plain.h) need no finalizer: no other processor can take from the owner's own part
 * of its local queue until the owner shares it. So the left task can be put there before its stack was left.
 *
 * This file is compiled so that calls preserve no registers (build.mk): the calling convention that the switching
 * paper calls preserve_none (section 3.3). Its one entry is called so, by task_yield() or wherever the compiler's
 * plugin knows of it.
 */
#include "sched/plain.h"
#include "sched/ready.h"
#include "sched/switch.h"

/* Called through its entry, which gets it room on the stack: arch_yield() runs on what is left of one. */
struct arch_switch yield_full_inside(void);
struct arch_switch yield_full(void) STACK_ENTRY_OF(yield_full_inside);

/* Returns when the calling task goes on. */
STACK_ENTRY_INSIDE(yield_full_inside)
struct arch_switch yield_full_inside(void)
{
	struct scheduler *scheduler = scheduler_current();
	quantum_check_cooperative("task_yield()");
	unsigned level = scheduler->current->schedule.priority;
	if (scheduler->owed && owed_yield(scheduler))
		return (struct arch_switch){NULL, NULL};
	struct task *next = ready_take(scheduler, level);
	if (next)
		switch_to(next, ready_return, NULL);
	return (struct arch_switch){NULL, NULL};
}

__attribute__((noinline)) static struct arch_switch yield_refilled(struct scheduler *scheduler)
{
	return plain_refill(scheduler) ? arch_yield() : yield_full();
}

struct arch_switch arch_yield(void)
{
	struct scheduler *scheduler = scheduler_current();
	struct task *left = scheduler->current;
	uint32_t more = plain_more(scheduler, left);
	if (__builtin_expect(more == 0 || arch_is_uncooperative(), 0))
		return yield_full();
	struct local_queue *queue = scheduler->plain_queue;
	uint32_t room = local_queue_room(queue);
	if (__builtin_expect(room <= 1, 0))
		return yield_full();
	struct task *next = local_queue_own(queue);
	if (__builtin_expect(!next, 0))
		return yield_refilled(scheduler);
	if (__builtin_expect(next->schedule.ties.word != left->schedule.ties.word, 0))
		return yield_full();
	if (__builtin_expect(next->ready_next != NULL, 1)) {
		local_queue_turn(queue, next, left, room);
	} else if (room == LOCAL_BLOCK && !queue->shared) {
		local_queue_replace(queue, left);
	} else if (room == LOCAL_BLOCK && processor_count > 1) {
		/* It is the last. While it is in our hands, an idle processor may look in vain; so resting processors are
		 * looked at afterwards. */
		return yield_full();
	} else {
		local_queue_take_oldest(queue, next);
		local_queue_append(queue, left, room);
	}
	plain_count(scheduler, more);
	switch_plainly(scheduler, left, next);
	return (struct arch_switch){&left->context, &next->context};
}
