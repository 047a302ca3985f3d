#include "sched/ready.h"

#include "kernel/alone.h"
#include "sched/balance.h"
#include "sched/brisk.h"
#include "sched/injection.h"
#include "sched/nest.h"
#include "sched/node.h"
#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/ready_added.h"
#include "sched/ready_bound.h"
#include "sched/ready_global.h"
#include "sched/run_next.h"
#include "sched/timer.h"
#include "sched/wake.h"
#include "sched/watchdog.h"

void ready_create(struct scheduler *scheduler)
{
	ready_bound_create(scheduler);
	for (unsigned level = 0; level < HEDDLE_PRIORITIES; level++)
		local_queue_create(&scheduler->local[level]);
}

_Atomic uint64_t ready_patience = READY_PATIENCE;

void ready_start(void)
{
	atomic_store_explicit(&ready_patience, READY_PATIENCE, memory_order_relaxed);
	ready_added_start();
	ready_global_create();
	wake_start();
}

/* ---------------------------------------------------------------------------------------------- take -- */

struct task *ready_take_refilled(struct scheduler *scheduler, struct local_queue *queue)
{
	if (!local_queue_refill(queue))
		return NULL;
	struct task *task = local_queue_take_own(queue);
	if (processor_count > 1 && !brisk_is(scheduler) && local_queue_has_own(queue))
		ready_share_moved(scheduler);
	return task;
}

/* `takes`: the caller then takes the oldest. If that is the only one, nothing is left for others to see. */
static inline bool refill_plain(struct scheduler *scheduler, bool takes)
{
	struct local_queue *queue = scheduler->plain_queue;
	if (plain_more_for_others(scheduler) == 0 || local_queue_own(queue) || !local_queue_refill(queue))
		return false;
	bool is_only = !local_queue_own(queue)->ready_next && local_queue_room(queue) == LOCAL_BLOCK;
	if ((takes && is_only) || processor_count == 1 || brisk_is(scheduler) || !ready_must_share_moved())
		return true;
	plain_forbid(scheduler);
	return false;
}

bool plain_refill(struct scheduler *scheduler)
{
	return refill_plain(scheduler, false);
}

struct task *plain_take_refilled(struct scheduler *scheduler, const struct task *left)
{
	return plain_is_of(scheduler, left) && refill_plain(scheduler, true) ? plain_take(scheduler, left) : NULL;
}

static struct task *take_local(struct scheduler *scheduler, unsigned level)
{
	struct local_queue *queue = &scheduler->local[level];
	if (!(levels_of(scheduler) >> level & 1))
		return NULL;
	struct task *task = local_queue_take_own(queue);
	if (!task)
		task = ready_take_refilled(scheduler, queue);
	if (!task)
		levels_clear(scheduler, 1u << level);
	return task;
}

static struct task *take_unbound(struct scheduler *scheduler, unsigned level)
{
	return scheduler_policy == SCHEDULER_GLOBAL ? ready_global_take(level) : take_local(scheduler, level);
}

/* Bound and unbound tasks of one level take turns, so that neither starve. */
__attribute__((always_inline)) static inline struct task *take_level(struct scheduler *scheduler,
                                                                     unsigned level)
{
	scheduler->bound_turns ^= 1u << level;
	bool bound_first = scheduler->bound_turns >> level & 1;
	struct task *task = bound_first ? ready_bound_take(scheduler, level) : NULL;
	if (!task)
		task = take_unbound(scheduler, level);
	if (!task && !bound_first)
		task = ready_bound_take(scheduler, level);
	return task;
}

static uint32_t levels_unbound(struct scheduler *scheduler)
{
	return scheduler_policy == SCHEDULER_GLOBAL ? ready_global_levels() : levels_anywhere(scheduler);
}

/* The levels that may have something for this processor. */
static uint32_t levels_here(struct scheduler *scheduler)
{
	return ready_bound_levels(scheduler) | levels_unbound(scheduler);
}

uint32_t ready_levels(struct scheduler *scheduler)
{
	uintptr_t sent = run_next_word(scheduler);
	return levels_here(scheduler) | (sent ? 1u << slot_level(sent) : 0);
}

typedef struct task *(*taker)(struct scheduler *scheduler, unsigned level);

/* Of these levels, those below `lowest` left out. */
__attribute__((always_inline)) static inline struct task *
take_highest_of(uint32_t levels, unsigned lowest, taker take, struct scheduler *scheduler)
{
	for (levels = levels >> lowest << lowest; levels;) {
		unsigned level = 31 - (unsigned)__builtin_clz(levels);
		struct task *task = take(scheduler, level);
		if (task)
			return task;
		levels &= ~(1u << level);
	}
	return NULL;
}

__attribute__((noinline)) static struct task *take_highest_with_bound(struct scheduler *scheduler,
                                                                      unsigned lowest)
{
	return take_highest_of(levels_here(scheduler), lowest, take_level, scheduler);
}

static struct task *take_highest(struct scheduler *scheduler, unsigned lowest)
{
	if (__builtin_expect(ready_bound_waits(scheduler), 0))
		return take_highest_with_bound(scheduler, lowest);
	return take_highest_of(levels_unbound(scheduler), lowest, take_unbound, scheduler);
}

static struct task *take_sent_of(struct scheduler *scheduler, unsigned level)
{
	uintptr_t sent = run_next_word(scheduler);
	return sent && slot_level(sent) == level ? run_next_take(scheduler, level) : NULL;
}

/* The turn of a level: in every second turn, the task that was sent here comes first. */
static struct task *take_turn(struct scheduler *scheduler, unsigned level)
{
	bool sent_first = scheduler->picks / (READY_TURN_PICK * HEDDLE_PRIORITIES) % 2;
	struct task *task = sent_first ? take_sent_of(scheduler, level) : NULL;
	if (!task)
		task = take_level(scheduler, level);
	return task ? task : take_sent_of(scheduler, level);
}

/* Against starvation: each time another level is asked first, so that no level waits for ever. */
static struct task *take_in_turn(struct scheduler *scheduler)
{
	uint32_t levels = ready_levels(scheduler);
	unsigned first = scheduler->picks / READY_TURN_PICK % HEDDLE_PRIORITIES;
	for (unsigned step = 0; step < HEDDLE_PRIORITIES; step++) {
		unsigned level = (first + step) % HEDDLE_PRIORITIES;
		struct task *task = levels >> level & 1 ? take_turn(scheduler, level) : NULL;
		/* The task has a slice of its quantum, and then makes way for higher ones. */
		if (task && levels >> level > 1)
			quantum_ask(scheduler->processor);
		if (task)
			return task;
	}
	return NULL;
}

/* What a busy processor does every READY_CHORE_PICK picks, and while it has nested tasks. May return a task. */
static struct task *chores(struct scheduler *scheduler, unsigned lowest)
{
	timer_expire(scheduler);
	injection_accept();
	if (scheduler->picks % WATCHDOG_PICK == 0)
		watchdog_look();
	if (nest_waits(scheduler))
		return nest_take(scheduler);
	if (scheduler_policy == SCHEDULER_LOCAL)
		balance(scheduler);
	if (scheduler->picks % READY_TURN_PICK == 0)
		return take_in_turn(scheduler);
	if (scheduler->picks % READY_TURN_PICK == READY_TURN_PICK / 2)
		return ready_search_another(scheduler, lowest);
	return NULL;
}

/* A rare way to find a task; it may need more stack than a task is sure to have. */
typedef struct task *(*finder)(struct scheduler *scheduler, unsigned lowest);

struct ready_errand {
	finder find;
	struct scheduler *scheduler;
	unsigned lowest;
	struct task *found;
};

static void ready_errand_do(void *argument)
{
	struct ready_errand *errand = argument;
	errand->found = errand->find(errand->scheduler, errand->lowest);
}

READY_RARE static struct task *find_on_processor_stack(finder find, struct scheduler *scheduler,
                                                       unsigned lowest)
{
	struct ready_errand errand = {find, scheduler, lowest, NULL};
	arch_call_on_processor_stack(ready_errand_do, &errand);
	return errand.found;
}

/* A task was sent here. It goes before all others of its priority every second time. Another processor may take it
 * meanwhile. */
static struct task *ready_take_sent(struct scheduler *scheduler, unsigned lowest)
{
	unsigned level = slot_level(run_next_word(scheduler));
	if (level < lowest)
		return take_highest(scheduler, lowest);
	struct task *task = take_highest(scheduler, level + 1);
	if (task)
		return task;
	scheduler->ran_next = !scheduler->ran_next;
	if (!scheduler->ran_next)
		task = take_highest(scheduler, level);
	if (!task)
		task = run_next_take(scheduler, level);
	return task ? task : take_highest(scheduler, lowest);
}

static struct task *take_here(struct scheduler *scheduler, unsigned lowest)
{
	if (__builtin_expect(run_next_is_set(scheduler), 0))
		return find_on_processor_stack(ready_take_sent, scheduler, lowest);
	return take_highest(scheduler, lowest);
}

/* Nothing is left but the offer that no processor has fetched yet. */
static struct task *ready_take_back(struct scheduler *scheduler, unsigned lowest)
{
	return balance_take_back(scheduler) ? take_highest(scheduler, lowest) : NULL;
}

/* Whether others must see what becomes ready at that priority. */
static bool must_look(const struct scheduler *scheduler, unsigned level)
{
	return (processor_count > 1 && !brisk_is(scheduler)) || quantum_has_lower(level);
}

/* Tasks with these ties, which wait in that queue, may go the plain way. `looks`: see `plain_looks`. */
READY_RARE static void allow(struct scheduler *scheduler, uint64_t ties, struct local_queue *queue,
                             bool looks)
{
	scheduler->plain_queue = queue;
	/* seq_cst: before we look once more; pairs with plain_forbid: that comes after this, or we see what it is for. */
	word_exchange(&scheduler->plain, ties, memory_order_seq_cst);
	scheduler->plain_looks = looks;
	if (plain_is_wrong(scheduler))
		plain_forbid(scheduler);
}

READY_RARE static void allow_bound(struct scheduler *scheduler, unsigned level)
{
	uint64_t ties = task_ties_word((int16_t)scheduler->processor->index, level);
	if (atomic_load_explicit(&scheduler->plain, memory_order_relaxed) != ties)
		allow(scheduler, ties, &scheduler->bound[level], quantum_has_lower(level));
}

void plain_allow(struct scheduler *scheduler, unsigned level)
{
	if (scheduler_policy != SCHEDULER_LOCAL || !command_line.plain)
		return;
	uint32_t levels = levels_of(scheduler);
	if (levels == 1u << LEVELS_BOUND << level)
		allow_bound(scheduler, level);
	else if (levels == 1u << level &&
	         atomic_load_explicit(&scheduler->plain, memory_order_relaxed) != plain_ties(level))
		allow(scheduler, plain_ties(level), &scheduler->local[level], must_look(scheduler, level));
}

struct task *ready_take(struct scheduler *scheduler, unsigned lowest)
{
	struct task *task = NULL;
	scheduler->chain = (struct chain){0};
	plain_settle(scheduler);
	brisk_pick(scheduler);
	ready_share(scheduler);
	if (++scheduler->picks % READY_CHORE_PICK == 0 || nest_waits(scheduler))
		task = find_on_processor_stack(chores, scheduler, lowest);
	if (!task)
		task = take_here(scheduler, lowest);
	if (!task && balance_offer(scheduler))
		task = find_on_processor_stack(ready_take_back, scheduler, lowest);
	ready_look_again(scheduler);
	if (task)
		plain_allow(scheduler, task->schedule.priority);
	plain_renew(scheduler);
	return task;
}

struct task *ready_take_higher(struct scheduler *scheduler, unsigned lowest)
{
	struct task *task = take_here(scheduler, lowest);
	/* A task that was sent here need not be higher. */
	if (!task)
		task = run_next_take(scheduler, lowest - 1);
	return task ? task : find_on_processor_stack(ready_search_others, scheduler, lowest);
}

struct task *ready_search(struct scheduler *scheduler)
{
	timer_expire(scheduler);
	injection_accept();
	scheduler->seen_own = false;
	struct task *task = ready_take(scheduler, LEVEL_LOWEST);
	if (!task && scheduler_policy == SCHEDULER_GLOBAL)
		task = ready_added ? ready_added_search() : ready_global_search();
	return task ? task : ready_search_others(scheduler, LEVEL_LOWEST);
}
