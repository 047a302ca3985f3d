/*
 * Programs that go wrong on purpose, to see what Heddle says then.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "kernel/panic.h"

enum { FAULT = 1, OVERFLOW, DEADLOCK, STUCK, PANIC, KERNEL_FAULT, YIELD, END };

static intptr_t write_nowhere(void *address)
{
	*(volatile uint64_t *)address = 1;
	return 0;
}

/* Deeper than any stack. */
static intptr_t recurse(void *depth)
{
	volatile char frame[512];
	frame[0] = 1;
	if ((uintptr_t)depth == 1000000)
		return 0;
	return recurse((char *)depth + 1) + frame[0];
}

static intptr_t wait_for_nobody(void *unused)
{
	(void)unused;
	task_suspend();
	return 0;
}

/* Comes to no check of its quantum. */
UNCOOPERATIVE static intptr_t stay_busy(void *end)
{
	while (heddle_clock() < *(const uint64_t *)end)
		continue;
	return 0;
}

/* What may switch is called where nothing may, and so that the compiler does not see it. */
static void (*volatile leave)(void) = task_yield;

static intptr_t yield_uncooperative(void *unused)
{
	(void)unused;
	uncooperative_begin();
	leave();
	uncooperative_end();
	return 0;
}

static intptr_t end_without_begin(void *unused)
{
	(void)unused;
	uncooperative_begin();
	uncooperative_end();
	uncooperative_end();
	return 0;
}

/* Make the task, wait for its end, and tell how it ended. */
static bool run_task(struct program_run *run, const char *name, task_function function, void *argument)
{
	struct task *task;
	struct task_options options = TASK_OPTIONS;
	options.name = name;
	options.stack_size = 65536;
	enum heddle_error error = task_create(&task, function, argument, &options);
	if (error != HEDDLE_OK)
		return program_failed(run, "no task: %s", heddle_error_text(error));
	error = task_join(task, NULL);
	heddle_log("the task was joined: %s", heddle_error_text(error));
	return true;
}

static bool run(struct program_run *run)
{
	uint64_t end = heddle_clock() + program_value(run, "seconds") * 1000000000;
	switch (program_value(run, "how")) {
	case FAULT:
		return run_task(run, "faulty", write_nowhere, NULL);
	case OVERFLOW:
		return run_task(run, "deep", recurse, NULL);
	case DEADLOCK:
		return run_task(run, "forgotten", wait_for_nobody, NULL);
	case STUCK:
		return run_task(run, "stuck", stay_busy, &end);
	case YIELD:
		return run_task(run, "rude", yield_uncooperative, NULL);
	case END:
		return run_task(run, "confused", end_without_begin, NULL);
	case KERNEL_FAULT:
		task_resume((struct task *)64); /* no task: the fault is in the code of Heddle itself */
		return true;
	default:
		panic("asked for by run=misbehave");
	}
}

static const struct program_parameter parameters[] = {
    {"how", 1, 1, 8,
     "1: fault in a task, 2: stack overflow, 3: deadlock, 4: no switch for a while, 5: panic, 6: fault in "
     "the kernel, 7: yield in an uncooperative region, 8: end of a region that was not begun"},
    {"seconds", 25, 1, 1000, "how long 4 takes; reported if longer than watchdog="},
    {0}};

PROGRAM(misbehave, "goes wrong on purpose, to show what is reported", parameters, run);
