/* Tasks, their stacks, generators, sleep and memory, with an allocation failing. */
#include "heddle/generator.h"
#include "heddle/system.h"
#include "user/test/fail.h"
#include "user/test/waiting.h"

#define TASKS  4
#define LEVELS 200
#define BLOCKS 4

/* ---------------------------------------------------------------------------------------------- tasks -- */

static intptr_t yield_and_return(void *argument)
{
	task_yield();
	return (intptr_t)argument;
}

static void joined(struct attempt *attempt)
{
	static const size_t sizes[TASKS] = {0, HEDDLE_TASK_STACK_MINIMUM, 65536, 0};
	struct task *tasks[TASKS];
	for (unsigned i = 0; i < TASKS; i++) {
		struct task_options options = HEDDLE_TASK_OPTIONS;
		options.stack_size = sizes[i];
		if (!EXPECT(attempt, task_create(&tasks[i], yield_and_return, (void *)(intptr_t)i, &options),
		            HEDDLE_OK))
			tasks[i] = NULL;
	}
	for (unsigned i = 0; i < TASKS; i++) {
		intptr_t result = -1;
		if (tasks[i] && MUST(attempt, task_join(tasks[i], &result)))
			HOLDS(attempt, result == (intptr_t)i);
	}
}

static void detached(struct attempt *attempt)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	if (EXPECT(attempt, task_create(&task, yield_and_return, NULL, &options), HEDDLE_OK))
		MUST(attempt, task_detach(task));
	options.detached = true;
	EXPECT(attempt, task_create(NULL, yield_and_return, NULL, &options), HEDDLE_OK);
}

/* A task that creates tasks, and then lets them end. */
static void make_others(struct helper *helper)
{
	joined(helper->attempt);
	detached(helper->attempt);
}

static void run_tasks(struct attempt *attempt)
{
	struct helper helper = {.attempt = attempt, .run = make_others};
	joined(attempt);
	detached(attempt);
	helper_start(&helper);
	helper_end(&helper);
}

/* ------------------------------------------------------------------------------------------- suspend -- */

static void suspend(struct helper *helper)
{
	MUST(helper->attempt, task_suspend());
}

static void suspend_until_cancelled(struct helper *helper)
{
	EXPECT(helper->attempt, task_suspend(), HEDDLE_CANCELLED);
}

static void run_suspend(struct attempt *attempt)
{
	struct helper resumed = {.attempt = attempt, .run = suspend};
	struct helper cancelled = {.attempt = attempt, .run = suspend_until_cancelled};
	if (helper_start(&resumed))
		task_resume(resumed.task);
	if (helper_start(&cancelled))
		MUST(attempt, task_cancel(cancelled.task));
	helper_end(&resumed);
	helper_end(&cancelled);
}

static void run_sleep(struct attempt *attempt)
{
	uint64_t deadline = after(1);
	if (EXPECT(attempt, task_sleep_until(deadline), HEDDLE_OK))
		HOLDS(attempt, heddle_clock() >= deadline);
	EXPECT(attempt, task_sleep_until(after(1)), HEDDLE_OK);
}

/* ------------------------------------------------------------------------------------------ generators -- */

static void count_down(struct generator_body *self, void *argument)
{
	for (intptr_t i = (intptr_t)argument; i > 0; i--)
		generator_yield(self, i);
}

static void use_generator(struct attempt *attempt, void *memory, size_t size)
{
	struct generator generator;
	intptr_t sum = 0;
	if (!EXPECT(attempt, generator_create(&generator, memory, size, count_down, (void *)4), HEDDLE_OK))
		return;
	while (generator_resume(&generator) == HEDDLE_OK)
		sum += generator_value(&generator);
	HOLDS(attempt, sum == 10);
	MUST(attempt, generator_destroy(&generator));
}

/* The task ends without destroying its generators. */
static void leave_generators(struct helper *helper)
{
	struct generator generators[2];
	for (unsigned i = 0; i < 2; i++)
		if (EXPECT(helper->attempt, generator_create(&generators[i], NULL, 0, count_down, (void *)4),
		           HEDDLE_OK))
			HOLDS(helper->attempt, generator_resume(&generators[i]) == HEDDLE_OK);
}

static void run_generators(struct attempt *attempt)
{
	static char memory[HEDDLE_GENERATOR_STACK_DEFAULT * 4];
	struct helper helper = {.attempt = attempt, .run = leave_generators};
	use_generator(attempt, memory, sizeof(memory));
	use_generator(attempt, NULL, 0);
	use_generator(attempt, NULL, 65536);
	helper_start(&helper);
	helper_end(&helper);
}

/* --------------------------------------------------------------------------------------------- memory -- */

static void run_memory(struct attempt *attempt)
{
	static const size_t sizes[BLOCKS] = {1, 4097, 100000, 1 << 20};
	char *blocks[BLOCKS];
	for (unsigned i = 0; i < BLOCKS; i++) {
		blocks[i] = heddle_allocate(sizes[i]);
		HOLDS(attempt, blocks[i] || attempt_has_failed());
		if (blocks[i])
			blocks[i][0] = blocks[i][sizes[i] - 1] = (char)i;
	}
	for (unsigned i = 0; i < BLOCKS; i++) {
		HOLDS(attempt, !blocks[i] || blocks[i][sizes[i] - 1] == (char)i);
		heddle_free(blocks[i], sizes[i]);
	}
}

const struct part fail_tasks[] = {{"tasks", run_tasks},   {"suspend", run_suspend},
                                  {"sleep", run_sleep},   {"generators", run_generators},
                                  {"memory", run_memory}, {0}};
