#include "sched/ready.h"

#include "sched/injection.h"
#include "sched/node.h"
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
		queue_create(&scheduler->overflow[level], node_make_boot());
	}
}

void ready_start(void)
{
	ready_global_create();
	wake_start();
}

/* ----------------------------------------------------------------------------------------------- put -- */

static void put_bound(struct task *task)
{
	struct processor *home = &processors[task->bound];
	struct scheduler *scheduler = home->scheduler;
	/* Before the task can be found, so that the count never hides one. */
	atomic_fetch_add_explicit(&scheduler->bound_count, 1, memory_order_seq_cst);
	queue_enqueue(&scheduler->bound[task->priority], &task->item);
	wake_home(home);
}

/* Into this processor's ring, or behind it; `announce` as for ring_put(). Returns whether what was there
 * before has been taken. */
static bool put_local(struct scheduler *scheduler, struct task *task, bool announce)
{
	unsigned level = task->priority;
	uint32_t bit = 1u << level;
	uint32_t levels = atomic_load_explicit(&scheduler->levels, memory_order_relaxed);
	if (!(levels & bit))
		/* Ordered before the task by the sequentially consistent put of an empty ring. */
		atomic_store_explicit(&scheduler->levels, levels | bit, memory_order_release);
	if (!(scheduler->overflowed & bit)) {
		enum ring_put put = ring_put(&scheduler->ring[level], task, announce);
		if (put != RING_FULL)
			return put == RING_PUT_EMPTY;
		scheduler->overflowed |= bit;
	}
	return queue_enqueue(&scheduler->overflow[level], &task->item);
}

/* Off the way of a yield or a publication, whose registers it would spill. */
#define RARE __attribute__((noinline, cold))

static void publish_bound(struct task *task)
{
	struct processor *home = &processors[task->bound];
	unsigned level = task->priority; /* once it can be found, it may be gone */
	put_bound(task);
	quantum_ask_if_lower(home, level);
}

/* Whoever runs a lower task may have to make way for one that was published before. */
RARE static void ask_lower(struct scheduler *scheduler, unsigned level, bool on_the_way)
{
	quantum_ask_if_lower(scheduler->processor, level);
	if (!on_the_way)
		quantum_ask_nearby(scheduler, level);
}

void ready_publish(struct task *task)
{
	struct scheduler *scheduler = scheduler_current();
	unsigned level = task->priority;
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
	if (task->bound != TASK_ANY_PROCESSOR) {
		publish_bound(task);
		return;
	}
	if (scheduler_policy == SCHEDULER_GLOBAL)
		ready_global_put(task);
	else
		put_local(scheduler, task, processor_count > 1);
	bool on_the_way = wake_unless(wake_enough());
	if (__builtin_expect(quantum_has_lower(level), 0))
		ask_lower(scheduler, level, on_the_way);
}

void ready_return(struct task *left, void *unused)
{
	(void)unused;
	if (left->bound != TASK_ANY_PROCESSOR) {
		put_bound(left);
	} else if (scheduler_policy == SCHEDULER_GLOBAL) {
		ready_global_put(left);
		wake_unless(1);
	} else if (put_local(scheduler_current(), left, false)) {
		wake_unless(1);
	}
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

/* Move tasks from behind the ring into it, in order; returns the first. */
RARE static struct task *take_overflowed(struct scheduler *scheduler, unsigned level)
{
	struct task *first = task_of_item(queue_dequeue(&scheduler->overflow[level]));
	if (!first) {
		scheduler->overflowed &= ~(1u << level);
		return NULL;
	}
	for (unsigned i = 0; i < RING_LENGTH / 2; i++) {
		struct task *task = task_of_item(queue_dequeue(&scheduler->overflow[level]));
		if (!task)
			break;
		/* Has room: only its owner puts, and it was empty. While we held the task, nobody could find it. */
		if (ring_put(&scheduler->ring[level], task, true) == RING_PUT_EMPTY)
			wake_unless(1);
	}
	return first;
}

static struct task *take_local(struct scheduler *scheduler, unsigned level)
{
	uint32_t bit = 1u << level;
	uint32_t levels = atomic_load_explicit(&scheduler->levels, memory_order_relaxed);
	if (!(levels & bit))
		return NULL;
	struct task *task = ring_take(&scheduler->ring[level]);
	if (!task && (scheduler->overflowed & bit))
		task = take_overflowed(scheduler, level);
	if (!task)
		atomic_store_explicit(&scheduler->levels, levels & ~bit, memory_order_relaxed);
	return task;
}

static struct task *take_unbound(struct scheduler *scheduler, unsigned level)
{
	return scheduler_policy == SCHEDULER_GLOBAL ? ready_global_take(level) : take_local(scheduler, level);
}

/* Bound and unbound tasks of one level by turns, so that neither starve the others. */
RARE static struct task *take_level(struct scheduler *scheduler, unsigned level)
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

/* sched=local: take from another processor's ring or overflow; the rest of a batch goes to our own ring. */
static struct task *take_from(struct scheduler *scheduler, struct scheduler *victim, unsigned level)
{
	struct task *tasks[RING_TAKE_LIMIT];
	if (scheduler->lingers && leave_to_owner(scheduler, &victim->ring[level]))
		return NULL;
	size_t count = ring_take_half(&victim->ring[level], tasks, RING_TAKE_LIMIT);
	if (count == 0) {
		tasks[0] = task_of_item(queue_dequeue(&victim->overflow[level]));
		count = tasks[0] != NULL;
	}
	for (size_t i = 1; i < count; i++)
		put_local(scheduler, tasks[i], true);
	if (count > 1)
		wake_unless(1); /* while we held the tasks, nobody could find them */
	if (count > 0)
		counter_add(&scheduler->counters.taken, count);
	return count > 0 ? tasks[0] : NULL;
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

/* The next pick comes to the chores, so that all others need not look for nested tasks. */
static void hasten_chores(struct scheduler *scheduler)
{
	scheduler->picks |= READY_CHORE_PICK - 1;
}

void ready_nest(struct task *left, void *unused)
{
	(void)unused;
	struct scheduler *scheduler = scheduler_current();
	left->wait_next = scheduler->nested;
	scheduler->nested = left;
	hasten_chores(scheduler);
}

static struct task *take_nested(struct scheduler *scheduler)
{
	struct task *task = scheduler->nested;
	scheduler->nested = task->wait_next;
	if (scheduler->nested)
		hasten_chores(scheduler);
	return task;
}

/* What a busy processor does every READY_CHORE_PICK picks; may come back with a task. */
RARE static struct task *chores(struct scheduler *scheduler, unsigned lowest)
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

struct task *ready_take(struct scheduler *scheduler, unsigned lowest)
{
	bool sent = run_next_is_set(scheduler);
	struct task *task = NULL;
	scheduler->chain = 0;
	if (__builtin_expect(sent, 0))
		task = run_next_take_first(scheduler, lowest);
	if (!task && ++scheduler->picks % READY_CHORE_PICK == 0)
		task = chores(scheduler, lowest);
	if (!task)
		task = take_highest(scheduler, lowest);
	if (!task && __builtin_expect(sent, 0))
		task = run_next_take(scheduler, lowest);
	return task;
}

/* -------------------------------------------------------------------------------------------- search -- */

static struct task *search_others(struct scheduler *scheduler, unsigned lowest)
{
	for (unsigned turn = 0; turn < scheduler->victims; turn++) {
		struct scheduler *victim = processors[scheduler->nearest[turn]].scheduler;
		/* seq_cst: after our announcement; pairs with the put of the ring, which comes after the bit. */
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

struct task *ready_take_higher(struct scheduler *scheduler, unsigned lowest)
{
	/* One that was sent here need not be higher. */
	struct task *task = run_next_is_set(scheduler) ? run_next_take_first(scheduler, lowest - 1) : NULL;
	if (!task)
		task = take_highest(scheduler, lowest);
	return task || scheduler_policy == SCHEDULER_GLOBAL ? task : search_others(scheduler, lowest);
}

struct task *ready_search(struct scheduler *scheduler)
{
	timer_expire(scheduler);
	injection_accept();
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
		if (!ring_is_empty(&scheduler->ring[level]) || !queue_is_empty(&scheduler->overflow[level]))
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
