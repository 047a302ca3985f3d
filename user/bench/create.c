/*
 * The cost of a task from its creation to its end if it does nothing (scheduler paper, Figure 7).
 *
 * Detached tasks count themselves, because there is no other way to learn that the last one has ended; joined tasks
 * have an empty body. If memory runs out, the creator waits until the tasks so far have ended, then creates the rest.
 */
#include <stdatomic.h>

#include "heddle/program.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "kernel/memory.h"

struct creation {
	struct task_options options;
	struct task **tasks; /* the tasks to join; NULL: they are detached */
	struct task *creator;
	/* Detached tasks: each subtracts 1 at its end, and the creator adds their number after creating them. So 0 means
	 * that all have ended, and a task sees 0 only if the creator already waits. */
	_Atomic int64_t balance;
	enum heddle_error error; /* why no more could be created */
};

static intptr_t end_counted(void *argument)
{
	struct creation *creation = argument;
	struct task *creator =
	    creation->creator; /* read before the last decrement: after it the creator may be gone */
	/* acq_rel: the creator, when it sees 0, may reuse what the tasks read; pairs with itself and with tasks_await */
	if (atomic_fetch_sub_explicit(&creation->balance, 1, memory_order_acq_rel) == 1)
		task_resume(creator);
	return 0;
}

static intptr_t end_at_once(void *argument)
{
	(void)argument;
	return 0;
}

/* Create at most `wanted` tasks; returns how many. */
static uint64_t tasks_create(struct creation *creation, uint64_t wanted)
{
	for (uint64_t i = 0; i < wanted; i++) {
		creation->error = creation->tasks
		                      ? task_create(&creation->tasks[i], end_at_once, creation, &creation->options)
		                      : task_create(NULL, end_counted, creation, &creation->options);
		if (creation->error != HEDDLE_OK)
			return i;
	}
	return wanted;
}

/* Wait for the end of the tasks just created. False: one did not end as it should. */
static bool tasks_await(struct creation *creation, uint64_t count)
{
	bool ok = true;
	if (creation->tasks) {
		for (uint64_t i = 0; i < count; i++) {
			intptr_t result = -1;
			ok &= task_join(creation->tasks[i], &result) == HEDDLE_OK && result == 0;
		}
		return ok;
	}
	/* both acquire what the tasks released in end_counted */
	atomic_fetch_add_explicit(&creation->balance, (int64_t)count, memory_order_acq_rel);
	while (atomic_load_explicit(&creation->balance, memory_order_acquire) != 0)
		task_suspend();
	return true;
}

/* On one processor none of the tasks has run yet, because the creator's priority is higher, so all memory taken since
 * is theirs. Memory that earlier runs have left for reuse is not counted, so only the first run shows everything that
 * a task needs. On several processors some tasks have ended already, so only their number is reported. */
static void memory_report(struct program_run *run, const struct creation *creation, uint64_t free_before,
                          uint64_t created)
{
	int64_t balance = atomic_load_explicit(&creation->balance, memory_order_relaxed);
	program_result_extra(run, "alive", created + (uint64_t)balance);
	uint64_t free_now = memory_count(MEMORY_ANY_NODE).free;
	if (heddle_processors() == 1 && created > 0 && free_now <= free_before)
		program_result_extra(run, "new_bytes_per_task", (free_before - free_now) / created);
}

struct outcome {
	uint64_t done, refusals;
	bool ok;
};

/* Create, run and reclaim `wanted` tasks, in as few batches as memory allows. */
static bool round_run(struct program_run *run, struct creation *creation, uint64_t wanted,
                      struct outcome *outcome)
{
	uint64_t free_before = memory_count(MEMORY_ANY_NODE).free;
	for (uint64_t left = wanted; left > 0;) {
		uint64_t created = tasks_create(creation, left);
		if (outcome->done == 0)
			memory_report(run, creation, free_before, created);
		if (creation->error != HEDDLE_OK && outcome->refusals++ == 0)
			heddle_log("create: after %lu tasks: %s", created, heddle_error_text(creation->error));
		if (created == 0)
			return program_failed(run, "no task can be made: %s", heddle_error_text(creation->error));
		outcome->ok &= tasks_await(creation, created);
		outcome->done += created;
		left -= created;
	}
	return true;
}

/* The first round takes its memory from the machine, or from the host, which must clear it; later rounds reuse it. */
static bool tasks_measure(struct program_run *run, struct creation *creation, uint64_t wanted)
{
	struct outcome outcome = {.ok = true};
	uint64_t rounds = program_value(run, "rounds"), start = heddle_clock(), first = 0;
	for (uint64_t round = 0; round < rounds; round++) {
		if (!round_run(run, creation, wanted, &outcome))
			return false;
		if (round == 0)
			first = heddle_clock() - start;
	}
	uint64_t duration = heddle_clock() - start;
	program_result_extra(run, "out_of_memory", outcome.refusals);
	program_result_extra(run, "first_ns", first / wanted);
	if (rounds > 1)
		program_result_extra(run, "later_ns", (duration - first) / ((rounds - 1) * wanted));
	return program_result(run, NULL, outcome.done, duration, outcome.ok);
}

static bool run(struct program_run *run)
{
	uint64_t tasks = program_value(run, "tasks");
	bool joined = program_value(run, "joined");
	struct creation creation = {.options = HEDDLE_TASK_OPTIONS, .creator = task_current()};
	creation.options.name = "create";
	creation.options.priority = HEDDLE_PRIORITY_LOW;
	creation.options.stack_size = program_value(run, "stack");
	creation.options.detached = !joined;
	if (joined) {
		creation.tasks = heddle_allocate(tasks * sizeof(*creation.tasks));
		if (!creation.tasks)
			return program_failed(run, "no memory for a list of %lu tasks", tasks);
	}
	bool ok = tasks_measure(run, &creation, tasks);
	if (joined)
		heddle_free(creation.tasks, tasks * sizeof(*creation.tasks));
	return ok;
}

static const struct program_parameter parameters[] = {
    {"tasks", 20000, 1, 100000000, "how many tasks are made before the creator waits for their end"},
    {"rounds", 1, 1, 1000000000, "rounds: all except the first reuse the memory of the first"},
    {"stack", HEDDLE_TASK_STACK_MINIMUM, HEDDLE_TASK_STACK_MINIMUM, HEDDLE_TASK_STACK_MAXIMUM,
     "bytes of stack for each"},
    {"joined", 0, 0, 1, "1: the creator joins each; 0: they are detached"},
    {0}};

HEDDLE_PROGRAM(create, "tasks made, run and reclaimed that do nothing (scheduler paper, Figure 7)",
               parameters, run);
