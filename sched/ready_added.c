#include "sched/ready_added.h"

const struct ready_queue *ready_added;

void ready_added_start(void)
{
	ready_added = NULL;
	if (command_line.policy.policy != SCHEDULER_ADDED)
		return;
	ready_added = (const struct ready_queue *)heddle_ready_queues().first[command_line.policy.added];
	ready_added->create();
}

/* What the functions get and return, while they run on the processor's stack: a task has little left. */
struct ready_added_call {
	struct task *task;
	unsigned level;
	bool waits;
};

static void added_put(void *task)
{
	ready_added->put(task);
}

static void added_take(void *argument)
{
	struct ready_added_call *call = argument;
	call->task = ready_added->take(call->level);
}

static void added_search(void *call)
{
	((struct ready_added_call *)call)->task = ready_added->search();
}

static void added_waits(void *call)
{
	((struct ready_added_call *)call)->waits = ready_added->waits();
}

void ready_added_put(struct task *task)
{
	arch_call_on_processor_stack(added_put, task);
}

struct task *ready_added_take(unsigned level)
{
	struct ready_added_call call = {.level = level};
	arch_call_on_processor_stack(added_take, &call);
	return call.task;
}

struct task *ready_added_search(void)
{
	struct ready_added_call call = {0};
	arch_call_on_processor_stack(added_search, &call);
	return call.task;
}

bool ready_added_waits(void)
{
	struct ready_added_call call = {0};
	arch_call_on_processor_stack(added_waits, &call);
	return call.waits;
}
