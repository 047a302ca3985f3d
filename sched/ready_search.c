/* Looking for tasks at other processors (ready.h): in what they share, in their slots (run_next.h), in what they
 * offer (balance.h). */
#include "sched/balance.h"
#include "sched/brisk.h"
#include "sched/levels.h"
#include "sched/plain.h"
#include "sched/ready.h"
#include "sched/ready_added.h"
#include "sched/ready_global.h"
#include "sched/run_next.h"
#include "sched/timer.h"
#include "sched/trace.h"
#include "sched/wake.h"

/* ---------------------------------------------------------------------------------------------- take -- */

/* For a processor that looks again and again before it halts: it takes only what it has seen twice. */
static bool is_first_sight(struct scheduler *scheduler, const void *place, uint64_t state)
{
	if (scheduler->seen == place && scheduler->seen_state == state)
		return false;
	scheduler->sights++;
	scheduler->seen = place;
	scheduler->seen_state = state;
	return true;
}

/* The only task of another processor. Probably its owner, which has it in its cache, is about to take it. */
static bool leave_to_owner(struct scheduler *scheduler, const struct ring *ring)
{
	uint64_t head;
	return scheduler->lingers && ring_has_one(ring, &head) && is_first_sight(scheduler, ring, head);
}

/* sched=local: take what another processor shares; if it has tasks that it does not share, ask it to. */
static struct task *take_shared(struct scheduler *scheduler, struct scheduler *victim, unsigned level)
{
	struct local_queue *queue = &victim->local[level];
	uint64_t count;
	if (leave_to_owner(scheduler, &queue->ring))
		return NULL;
	struct task *task = local_queue_steal(queue, &scheduler->local[level], &count);
	if (task) {
		ready_local(scheduler, task); /* the queue may have got some more */
		counter_add(&scheduler->counters.taken, count);
		trace_take(victim->processor, count);
		brisk_take(scheduler, victim, count);
		if (count > 1)
			wake_unless_arriving(1); /* while we held the tasks, no processor could find them */
	} else if (local_queue_has_own(queue)) {
		scheduler->seen_own = true;
		ready_want(victim);
		plain_forbid(victim);
	}
	return task;
}

/* Take the task that was sent there. Its home is about to run it, unless it runs something else for long. */
static struct task *ready_search_take_sent(struct scheduler *scheduler, struct scheduler *victim,
                                           uintptr_t word)
{
	if (scheduler->lingers && is_first_sight(scheduler, &victim->run_next, word))
		return NULL;
	struct task *task = run_next_steal(victim, word);
	if (!task)
		return NULL;
	counter_add(&scheduler->counters.taken, 1);
	trace_take(victim->processor, 1);
	return task;
}

/* Not from a search for higher tasks. */
static bool brisk_keeps(const struct scheduler *victim, unsigned lowest)
{
	return brisk_is(victim) && lowest == LEVEL_LOWEST;
}

/* Take another processor's highest task that may run here. */
static struct task *take_from(struct scheduler *scheduler, struct scheduler *victim, unsigned lowest)
{
	uintptr_t word = run_next_word(victim);
	uint32_t sent = run_next_is_free(word) ? 1u << slot_level(word) : 0;
	/* seq_cst: after our announcement; pairs with ring_put, which comes after the bit. What is put without such an
	 * order is seen after arch_remote_barrier() (wake.h). */
	uint32_t shared = atomic_load_explicit(&victim->levels, memory_order_seq_cst) & LEVELS_ANYWHERE;
	uintptr_t offer = balance_offer(victim);
	uint32_t offered = offer ? 1u << slot_level(offer) : 0;
	uint32_t left = (shared | sent | offered) >> lowest << lowest;
	while (left) {
		unsigned level = 31 - (unsigned)__builtin_clz(left);
		struct task *task = sent >> level & 1 ? ready_search_take_sent(scheduler, victim, word) : NULL;
		if (!task && offered >> level & 1)
			task = balance_fetch(scheduler, victim);
		if (!task && shared >> level & 1 && !brisk_keeps(victim, lowest))
			task = take_shared(scheduler, victim, level);
		if (task)
			return task;
		left &= ~(1u << level);
	}
	return NULL;
}

struct task *ready_search_others(struct scheduler *scheduler, unsigned lowest)
{
	for (unsigned turn = 0; turn < scheduler->victims; turn++) {
		struct task *task = take_from(scheduler, processors[scheduler->nearest[turn]].scheduler, lowest);
		if (task)
			return task;
	}
	return NULL;
}

/* The owner was asked to share so long ago that it must be running code without checks. */
static bool is_overdue(const struct scheduler *owner)
{
	uint64_t since = atomic_load_explicit(&owner->wanted, memory_order_relaxed);
	uint64_t patience = atomic_load_explicit(&ready_patience, memory_order_relaxed);
	return since != 0 && since + patience <= ready_now();
}

struct task *ready_search_another(struct scheduler *scheduler, unsigned lowest)
{
	if (scheduler->victims == 0)
		return NULL;
	unsigned turn = scheduler->picks / READY_TURN_PICK % scheduler->victims;
	struct processor *victim = &processors[scheduler->nearest[turn]];
	uint32_t here = ready_levels(scheduler);
	unsigned above = here ? 32 - (unsigned)__builtin_clz(here) : 0;
	struct task *task = take_from(scheduler, victim->scheduler, above > lowest ? above : lowest);
	if (!task && is_overdue(victim->scheduler))
		arch_processor_interrupt(victim);
	return task;
}

/* -------------------------------------------------------------------------------------- ask for more -- */

bool ready_interrupt_owners(struct scheduler *scheduler)
{
	if (!scheduler->seen_own)
		return false;
	for (unsigned turn = 0; turn < scheduler->victims; turn++) {
		struct processor *owner = &processors[scheduler->nearest[turn]];
		if (is_overdue(owner->scheduler))
			arch_processor_interrupt(owner);
	}
	return true;
}

void ready_interrupted(void)
{
	struct scheduler *scheduler = scheduler_current();
	if (!scheduler || scheduler->current == scheduler->idle_task)
		return;
	counter_add(&scheduler->counters.interrupts, 1);
	ready_check(scheduler);
	timer_expire(scheduler);
}

/* -------------------------------------------------------------------------------------------- spread -- */

static bool waits_at(struct scheduler *scheduler)
{
	if (run_next_is_free(run_next_word(scheduler)) || balance_offer(scheduler))
		return true;
	/* seq_cst: after our arrival; pairs with the put of a processor that relies on it. */
	uint32_t levels = atomic_load_explicit(&scheduler->levels, memory_order_seq_cst) & LEVELS_ANYWHERE;
	for (; levels; levels &= levels - 1) {
		unsigned level = (unsigned)__builtin_ctz(levels);
		if (local_queue_has_shared(&scheduler->local[level]))
			return true;
	}
	return false;
}

static bool waits_globally(void)
{
	return scheduler_policy == SCHEDULER_GLOBAL && (ready_added ? ready_added_waits() : ready_global_waits());
}

static bool waits_anywhere(void)
{
	if (waits_globally())
		return true;
	for (unsigned index = 0; index < processor_count; index++)
		if (waits_at(processors[index].scheduler))
			return true;
	return false;
}

void ready_spread(void)
{
	/* Two, so that the number of processors that are up doubles with each step. */
	for (unsigned i = 0; i < 2 && waits_anywhere() && !wake_is_lingering(); i++)
		wake_next();
}

bool ready_is_alone(void)
{
	struct scheduler *scheduler = scheduler_current();
	uint32_t levels = levels_anywhere(scheduler);
	if (processor_count == 1 || levels_bound(scheduler) || run_next_is_set(scheduler) || waits_globally())
		return false;
	for (; levels; levels &= levels - 1) {
		struct local_queue *queue = &scheduler->local[__builtin_ctz(levels)];
		if (local_queue_has_own(queue) || local_queue_has_shared(queue))
			return false;
	}
	return true;
}
