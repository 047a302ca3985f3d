#include "sched/external_wait.h"

#include "sched/ready.h"
#include "sched/switch.h"
#include "sched/wait.h"

/* Values of `late`; any other is a ticket. */
#define WAITING  UINT64_C(0)
#define ACCEPTED UINT64_MAX

static void external_wait_go_on(struct task *task, uint64_t ticket, enum heddle_error outcome)
{
	if (wait_grant(task, ticket, outcome))
		ready_publish(task);
}

static void external_wait_accept(struct injection *injection, enum heddle_error error)
{
	struct external_wait *wait = (struct external_wait *)injection;
	struct task *task = wait->task;
	(void)error; /* no task is made, so there is none */
	/* Once the wait has ended, the task may go on, and `wait` may be gone. */
	if (wait_grant(task, wait->ticket, wait->outcome)) {
		ready_publish(task);
		return;
	}
	/* WAITING -> ACCEPTED, or a ticket; acquire, release: no other looks at `wait` after this; pairs with the
	 * exchange in finalize_settle. */
	uint64_t late = atomic_exchange_explicit(&wait->late, ACCEPTED, memory_order_acq_rel);
	if (late != WAITING)
		external_wait_go_on(task, late, HEDDLE_OK);
}

uint64_t external_wait_publish(struct external_wait *wait, struct task *left)
{
	wait->injection = (struct injection){.accepted = external_wait_accept};
	wait->task = left;
	atomic_store_explicit(&wait->late, WAITING, memory_order_relaxed);
	return wait->ticket = wait_leave(left);
}

void external_wait_gather(struct external_waits *waits, struct external_wait *wait, enum heddle_error outcome)
{
	wait->outcome = outcome;
	wait->injection.next = waits->newest;
	waits->newest = &wait->injection;
	if (!waits->oldest)
		waits->oldest = &wait->injection;
}

void external_wait_end_all(struct external_waits *waits)
{
	if (waits->newest)
		injection_submit_chain(waits->newest, waits->oldest);
	*waits = (struct external_waits){NULL, NULL};
}

void external_wait_end_here(struct external_waits *waits)
{
	if (waits->newest)
		injection_submit_here(waits->newest, waits->oldest);
	*waits = (struct external_waits){NULL, NULL};
}

void external_wait_end(struct external_wait *wait, enum heddle_error outcome)
{
	struct external_waits waits = {NULL, NULL};
	external_wait_gather(&waits, wait, outcome);
	external_wait_end_all(&waits);
}

static void finalize_settle(struct task *left, void *argument)
{
	struct external_wait *wait = argument;
	uint64_t ticket = wait_leave(left);
	/* WAITING, ACCEPTED -> a ticket; acquire, release: the task has left its stack, and the processor does not look
	 * at `wait` after ACCEPTED; pairs with the exchange in external_wait_accept. */
	if (atomic_exchange_explicit(&wait->late, ticket, memory_order_acq_rel) == ACCEPTED)
		wait_go_on(left, ticket);
}

void external_wait_settle(struct external_wait *wait)
{
	static const struct wait_object object = {.kind = "event outside"};
	/* Cooperative: the task has just waited. */
	if (wait_begin_kept(&object) != HEDDLE_OK)
		return;
	switch_away(finalize_settle, wait);
	wait_finish();
}
