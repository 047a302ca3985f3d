#include "sync/strategy/backoff.h"

#include "sched/switch.h"

#define SHIFT_MAXIMUM 20

static uint32_t or_default(uint32_t limit, uint32_t replacement)
{
	return limit ? limit : replacement;
}

/* If a strategy has no later stage, the last stage that it has goes on for ever: spinning only if the lock's sections
 * are uncooperative, else yielding. */
void backoff_start(struct backoff *backoff, const struct waiting_strategy *strategy,
                   const struct wait_object *object, _Atomic(uintptr_t) *resume_handle)
{
	bool only_spins = strategy->spins && !strategy->yields && !strategy->suspends;
	uint32_t spins = strategy->spins ? or_default(strategy->spins_maximum, HEDDLE_WAITING_SPINS_MAXIMUM) : 0;
	uint32_t yields =
	    strategy->yields ? or_default(strategy->yields_maximum, HEDDLE_WAITING_YIELDS_MAXIMUM) : 0;
	*backoff = (struct backoff){
	    .object = object,
	    .resume_handle = strategy->suspends ? resume_handle : NULL,
	    .yield_limit = only_spins && strategy->uncooperative ? UINT32_MAX : spins + 1,
	    .spin_longest = or_default(strategy->spin_longest, HEDDLE_WAITING_SPIN_LONGEST),
	};
	backoff->suspend_limit = spins + yields + 1;
}

void backoff_limit(struct backoff *backoff, uint32_t spins, uint32_t yields)
{
	backoff->yield_limit = spins + 1;
	backoff->suspend_limit = spins + yields + 1;
}

static void spin(uint32_t pauses)
{
	for (uint32_t i = 0; i < pauses; i++)
		arch_pause();
}

/* READY_FOR_SUSPEND -> the task. */
static void finalize_backoff_suspend(struct task *left, void *resume_handle)
{
	uintptr_t expected = READY_FOR_SUSPEND;
	uint64_t ticket = wait_leave(left);
	/* release: the task has left its stack; pairs with resume_handle_resume. */
	if (atomic_compare_exchange_strong_explicit((_Atomic(uintptr_t) *)resume_handle, &expected,
	                                            (uintptr_t)left, memory_order_release, memory_order_relaxed))
		return;
	wait_go_on(left, ticket);
}

/* TrySuspend of Listing 2. */
static void try_suspend(const struct backoff *backoff)
{
	if (resume_handle_is_active(backoff->resume_handle) || wait_begin_kept(backoff->object) != HEDDLE_OK)
		return;
	switch_away(finalize_backoff_suspend, backoff->resume_handle);
	wait_finish();
}

/* Whether the task is kept awake; not for ever. */
static bool stays_awake(const struct backoff *backoff, uint32_t turn)
{
	uintptr_t awake = AWAKE;
	if (!backoff->all_awake || (!atomic_load_explicit(backoff->all_awake, memory_order_relaxed) &&
	                            atomic_load_explicit(backoff->resume_handle, memory_order_relaxed) != AWAKE))
		return false;
	if (turn < HEDDLE_WAITING_AWAKE_MAXIMUM)
		return true;
	/* AWAKE -> READY_FOR_SUSPEND. If it fails, the wait is over, which try_suspend sees. */
	atomic_compare_exchange_strong_explicit(backoff->resume_handle, &awake, READY_FOR_SUSPEND,
	                                        memory_order_relaxed, memory_order_relaxed);
	return false;
}

void backoff_wait(struct backoff *backoff)
{
	uint32_t turn = backoff->turns < UINT32_MAX - 1 ? ++backoff->turns : backoff->turns;
	if (turn < backoff->yield_limit) {
		uint32_t pauses = 1u << (turn < SHIFT_MAXIMUM ? turn : SHIFT_MAXIMUM);
		backoff->stage = WAITED_SPINNING;
		spin(pauses < backoff->spin_longest ? pauses : backoff->spin_longest);
	} else if (turn < backoff->suspend_limit || !backoff->resume_handle || stays_awake(backoff, turn)) {
		backoff->stage = WAITED_YIELDING;
		task_yield();
	} else {
		backoff->stage = WAITED_SUSPENDED;
		try_suspend(backoff);
	}
}

static void resume(uintptr_t handle)
{
	struct task *task = (struct task *)handle;
	wait_grant(task, wait_ticket(task), HEDDLE_OK);
	ready_publish(task);
}

void resume_handle_wake(_Atomic(uintptr_t) *resume_handle, uintptr_t state)
{
	/* READY_FOR_SUSPEND, AWAKE, a task -> state; acquire: the task has left its stack, from
	 * finalize_backoff_suspend. */
	uintptr_t handle = atomic_exchange_explicit(resume_handle, state, memory_order_acquire);
	if (handle > AWAKE)
		resume(handle);
}

void resume_handle_resume(_Atomic(uintptr_t) *resume_handle)
{
	/* READY_FOR_SUSPEND, AWAKE, a task -> KEEP_ACTIVE; release: what the holder did, pairs with
	 * resume_handle_is_active; acquire: the task has left its stack, from finalize_backoff_suspend. */
	uintptr_t handle = atomic_exchange_explicit(resume_handle, KEEP_ACTIVE, memory_order_acq_rel);
	if (handle > AWAKE)
		resume(handle);
}
