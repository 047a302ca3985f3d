/*
 * A long queue: very many tasks wait for one mutex, in a known order, and then it is handed through all of them. The
 * unlock that finds them takes them off the mutex's stack and reverses it, so the longest hand-over is the price of a
 * stack that long.
 */
#include "heddle/mutex.h"
#include "heddle/program.h"
#include "heddle/system.h"
#include "sched/wait.h"

#define PATIENCE UINT64_C(20000000000) /* nanoseconds */

struct queue_of_tasks {
	struct mutex mutex;
	/* The holder's: */
	uint64_t came, last, first, longest; /* how many; nanoseconds */
	bool in_order;
};

struct place {
	struct queue_of_tasks *queue;
	uint64_t number;
	struct task *task;
};

static intptr_t pass_through(void *argument)
{
	const struct place *place = argument;
	struct queue_of_tasks *queue = place->queue;
	if (mutex_lock(&queue->mutex) != HEDDLE_OK)
		return 0;
	uint64_t now = heddle_clock(), duration = now - queue->last;
	queue->last = now;
	if (queue->came == 0)
		queue->first = duration;
	if (duration > queue->longest)
		queue->longest = duration;
	queue->in_order &= queue->came++ == place->number;
	return mutex_unlock(&queue->mutex) == HEDDLE_OK;
}

/* It is in the queue now, so the next task will be behind it. */
static bool await_waiting(struct task *task)
{
	uint64_t end = heddle_clock() + PATIENCE;
	while (wait_phase(task) != WAIT_ARMED) {
		if (heddle_clock() > end)
			return false;
		task_yield();
	}
	return true;
}

/* Returns how many wait. */
static uint64_t tasks_create(struct queue_of_tasks *queue, struct place *places, uint64_t tasks)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = "queue";
	options.stack_size = HEDDLE_TASK_STACK_MINIMUM;
	for (uint64_t i = 0; i < tasks; i++) {
		places[i] = (struct place){queue, i, NULL};
		if (task_create(&places[i].task, pass_through, &places[i], &options) != HEDDLE_OK)
			return i;
		if (!await_waiting(places[i].task))
			return i + 1;
	}
	return tasks;
}

static bool measure(struct program_run *run, struct place *places, uint64_t tasks)
{
	struct queue_of_tasks queue = {.mutex = HEDDLE_MUTEX_INITIALIZER, .in_order = true};
	uint64_t passed = 0;
	if (mutex_lock(&queue.mutex) != HEDDLE_OK)
		return program_failed(run, "the mutex is not free");
	uint64_t created = tasks_create(&queue, places, tasks);
	uint64_t start = queue.last = heddle_clock();
	mutex_unlock(&queue.mutex);
	for (uint64_t i = 0; i < created; i++) {
		intptr_t result = 0;
		task_join(places[i].task, &result);
		passed += (uint64_t)result;
	}
	if (created < tasks)
		return program_failed(run,
		                      "memory is enough for %lu of %lu tasks; give it more with memory=, or ask "
		                      "for fewer with tasks=",
		                      created, tasks);
	program_result_extra(run, "first_ns", queue.first);
	program_result_extra(run, "longest_ns", queue.longest);
	return program_result(run, NULL, tasks, queue.last - start, passed == tasks && queue.in_order);
}

static bool run(struct program_run *run)
{
	uint64_t tasks = program_value(run, "tasks");
	struct place *places = heddle_allocate(tasks * sizeof(*places));
	if (!places)
		return program_failed(run, "no memory for a list of %lu tasks", tasks);
	bool ok = measure(run, places, tasks);
	heddle_free(places, tasks * sizeof(*places));
	return ok;
}

static const struct program_parameter parameters[] = {{"tasks", 10000, 1, 10000000, "how many tasks wait"},
                                                      {0}};

HEDDLE_PROGRAM(queue, "a mutex handed through a queue of very many tasks, in order", parameters, run);
