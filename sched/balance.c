#include "sched/balance.h"

#include "sched/brisk.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/ready_bound.h"
#include "sched/trace.h"
#include "sched/wake.h"

/* A load consists of a priority and, below this bit, the number of tasks that wait at it, those bound here included. */
#define LOAD_LEVEL 24
#define LOAD_COUNT ((1u << LOAD_LEVEL) - 1)

/* A task that moves has to bring its memory along. The least difference that is worth that, and as a part of the
 * load. */
#define MARGIN      2
#define MARGIN_PART 8
#define MOST        LOCAL_BLOCK /* tasks that move at once */

/* ---------------------------------------------------------------------------------------------- load -- */

/* At the highest priority that waits here: lower tasks wait anyway. */
static uint32_t load_here(struct scheduler *scheduler)
{
	uint32_t levels = levels_anywhere(scheduler);
	if (!levels)
		return 0;
	unsigned level = 31 - (unsigned)__builtin_clz(levels);
	uint32_t count = local_queue_count(&scheduler->local[level]) + ready_bound_count(scheduler, level);
	return level << LOAD_LEVEL | (count & LOAD_COUNT);
}

/* How many tasks to offer to a processor with the load `other`; 0: none. */
static uint32_t surplus(uint32_t own, uint32_t other)
{
	unsigned level = own >> LOAD_LEVEL, level_other = other >> LOAD_LEVEL;
	uint32_t count = own & LOAD_COUNT, count_other = level_other == level ? other & LOAD_COUNT : 0;
	if (level_other > level || count < count_other + MARGIN || count - count_other < count / MARGIN_PART)
		return 0;
	uint32_t half = (count - count_other) / 2;
	return half < MOST ? half : MOST;
}

/* --------------------------------------------------------------------------------------------- offer -- */

static struct task *offer_take(struct scheduler *owner)
{
	/* A list -> 0; acquire: its links, from the exchange in offer_put. */
	uintptr_t offer = atomic_exchange_explicit(&owner->offer, 0, memory_order_acq_rel);
	return slot_task(offer);
}

/* Returns how many. */
static uint64_t put_all(struct scheduler *scheduler, struct task *task)
{
	uint64_t count = 0;
	for (struct task *next; task; task = next, count++) {
		next = task->ready_next;
		local_queue_put(ready_local(scheduler, task), task);
	}
	return count;
}

/* Put what `owner` offers to this processor's queue. Returns the number of tasks. */
static uint64_t bring(struct scheduler *scheduler, struct scheduler *owner)
{
	uint64_t count = balance_offer(owner) ? put_all(scheduler, offer_take(owner)) : 0;
	if (count > 0)
		ready_share_moved(scheduler);
	return count;
}

bool balance_take_back(struct scheduler *scheduler)
{
	return bring(scheduler, scheduler) > 0;
}

/* Returns whether the offer was made: not if a processor has come to rest, which gets the tasks in another way. */
static bool offer_put(struct scheduler *scheduler, unsigned level, uint32_t count)
{
	struct task *first = local_queue_cut(&scheduler->local[level], count);
	if (!first)
		return false;
	/* 0 -> a list; release: its links; seq_cst: before the look for resting processors. */
	atomic_exchange_explicit(&scheduler->offer, slot_word(first), memory_order_seq_cst);
	if (wake_is_resting()) {
		balance_take_back(scheduler);
		return false;
	}
	return true;
}

static bool runs_nothing(const struct scheduler *scheduler)
{
	return atomic_load_explicit(&scheduler->running, memory_order_relaxed) == RUNNING_NOTHING;
}

static void balance_look(struct scheduler *scheduler, struct scheduler *other)
{
	balance_take_back(scheduler);
	/* Its tasks are over before they have moved, and would take those along that wait for their ends. */
	if (brisk_is(scheduler))
		return;
	uint32_t own = load_here(scheduler);
	/* Others read it more often than it changes. */
	if (atomic_load_explicit(&scheduler->load, memory_order_relaxed) != own)
		atomic_store_explicit(&scheduler->load, own, memory_order_relaxed);
	uint32_t count = surplus(own, atomic_load_explicit(&other->load, memory_order_relaxed));
	/* A processor that has nothing to do searches by itself; one that was invited already is about to get some. */
	if (count == 0 || runs_nothing(other) || atomic_load_explicit(&other->invited, memory_order_relaxed))
		return;
	if (offer_put(scheduler, own >> LOAD_LEVEL, count))
		atomic_store_explicit(&other->invited, scheduler->processor->index + 1, memory_order_relaxed);
}

/* --------------------------------------------------------------------------------------------- fetch -- */

struct task *balance_fetch(struct scheduler *scheduler, struct scheduler *owner)
{
	struct task *first = offer_take(owner);
	if (!first)
		return NULL;
	uint64_t count = 1 + put_all(scheduler, first->ready_next);
	counter_add(&scheduler->counters.taken, count);
	trace_take(owner->processor, count);
	/* While we held them, no processor could find them. */
	ready_share_moved(scheduler);
	return first;
}

static void accept_invitation(struct scheduler *scheduler)
{
	uint32_t invited = atomic_load_explicit(&scheduler->invited, memory_order_relaxed);
	if (invited == 0)
		return;
	atomic_store_explicit(&scheduler->invited, 0, memory_order_relaxed);
	uint64_t count = bring(scheduler, processors[invited - 1].scheduler);
	counter_add(&scheduler->counters.taken, count);
	if (count > 0)
		trace_take(&processors[invited - 1], count);
}

void balance(struct scheduler *scheduler)
{
	accept_invitation(scheduler);
	uint32_t turn = scheduler->picks / BALANCE_PICK;
	if (scheduler->picks % BALANCE_PICK == 0 && scheduler->victims > 0)
		balance_look(scheduler, processors[scheduler->nearest[turn % scheduler->victims]].scheduler);
}
