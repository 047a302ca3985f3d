#include "sched/ready.h"

#include "sched/injection.h"
#include "sched/node.h"
#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/ready_global.h"
#include "sched/run_next.h"
#include "sched/timer.h"
#include "sched/wake.h"
#include "sched/watchdog.h"

void ready_create(struct scheduler *scheduler)
{
	for (unsigned level = 0; level < PRIORITIES; level++) {
		queue_create(&scheduler->bound[level], node_make_boot());
		local_queue_create(&scheduler->local[level]);
	}
}

void ready_start(void)
{
	ready_global_create();
	wake_start();
}

/* ---------------------------------------------------------------------------------------------- take -- */

static struct task *take_bound(struct scheduler *scheduler, unsigned level)
{
	if (atomic_load_explicit(&scheduler->bound_count, memory_order_seq_cst) == 0)
		return NULL;
	struct task *task = task_of_item(queue_dequeue(&scheduler->bound[level]));
	if (task)
		atomic_fetch_sub_explicit(&scheduler->bound_count, 1, memory_order_relaxed);
	return task;
}

static struct task *take_local(struct scheduler *scheduler, unsigned level)
{
	uint32_t bit = 1u << level;
	uint32_t levels = atomic_load_explicit(&scheduler->levels, memory_order_relaxed);
	struct task *task = levels & bit ? local_queue_take(&scheduler->local[level]) : NULL;
	if (!task && (levels & bit))
		atomic_store_explicit(&scheduler->levels, levels & ~bit, memory_order_relaxed);
	return task;
}

static struct task *take_unbound(struct scheduler *scheduler, unsigned level)
{
	return scheduler_policy == SCHEDULER_GLOBAL ? ready_global_take(level) : take_local(scheduler, level);
}

/* Bound and unbound tasks of one level by turns, so that neither starve the others. */
__attribute__((always_inline)) static inline struct task *take_level(struct scheduler *scheduler,
                                                                     unsigned level)
{
	scheduler->bound_turns ^= 1u << level;
	bool bound_first = scheduler->bound_turns >> level & 1;
	struct task *task = bound_first ? take_bound(scheduler, level) : NULL;
	if (!task)
		task = take_unbound(scheduler, level);
	if (!task && !bound_first)
		task = take_bound(scheduler, level);
	return task;
}

static bool has_bound(struct scheduler *scheduler)
{
	return atomic_load_explicit(&scheduler->bound_count, memory_order_seq_cst) != 0;
}

/* The levels that may have something for this processor. */
static uint32_t levels_here(struct scheduler *scheduler)
{
	if (has_bound(scheduler))
		return (1u << PRIORITIES) - 1;
	return scheduler_policy == SCHEDULER_GLOBAL
	           ? ready_global_levels()
	           : atomic_load_explicit(&scheduler->levels, memory_order_relaxed);
}

static struct task *take_highest(struct scheduler *scheduler, unsigned lowest)
{
	bool bound = has_bound(scheduler);
	uint32_t levels = levels_here(scheduler) >> lowest << lowest;
	while (levels) {
		unsigned level = 31 - (unsigned)__builtin_clz(levels);
		struct task *task = bound ? take_level(scheduler, level) : take_unbound(scheduler, level);
		if (task)
			return task;
		levels &= ~(1u << level);
	}
	return NULL;
}

/* Against starvation: each time another level is asked first, so that none in the middle waits for ever. */
static struct task *take_in_turn(struct scheduler *scheduler)
{
	uint32_t levels = levels_here(scheduler);
	unsigned first = scheduler->picks / READY_TURN_PICK % PRIORITIES;
	for (unsigned step = 0; step < PRIORITIES; step++) {
		unsigned level = (first + step) % PRIORITIES;
		struct task *task = levels >> level & 1 ? take_level(scheduler, level) : NULL;
		/* It has a slice of its quantum, and then makes way for those that are above it. */
		if (task && levels >> level > 1)
			quantum_ask(scheduler->processor);
		if (task)
			return task;
	}
	return NULL;
}

/* The only task of another processor, seen for the first time: as likely as not its owner, which has it in
 * its cache, is about to take it. */
static bool leave_to_owner(struct scheduler *scheduler, const struct ring *ring)
{
	uint64_t head;
	if (!ring_has_one(ring, &head) || (scheduler->seen == ring && scheduler->seen_head == head))
		return false;
	scheduler->seen = ring;
	scheduler->seen_head = head;
	return true;
}

/* sched=local: take from another processor what it shares; if it does not share what it has, ask it to. */
static struct task *take_from(struct scheduler *scheduler, struct scheduler *victim, unsigned level)
{
	struct local_queue *queue = &victim->local[level];
	uint64_t count;
	if (scheduler->lingers && leave_to_owner(scheduler, &queue->ring))
		return NULL;
	struct task *task = local_queue_rob(queue, &scheduler->local[level], &count);
	if (task) {
		ready_local(scheduler, task); /* it may have got some more */
		counter_add(&scheduler->counters.taken, count);
		if (count > 1)
			wake_unless(1); /* while we held the tasks, nobody could find them */
	} else if (local_queue_has_own(queue)) {
		scheduler->seen_own = true;
		if (!atomic_load_explicit(&victim->wanted, memory_order_relaxed))
			atomic_store_explicit(&victim->wanted, true, memory_order_relaxed);
		plain_forbid(victim);
	}
	return task;
}

/* sched=local: one other processor in turn, for tasks above what waits here and not below `lowest`. */
static struct task *take_higher_elsewhere(struct scheduler *scheduler, unsigned lowest)
{
	if (scheduler_policy == SCHEDULER_GLOBAL || scheduler->victims == 0)
		return NULL;
	unsigned turn = scheduler->picks / READY_TURN_PICK % scheduler->victims;
	struct scheduler *victim = processors[scheduler->nearest[turn]].scheduler;
	uint32_t here = atomic_load_explicit(&scheduler->levels, memory_order_relaxed);
	uint32_t there = atomic_load_explicit(&victim->levels, memory_order_relaxed) >> lowest << lowest;
	if (there == 0 || (here != 0 && __builtin_clz(there) >= __builtin_clz(here)))
		return NULL;
	return take_from(scheduler, victim, 31 - (unsigned)__builtin_clz(there));
}

void ready_nest(struct task *left, void *unused)
{
	(void)unused;
	struct scheduler *scheduler = scheduler_current();
	left->wait_next = scheduler->nested;
	scheduler->nested = left;
	plain_forbid(scheduler);
}

static struct task *take_nested(struct scheduler *scheduler)
{
	struct task *task = scheduler->nested;
	scheduler->nested = task->wait_next;
	return task;
}

/* What a busy processor does every READY_CHORE_PICK picks, and while it has nested tasks; may come back with a
 * task. */
READY_RARE static struct task *chores(struct scheduler *scheduler, unsigned lowest)
{
	timer_expire(scheduler);
	injection_accept();
	if (scheduler->picks % WATCHDOG_PICK == 0)
		watchdog_look();
	if (scheduler->nested)
		return take_nested(scheduler);
	if (scheduler->picks % READY_TURN_PICK == 0)
		return take_in_turn(scheduler);
	if (scheduler->picks % READY_TURN_PICK == READY_TURN_PICK / 2)
		return take_higher_elsewhere(scheduler, lowest);
	return NULL;
}

struct errand {
	struct scheduler *scheduler;
	unsigned level;
	struct task *found;
};

static void chores_do(void *argument)
{
	struct errand *errand = argument;
	errand->found = chores(errand->scheduler, errand->level);
}

/* What is rare may need more stack than a task has in any case. */
READY_RARE static struct task *chores_elsewhere(struct scheduler *scheduler, unsigned lowest)
{
	struct errand errand = {scheduler, lowest, NULL};
	arch_call_on_processor_stack(chores_do, &errand);
	return errand.found;
}

struct task *ready_take(struct scheduler *scheduler, unsigned lowest)
{
	bool sent = run_next_is_set(scheduler);
	struct task *task = NULL;
	scheduler->chain = 0;
	plain_settle(scheduler);
	ready_share(scheduler);
	if (__builtin_expect(sent, 0))
		task = run_next_take_first(scheduler, lowest);
	if (!task && (++scheduler->picks % READY_CHORE_PICK == 0 || scheduler->nested))
		task = chores_elsewhere(scheduler, lowest);
	if (!task)
		task = take_highest(scheduler, lowest);
	if (!task && __builtin_expect(sent, 0))
		task = run_next_take(scheduler, lowest);
	plain_grant(scheduler, READY_CHORE_PICK - 1 - scheduler->picks % READY_CHORE_PICK);
	return task;
}

/* -------------------------------------------------------------------------------------------- search -- */

bool ready_interrupt_owners(struct scheduler *scheduler)
{
	if (!scheduler->seen_own)
		return false;
	for (unsigned turn = 0; turn < scheduler->victims; turn++) {
		struct processor *owner = &processors[scheduler->nearest[turn]];
		if (atomic_load_explicit(&owner->scheduler->wanted, memory_order_relaxed))
			arch_processor_interrupt(owner);
	}
	return true;
}

void ready_interrupted(void)
{
	struct scheduler *scheduler = scheduler_current();
	if (scheduler && scheduler->current != scheduler->idle_task)
		ready_share_here(scheduler);
}

static struct task *search_others(struct scheduler *scheduler, unsigned lowest)
{
	for (unsigned turn = 0; turn < scheduler->victims; turn++) {
		struct scheduler *victim = processors[scheduler->nearest[turn]].scheduler;
		/* seq_cst: after our announcement; pairs with ring_put, which comes after the bit. What is put without
		 * such an order is seen after arch_settle() (wake.h). */
		uint32_t levels = atomic_load_explicit(&victim->levels, memory_order_seq_cst) >> lowest << lowest;
		while (levels) {
			unsigned level = 31 - (unsigned)__builtin_clz(levels);
			struct task *task = take_from(scheduler, victim, level);
			if (task)
				return task;
			levels &= ~(1u << level);
		}
	}
	return NULL;
}

static void search_others_do(void *argument)
{
	struct errand *errand = argument;
	errand->found = search_others(errand->scheduler, errand->level);
}

READY_RARE static struct task *search_others_elsewhere(struct scheduler *scheduler, unsigned lowest)
{
	struct errand errand = {scheduler, lowest, NULL};
	arch_call_on_processor_stack(search_others_do, &errand);
	return errand.found;
}

struct task *ready_take_higher(struct scheduler *scheduler, unsigned lowest)
{
	/* One that was sent here need not be higher. */
	struct task *task = run_next_is_set(scheduler) ? run_next_take_first(scheduler, lowest - 1) : NULL;
	if (!task)
		task = take_highest(scheduler, lowest);
	return task || scheduler_policy == SCHEDULER_GLOBAL ? task : search_others_elsewhere(scheduler, lowest);
}

struct task *ready_search(struct scheduler *scheduler)
{
	timer_expire(scheduler);
	injection_accept();
	scheduler->seen_own = false;
	struct task *task = ready_take(scheduler, PRIORITY_IDLE);
	if (!task)
		task = scheduler_policy == SCHEDULER_GLOBAL ? ready_global_search()
		                                            : search_others(scheduler, PRIORITY_IDLE);
	return task;
}

/* ---------------------------------------------------------------------------------------------- more -- */

static bool waits_at(struct scheduler *scheduler)
{
	/* seq_cst: after our arrival; pairs with the put of whoever relies on it. */
	uint32_t levels = atomic_load_explicit(&scheduler->levels, memory_order_seq_cst);
	for (; levels; levels &= levels - 1) {
		unsigned level = (unsigned)__builtin_ctz(levels);
		if (local_queue_has_shared(&scheduler->local[level]))
			return true;
	}
	return false;
}

static bool waits_anywhere(void)
{
	if (scheduler_policy == SCHEDULER_GLOBAL)
		return ready_global_waits();
	for (unsigned index = 0; index < processor_count; index++)
		if (waits_at(processors[index].scheduler))
			return true;
	return false;
}

void ready_spread(void)
{
	/* Two, so that the processors that are up double with each step. */
	for (unsigned i = 0; i < 2 && waits_anywhere() && !wake_is_lingering(); i++)
		wake_next();
}
