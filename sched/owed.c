#include "sched/owed.h"

#include "sched/control.h"
#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/run_next.h"
#include "sched/switch.h"
#include "sched/wait.h"

void owed_keep(struct scheduler *scheduler, struct task *task, const void *giver, uint32_t instructions)
{
	ASSERT(!scheduler->owed);
	scheduler->owed = task;
	scheduler->owed_giver = giver;
	owed_bound(scheduler, instructions);
	plain_settle(scheduler);
}

static struct task *owed_forget(struct scheduler *scheduler)
{
	struct task *task = scheduler->owed;
	scheduler->owed = NULL;
	scheduler->owed_giver = scheduler->owed_lent = NULL;
	plain_renew(scheduler);
	return task;
}

/* Empty the slot: the current task goes on, with what was taken off its counter. */
static struct task *owed_take_out(struct scheduler *scheduler)
{
	struct processor *processor = scheduler->processor;
	quantum_counter_move(processor, scheduler->owed_rest);
	return owed_forget(scheduler);
}

struct task *owed_take_back(struct scheduler *scheduler)
{
	trace_revoke(scheduler->owed);
	return owed_take_out(scheduler);
}

static void wait_again(void *task)
{
	wait_take_back(task);
}

/* The owed task may have been cancelled meanwhile: then it becomes ready instead. */
READY_RARE void owed_return(struct scheduler *scheduler)
{
	arch_call_on_processor_stack(wait_again, owed_take_out(scheduler));
}

static bool return_any(struct scheduler *scheduler)
{
	bool is_lent = scheduler->owed_lent;
	if (is_lent)
		owed_return(scheduler);
	return is_lent;
}

/* Take the owed task: the current one leaves for it. */
static struct task *owed_take(struct scheduler *scheduler)
{
	struct task *task = owed_forget(scheduler);
	scheduler->chain.count++;
	return task;
}

struct task *owed_leave(struct scheduler *scheduler)
{
	if (return_any(scheduler))
		return NULL;
	if (!scheduler->owed_giver)
		scheduler->current->wait.wake_pause = scheduler->current->wait.wake_pause_next = 0;
	return owed_take(scheduler);
}

struct task *owed_leave_plainly(struct scheduler *scheduler, const struct task *left)
{
	const struct task *next = scheduler->owed;
	if (!next || scheduler->owed_lent || next->schedule.ties.word != left->schedule.ties.word ||
	    !plain_is_of(scheduler, left))
		return NULL;
	counter_add(&scheduler->counters.switches, 1);
	return owed_leave(scheduler);
}

static void make_way(struct scheduler *scheduler)
{
	switch_to(owed_take(scheduler), finalize_publish, NULL);
}

bool owed_yield(struct scheduler *scheduler)
{
	bool is_given = scheduler->owed_giver;
	if (is_given)
		make_way(scheduler);
	else
		owed_settle(scheduler);
	return is_given;
}

bool owed_spent(struct scheduler *scheduler)
{
	if (scheduler->owed_giver) {
		control_keep_at_check(scheduler->current);
		make_way(scheduler);
		return true;
	}
	owed_settle(scheduler);
	return !quantum_is_spent(scheduler);
}

static void publish(void *task)
{
	ready_publish(task);
}

/* Publish an owed task before others: the lock that it was given waits for it. */
static void publish_first(void *task)
{
	run_next_publish(task, processor_current()->index);
}

READY_RARE void owed_settle(struct scheduler *scheduler)
{
	if (return_any(scheduler))
		return;
	bool is_given = scheduler->owed_giver;
	arch_call_on_processor_stack(is_given ? publish_first : publish, owed_take_out(scheduler));
}
