#include "sync/select.h"

#include "sync/channel.h"

enum { OPEN, TAKEN }; /* any other value: the ticket of the task's wait, shifted */

static uint64_t select_state_of(uint64_t ticket)
{
	return ticket << 1;
}

bool choice_take(struct request *request, struct granted *granted)
{
	struct choice *choice = request->choice;
	uint64_t state = atomic_load_explicit(&choice->state, memory_order_relaxed);
	do {
		if (state == TAKEN)
			return false;
		/* OPEN, a ticket -> TAKEN; acquire: the task has left its stack, from finalize_select. */
	} while (!atomic_compare_exchange_weak_explicit(&choice->state, &state, TAKEN, memory_order_acq_rel,
	                                                memory_order_relaxed));
	choice->chosen = request->count;
	/* Even if a deadline has ended the wait, the task finds the choice made. */
	if (state != OPEN && wait_grant(choice->task, state >> 1, HEDDLE_OK))
		granted_add(granted, choice->task);
	return true;
}

static void finalize_select(struct task *left, void *argument)
{
	struct choice *choice = argument;
	uint64_t open = OPEN, ticket = wait_leave(left);
	/* OPEN -> the ticket; release: the task has left its stack. */
	if (atomic_compare_exchange_strong_explicit(&choice->state, &open, select_state_of(ticket),
	                                            memory_order_acq_rel, memory_order_acquire)) {
		wait_arm(left, ticket);
		return;
	}
	wait_grant(left, ticket, HEDDLE_OK);
	ready_publish(left);
}

/* A request that stays: it is carried out, or queued, before this returns. */
static void select_add(struct channel *channel, struct request *request)
{
	struct request placing = {.operation = CHANNEL_PLACE, .immediate = true, .target = request};
	serve(&channel->served, &channel_kind, &placing, HEDDLE_NO_DEADLINE, false);
}

static void select_withdraw(struct channel *channel, struct request *request)
{
	struct request withdrawal = {.operation = REQUEST_WITHDRAW, .immediate = true, .target = request};
	serve(&channel->served, &channel_kind, &withdrawal, HEDDLE_NO_DEADLINE, false);
}

static bool is_taken(struct choice *choice)
{
	return atomic_load_explicit(&choice->state, memory_order_relaxed) == TAKEN;
}

/* Wait until the choice is made. Giving up makes it too. */
static enum heddle_error select_await(struct choice *choice, uint64_t deadline)
{
	static const struct wait_object several = {"one of several channels", NULL, NULL};
	enum heddle_error error = wait_begin(&several, deadline);
	if (error == HEDDLE_OK) {
		switch_away(finalize_select, choice);
		error = wait_finish();
	}
	if (error == HEDDLE_OK)
		return HEDDLE_OK;
	/* OPEN, the ticket -> TAKEN; if it was TAKEN, a server was faster. */
	bool late = atomic_exchange_explicit(&choice->state, TAKEN, memory_order_acq_rel) == TAKEN;
	return late ? HEDDLE_OK : error;
}

/* In an uncooperative section no request may stay in a queue: taking it out again would mean waiting for the
 * processor that serves. */
static enum heddle_error try_each(const struct channel_case *cases, size_t count, size_t *chosen)
{
	for (size_t i = 0; i < count; i++) {
		enum heddle_error error = cases[i].send ? channel_try_send(cases[i].channel, cases[i].message)
		                                        : channel_try_receive(cases[i].channel, cases[i].message);
		if (error == HEDDLE_OK || error == HEDDLE_CLOSED) {
			*chosen = i;
			return error;
		}
	}
	return HEDDLE_UNCOOPERATIVE;
}

STACK_ENTRY(channel_select)
enum heddle_error channel_select(const struct channel_case *cases, size_t count, size_t *chosen,
                                 uint64_t deadline)
{
	struct request requests[HEDDLE_CHANNEL_SELECT_MAXIMUM];
	struct choice choice = {.task = task_current()};
	if (count == 0 || count > HEDDLE_CHANNEL_SELECT_MAXIMUM)
		return HEDDLE_BAD_ARGUMENT;
	if (processor_current()->uncooperative != 0)
		return try_each(cases, count, chosen);
	size_t added = 0;
	for (; added < count && !is_taken(&choice); added++) {
		requests[added] = (struct request){.operation = cases[added].send ? CHANNEL_SEND : CHANNEL_RECEIVE,
		                                   .count = (uint32_t)added,
		                                   .message = cases[added].message,
		                                   .choice = &choice};
		select_add(cases[added].channel, &requests[added]);
	}
	enum heddle_error error = is_taken(&choice) ? HEDDLE_OK : select_await(&choice, deadline);
	for (size_t i = 0; i < added; i++)
		select_withdraw(cases[i].channel, &requests[i]);
	if (error != HEDDLE_OK)
		return error;
	*chosen = choice.chosen;
	return requests[choice.chosen].result;
}
