/*
 * Balance among busy processors, under sched=local. Each publishes now and then how many tasks wait on it, its load,
 * and compares that with the load of one other processor: each in turn, nearest first. If the other has clearly less,
 * this one offers it half of the difference, its oldest tasks, as a list in a slot, and invites the other to fetch
 * them. A processor that has nothing to do may fetch them as well. The owner takes back what is still there at its
 * next look, and when nothing else is ready on it.
 *
 *     empty --balance: the owner--> a list of tasks --balance_fetch: any; or taken back: the owner--> empty
 *
 * A list that moves between the slot and a local queue may pass a search that is under way. So the processor
 * that has moved it looks afterwards which others have come to rest, as in local_queue.h.
 *
 * This costs a plain yield nothing: a look comes every BALANCE_PICK picks.
 *
 * | operation         | progress  | takes effect                                       |
 * |-------------------|-----------|----------------------------------------------------|
 * | balance           | lock-free | at the exchange of the slot; owner only            |
 * | balance_fetch     | lock-free | at its exchange                                    |
 * | balance_take_back | lock-free | the same; owner only                               |
 */
#ifndef SCHED_BALANCE_H
#define SCHED_BALANCE_H

#include "sched/scheduler.h"
#include "sched/slot.h"

#define BALANCE_PICK 256 /* a look counts the tasks of a list one by one */

/* What a processor offers: the first task of the list, as a word of slot.h; 0: nothing. Outdated at once. */
static inline uintptr_t balance_offer(const struct scheduler *scheduler)
{
	/* seq_cst: after an announcement; pairs with the exchange in offer_put. */
	return atomic_load_explicit(&scheduler->offer, memory_order_seq_cst);
}

/* Called every READY_CHORE_PICK picks: fetch what this processor was invited to; every BALANCE_PICK picks, compare
 * loads. */
void balance(struct scheduler *scheduler);

/* Fetch what `owner` offers: returns the oldest, and puts the others to this processor's queue. NULL: it was gone. */
struct task *balance_fetch(struct scheduler *scheduler, struct scheduler *owner);

/* Put what no processor has fetched back to this one's queue. Returns whether there was anything. */
bool balance_take_back(struct scheduler *scheduler);

#endif
