#include "sched/timer_watch.h"

#include "sched/timer.h"
#include "sched/wake.h"

#define NO_WATCHER (-1)

/* Which processor watches, and until when it halts; UINT64_MAX: none, or for ever. */
static _Atomic int32_t watcher;
static _Atomic uint64_t watched_until;

void timer_watch_start(void)
{
	atomic_store_explicit(&watcher, NO_WATCHER, memory_order_relaxed);
	atomic_store_explicit(&watched_until, UINT64_MAX, memory_order_relaxed);
}

/* ----------------------------------------------------------------------------------------------- set -- */

static void wake_watcher(void)
{
	/* seq_cst: after the deadline was stored; pairs with the exchange in timer_watch_give_up. */
	int32_t index = atomic_load_explicit(&watcher, memory_order_seq_cst);
	if (index == NO_WATCHER)
		wake_next();
	else
		wake_home(&processors[index]);
}

void timer_watch_set(struct scheduler *scheduler, uint64_t deadline)
{
	uint64_t before = atomic_load_explicit(&scheduler->watched, memory_order_relaxed);
	if (processor_count == 1)
		return;
	if (deadline >= before) {
		if (deadline > before)
			atomic_store_explicit(&scheduler->watched, deadline, memory_order_relaxed);
		return;
	}
	/* seq_cst: before the look for the watcher; pairs with timer_watch. */
	atomic_exchange_explicit(&scheduler->watched, deadline, memory_order_seq_cst);
	if (deadline < atomic_load_explicit(&watched_until, memory_order_seq_cst) - TIMER_LATE)
		wake_watcher();
}

/* --------------------------------------------------------------------------------------------- watch -- */

static uint64_t watched_of(unsigned index)
{
	/* seq_cst: after we have said until when we watch, or that we do not; pairs with timer_watch_set. */
	return atomic_load_explicit(&processors[index].scheduler->watched, memory_order_seq_cst);
}

/* The next look at a deadline that is still there. */
static uint64_t timer_watch_look_at(unsigned index, uint64_t now)
{
	uint64_t deadline = watched_of(index);
	if (deadline >= UINT64_MAX - TIMER_LATE)
		return UINT64_MAX;
	if (deadline + TIMER_LATE > now)
		return deadline + TIMER_LATE;
	arch_processor_interrupt(&processors[index]);
	return now + TIMER_LATE; /* once more, if that found it in the scheduler */
}

/* Whether this processor watches; it does from now on if none does. */
static bool timer_watch_claim(struct scheduler *scheduler)
{
	/* seq_cst: after this processor's announcement; pairs with the exchange in timer_watch_give_up. */
	int32_t index = atomic_load_explicit(&watcher, memory_order_seq_cst);
	/* NO_WATCHER -> this one, likewise. */
	if (index == NO_WATCHER &&
	    atomic_compare_exchange_strong_explicit(&watcher, &index, (int32_t)scheduler->processor->index,
	                                            memory_order_seq_cst, memory_order_seq_cst))
		scheduler->watches = true;
	return scheduler->watches;
}

uint64_t timer_watch(struct scheduler *scheduler)
{
	unsigned own = scheduler->processor->index;
	if (!timer_watch_claim(scheduler))
		return UINT64_MAX;
	/* seq_cst: before the deadlines are read; one that is stored from here on wakes us. */
	atomic_exchange_explicit(&watched_until, UINT64_MAX, memory_order_seq_cst);
	uint64_t now = arch_clock(), next = UINT64_MAX;
	for (unsigned index = 0; index < processor_count; index++) {
		uint64_t look = index == own ? UINT64_MAX : timer_watch_look_at(index, now);
		next = look < next ? look : next;
	}
	atomic_store_explicit(&watched_until, next, memory_order_relaxed);
	return next;
}

static bool is_any_watched(void)
{
	for (unsigned index = 0; index < processor_count; index++)
		if (watched_of(index) != UINT64_MAX)
			return true;
	return false;
}

static void timer_watch_give_up(struct scheduler *scheduler)
{
	scheduler->watches = false;
	atomic_store_explicit(&watched_until, UINT64_MAX, memory_order_relaxed);
	/* This one -> NO_WATCHER; seq_cst: before we look for deadlines, and for a processor to watch them. */
	atomic_exchange_explicit(&watcher, NO_WATCHER, memory_order_seq_cst);
	if (is_any_watched())
		wake_next();
}

void timer_watch_busy(struct scheduler *scheduler, uint64_t deadline)
{
	if (scheduler->watches) {
		atomic_store_explicit(&scheduler->watched, deadline, memory_order_relaxed);
		timer_watch_give_up(scheduler);
	} else {
		timer_watch_set(scheduler, deadline);
	}
}
