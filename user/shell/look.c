/*
 * Commands that look at tasks and processors.
 */
#include <stdatomic.h>
#include <string.h>

#include "arch/arch.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "sched/report.h"
#include "sched/scheduler.h"
#include "sched/wait.h"
#include "user/number.h"
#include "user/shell/shell.h"
#include "user/shell/terminal.h"

#define SECOND UINT64_C(1000000000)

static void report(void *unused)
{
	(void)unused;
	report_tasks(false);
}

void command_tasks(const char *words)
{
	(void)words;
	arch_call_on_processor_stack(report, NULL);
}

/* ---------------------------------------------------------------------------------------------- locks -- */

#define OBJECTS 64

static struct waited {
	const void *object;
	const char *kind;
	_Atomic(struct task *) const *owner;
	unsigned waiters;
} waited[OBJECTS];
static unsigned waited_count, waited_more;

/* A running task may change meanwhile, so this may be outdated. */
static void note(struct task *task, void *unused)
{
	(void)unused;
	if (!wait_has_object(task))
		return;
	const char *kind = task->wait_cold.object.kind;
	if (kind == wait_for_end || kind == wait_for_time)
		return;
	unsigned at = 0;
	while (at < waited_count && waited[at].object != task->wait_cold.object.object)
		at++;
	if (at == OBJECTS) {
		waited_more++;
		return;
	}
	if (at == waited_count)
		waited[waited_count++] = (struct waited){
		    .object = task->wait_cold.object.object, .kind = kind, .owner = task->wait_cold.object.owner};
	waited[at].waiters++;
}

struct known {
	const struct task *task;
	char name[HEDDLE_TASK_NAME_MAXIMUM];
	uint32_t number;
};

static void compare(struct task *task, void *argument)
{
	struct known *known = argument;
	if (task != known->task)
		return;
	memcpy(known->name, task->name, sizeof(known->name));
	known->name[sizeof(known->name) - 1] = 0;
	known->number = task->pooled.number;
}

/* The owner was read from a lock in use: the pointer may be stale. */
static struct known owner_of(const struct waited *each)
{
	struct known known = {NULL, "", 0};
	known.task = each->owner ? atomic_load_explicit(each->owner, memory_order_relaxed) : NULL;
	if (known.task)
		task_visit(compare, &known);
	return known;
}

static void find_waited(void *unused)
{
	waited_count = waited_more = 0;
	task_visit(note, unused);
}

void command_locks(const char *words)
{
	(void)words;
	arch_call_on_processor_stack(find_waited, NULL);
	if (waited_count == 0)
		heddle_print("no task waits for anything that others give");
	for (unsigned at = 0; at < waited_count; at++) {
		struct known owner = owner_of(&waited[at]);
		if (owner.name[0])
			heddle_print("%s at %p: task %s (%u) holds it, %u wait", waited[at].kind, waited[at].object,
			             owner.name, owner.number, waited[at].waiters);
		else
			heddle_print("%s at %p: %u wait", waited[at].kind, waited[at].object, waited[at].waiters);
	}
	if (waited_more > 0)
		heddle_print("and %u more tasks wait for others", waited_more);
}

/* ------------------------------------------------------------------------------------------------ top -- */

struct sample {
	uint64_t switches, implicit, taken, wakes, idle;
};

static struct sample samples[PROCESSORS_MAXIMUM];

static uint64_t value(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static struct sample sample_of(unsigned index)
{
	struct scheduler *scheduler = processors[index].scheduler;
	const struct scheduler_counters *counters = &scheduler->counters;
	return (struct sample){scheduler_switches(scheduler), value(&counters->implicit), value(&counters->taken),
	                       value(&counters->wakes), value(&counters->idle)};
}

static unsigned long a_second(uint64_t now, uint64_t before, uint64_t time)
{
	return time ? (unsigned long)((now - before) * SECOND / time) : 0;
}

static void print_row(unsigned index, uint64_t time)
{
	struct sample now = sample_of(index), *before = &samples[index];
	/* A halt is counted when it ends, so it may be longer than the interval. */
	uint64_t idle = now.idle - before->idle < time ? now.idle - before->idle : time;
	heddle_print(
	    "%9u %5lu %% %11lu %11lu %9lu %9lu", index, time ? (unsigned long)((time - idle) * 100 / time) : 0,
	    a_second(now.switches, before->switches, time), a_second(now.implicit, before->implicit, time),
	    a_second(now.taken, before->taken, time), a_second(now.wakes, before->wakes, time));
}

void command_top(const char *words)
{
	struct piece word = shell_word(&words);
	uint64_t seconds = 1;
	if (word.length > 0 &&
	    (!number_parse(word.text, word.length, &seconds) || seconds < 1 || seconds > 3600)) {
		heddle_print("top: for how many seconds, from 1 to 3600?");
		return;
	}
	uint64_t start = heddle_clock();
	for (unsigned index = 0; index < processor_count; index++)
		samples[index] = sample_of(index);
	while (heddle_clock() < start + seconds * SECOND && !terminal_is_interrupted())
		task_sleep_until(heddle_clock() + SECOND / 100);
	uint64_t time = heddle_clock() - start;
	heddle_print("%9s %7s %11s %11s %9s %9s", "processor", "busy", "switches/s", "implicit/s", "taken/s",
	             "wakes/s");
	for (unsigned index = 0; index < processor_count; index++)
		print_row(index, time);
}
