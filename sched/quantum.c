#include "sched/quantum.h"

#include "kernel/panic.h"
#include "sched/callback.h"
#include "sched/growth.h"
#include "sched/owed.h"
#include "sched/plain.h"
#include "sched/ready.h"
#include "sched/switch.h"
#include "sched/timer.h"

_Atomic uint32_t quantum_lowest = HEDDLE_PRIORITIES;

void quantum_start(void)
{
	atomic_store_explicit(&quantum_lowest, HEDDLE_PRIORITIES, memory_order_relaxed);
}

void quantum_lower(unsigned level)
{
	uint32_t lowest = atomic_load_explicit(&quantum_lowest, memory_order_relaxed);
	while (level < lowest && !atomic_compare_exchange_weak_explicit(
	                             &quantum_lowest, &lowest, level, memory_order_relaxed, memory_order_relaxed))
		continue;
	/* Each processor looks again in plain_allow(). */
	for (unsigned index = 0; index < processor_count; index++)
		plain_forbid(processors[index].scheduler);
}

/* ----------------------------------------------------------------------------------------------- ask -- */

void quantum_ask(struct processor *processor)
{
	/* release: the task that this is for; pairs with the exchange in take_request. An exchange, so that tasks
	 * published by earlier callers are seen as well. */
	atomic_exchange_explicit(&processor->scheduler->asked, true, memory_order_release);
	quantum_counter_end(processor);
}

static bool runs_lower(const struct scheduler *scheduler, unsigned level)
{
	return atomic_load_explicit(&scheduler->running, memory_order_relaxed) < level;
}

void quantum_ask_if_lower(struct processor *processor, unsigned level)
{
	if (runs_lower(processor->scheduler, level))
		quantum_ask(processor);
}

struct processor *quantum_lower_nearby(const struct scheduler *scheduler, unsigned level)
{
	uint32_t count = scheduler->victims < QUANTUM_ASKED ? scheduler->victims : QUANTUM_ASKED;
	struct processor *lower = NULL;
	for (uint32_t i = 0; i < count; i++) {
		struct processor *other = &processors[scheduler->nearest[i]];
		if (!runs_lower(other->scheduler, level))
			continue;
		lower = other;
		/* A processor that was asked already probably takes another task. */
		if (!atomic_load_explicit(&other->scheduler->asked, memory_order_relaxed))
			break;
	}
	return lower;
}

/* --------------------------------------------------------------------------------------------- spent -- */

/* Whether an early switch was asked for since the last time. */
static bool take_request(struct scheduler *scheduler)
{
	return atomic_load_explicit(&scheduler->asked, memory_order_relaxed) &&
	       /* true -> false; acquire: the task that the request is for, from quantum_ask. */
	       atomic_exchange_explicit(&scheduler->asked, false, memory_order_acquire);
}

static uint64_t switch_count(const struct scheduler *scheduler)
{
	return scheduler_switches(scheduler);
}

/* Let the current task go on with this counter, and then for so many instructions. */
static void hand_out(struct scheduler *scheduler, int32_t counter, uint32_t rest)
{
	scheduler->quantum_rest = rest;
	scheduler->quantum_switch = switch_count(scheduler);
	quantum_counter_set(scheduler->processor, counter);
}

static void renew(struct scheduler *scheduler)
{
	hand_out(scheduler, scheduler->current->schedule.slice, scheduler->current->schedule.rest);
}

/* Worked out only when it is needed, so that a switch need not maintain it. */
static uint32_t quantum_rest_of(struct scheduler *scheduler)
{
	if (scheduler->quantum_switch == switch_count(scheduler))
		return scheduler->quantum_rest;
	return scheduler->current->schedule.rest;
}

/* What is left of the current task's quantum, in instructions. */
static uint64_t left_of(struct scheduler *scheduler)
{
	int32_t left = quantum_counter_left(quantum_counter(scheduler->processor));
	return (uint64_t)(left > 0 ? left : 0) + quantum_rest_of(scheduler);
}

/* The running slice was longer by as much as its last check came late. */
static void charge_lateness(struct scheduler *scheduler)
{
	int32_t counter = quantum_counter(scheduler->processor);
	uint32_t over = quantum_counter_over(counter), rest = quantum_rest_of(scheduler);
	hand_out(scheduler, counter & ~QUANTUM_COUNTER_ENDED, rest > over ? rest - over : 0);
}

/* The current task goes on. */
static void quantum_go_on(struct scheduler *scheduler)
{
	uint32_t left = quantum_rest_of(scheduler);
	if (left == 0) {
		scheduler->extended_turn = 0;
		renew(scheduler);
		return;
	}
	uint32_t slice = left < QUANTUM_SLICE ? left : QUANTUM_SLICE;
	hand_out(scheduler, quantum_counter_late(slice), left - slice);
}

/* Whether the quantum was extended in this turn of the current task: since the last switch, or since its quantum was
 * last spent with no other task ready. */
static bool was_extended(struct scheduler *scheduler)
{
	return scheduler->extended_turn == switch_count(scheduler);
}

/* Once a turn, a task in a critical section gets some more time, for the sake of the tasks that wait for the section;
 * more often while it works for them. Returns whether it does. */
static bool extend(struct scheduler *scheduler)
{
	struct task *task = scheduler->current;
	bool again = !was_extended(scheduler) || scheduler->extended_again;
	scheduler->extended_again = false;
	if (!again || !task_in_section(task) || task->extension == 0) {
		task->schedule.extended = false;
		return false;
	}
	task->schedule.extended = true;
	scheduler->extended_turn = switch_count(scheduler);
	counter_add(&scheduler->counters.extended, 1);
	struct task_schedule extension;
	quantum_place(&extension, task->extension);
	hand_out(scheduler, extension.slice, extension.rest);
	return true;
}

void quantum_end_extension(struct task *task)
{
	struct scheduler *scheduler = scheduler_current();
	task->schedule.extended = false;
	/* Otherwise it has waited within the section, and has a quantum of its own again. */
	if (was_extended(scheduler))
		hand_out(scheduler, quantum_counter_exact(0), 0);
}

/* Whether the running stack, a generator's or the task's own, has room. A growing one takes what it needs. */
static bool has_room(void)
{
	uintptr_t limit = arch_stack_limit();
	return (limit & STACK_GROWS) || arch_frame_pointer() - limit >= QUANTUM_STACK_RESERVE;
}

/* For quantum_spent() and uncooperative_end(), which run on what is left of a stack: through the entry, which takes
 * the room. */
void quantum_switch(struct scheduler *scheduler);
void quantum_switch_with_room(struct scheduler *scheduler) STACK_ENTRY_OF(quantum_switch);

/* An early switch is only for a higher task. A task that has spent its quantum makes way for its equals. */
STACK_ENTRY_INSIDE(quantum_switch)
void quantum_switch(struct scheduler *scheduler)
{
	unsigned priority = scheduler->current->schedule.priority;
	struct task *next = NULL;
	counter_add(&scheduler->counters.checks, 1);
	ready_check(scheduler);
	timer_expire(scheduler);
	if (take_request(scheduler))
		next = ready_take_higher(scheduler, priority + 1);
	if (!next && scheduler->owed && owed_spent(scheduler))
		return;
	if (!next && quantum_rest_of(scheduler) == 0) {
		if (extend(scheduler))
			return;
		next = ready_take(scheduler, priority);
	}
	if (!next) {
		quantum_go_on(scheduler);
		return;
	}
	counter_add(&scheduler->counters.implicit, 1);
	if (task_in_section(scheduler->current))
		counter_add(&scheduler->counters.inside, 1);
	control_keep_at_check(scheduler->current);
	switch_to(next, ready_return, NULL);
}

static void switch_if_due(struct scheduler *scheduler)
{
	if (has_room()) {
		quantum_switch_with_room(scheduler);
		return;
	}
	owed_settle_any(scheduler);
	quantum_counter_set(scheduler->processor, quantum_counter_late(QUANTUM_SLICE));
}

/* A task cannot switch while it is on another stack than its own. */
static bool is_elsewhere(void)
{
	return stack_limit_is_elsewhere(arch_stack_limit());
}

static bool quantum_is_uncooperative(const struct processor *processor)
{
	if (callbacks_open(processor) > 0)
		callbacks_settle(arch_frame_pointer());
	return processor->uncooperative > 0 || is_elsewhere();
}

void quantum_make_way(struct task *task)
{
	struct processor *processor = processor_current();
	quantum_end_extension(task);
	if (was_extended(processor->scheduler) && !quantum_is_uncooperative(processor))
		switch_if_due(processor->scheduler);
}

void quantum_spent(void)
{
	struct processor *processor = processor_current();
	struct scheduler *scheduler = processor->scheduler;
	if (!scheduler || scheduler->current == scheduler->idle_task) {
		/* no task runs: boot, or a thread that is no processor */
		quantum_counter_set(processor, quantum_counter_late(QUANTUM_SLICE));
	} else if (quantum_is_uncooperative(processor)) {
		scheduler->switch_due = true;
		owed_settle_any(scheduler);
		ready_check(scheduler);
		quantum_counter_set(processor, quantum_counter_late(QUANTUM_SLICE));
	} else {
		charge_lateness(scheduler);
		switch_if_due(scheduler);
	}
}

/* ------------------------------------------------------------------------------ uncooperative regions -- */

void uncooperative_begin(void)
{
	processor_current()->uncooperative++;
}

void uncooperative_end(void)
{
	struct processor *processor = processor_current();
	struct scheduler *scheduler = processor->scheduler;
	if (!scheduler)
		return; /* boot, or a thread that is no processor */
	if (regions_open(processor) == 0)
		panic("uncooperative_end() in task %s (%u): there was no uncooperative_begin() before it; "
		      "each end belongs to one begin in the same task",
		      scheduler->current->name, scheduler->current->pooled.number);
	if (--processor->uncooperative > 0 || !scheduler->switch_due)
		return;
	scheduler->switch_due = false;
	switch_if_due(scheduler);
}

void quantum_reset_uncooperative(struct scheduler *scheduler)
{
	scheduler->processor->uncooperative = 0;
	scheduler->switch_due = false;
}

void (*lock_refuses_switch)(const char *function, const struct task *task);

void quantum_switch_refused(const char *function)
{
	struct processor *processor = processor_current();
	struct task *task = processor->scheduler->current;
	if (callbacks_settle(arch_frame_pointer()) && processor->uncooperative == 0)
		return;
	if (callbacks_open(processor) > 0)
		panic("%s in task %s (%u), in a function that foreign code has called: it may switch the task, and "
		      "code "
		      "compiled without the plugin must not be left in its middle",
		      function, task->name, task->pooled.number);
	if (lock_refuses_switch)
		lock_refuses_switch(function, task);
	panic("%s in task %s (%u), which is uncooperative: it may switch the task; call it before "
	      "uncooperative_begin() or after uncooperative_end(), and not in a function that is "
	      "HEDDLE_UNCOOPERATIVE_FUNCTION",
	      function, task->name, task->pooled.number);
}

enum heddle_error task_set_extension(uint32_t instructions)
{
	if (instructions > HEDDLE_TASK_QUANTUM_MAXIMUM)
		return HEDDLE_BAD_ARGUMENT;
	struct task *task = task_current();
	task_touch(task);
	task->extension = instructions;
	return HEDDLE_OK;
}

enum heddle_error task_set_quantum(uint32_t instructions)
{
	struct scheduler *scheduler = scheduler_current();
	if (instructions > HEDDLE_TASK_QUANTUM_MAXIMUM)
		return HEDDLE_BAD_ARGUMENT;
	if (!instructions)
		instructions = command_line.quantum;
	owed_settle_any(scheduler);
	quantum_place(&scheduler->current->schedule, instructions);
	/* Otherwise a task that sets it again and again would never spend it. */
	if (instructions < left_of(scheduler))
		renew(scheduler);
	return HEDDLE_OK;
}
