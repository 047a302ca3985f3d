/*
 * Tasks that are made, run deep and come back, have generators and children, and end, one of them because its
 * stack is used up; again and again, in numbers that vary. After each time every object is in its pool, and the
 * pages that are not the pools' are free again. The program `lives` does that for
 * as long as one likes.
 */
#include <stdatomic.h>

#include "heddle/program.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "kernel/memory.h"
#include "kernel/pool.h"
#include "user/test/generator.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define OUT_OF_LINE __attribute__((noinline, noclone, no_sanitize("address", "thread", "undefined")))

#define TASKS_MAXIMUM 100000
#define SLACK         ((uint64_t)1 << 20) /* bytes that a processor may take for its queue nodes and the like */

#define SMALL_STACK 16384
#define WHOLE_STACK 65536 /* of whole ones there is not room for so many that go deep */
#define DEEP_ONES   64    /* one task in so many goes so deep as its stack may be */

struct lives {
	_Atomic uint64_t children; /* that have not ended yet */
	_Atomic uint64_t wrong;
	uint64_t seed;
	struct task **tasks;
	uint64_t count;
};

/* Some 100 bytes a level, and now and then more. Returns what was not as it should have been. */
OUT_OF_LINE static uint64_t descend(uint64_t depth, uint64_t *random)
{
	volatile uint64_t frame[4] = {depth};
	uint64_t wrong = 0;
	uint32_t draw = random_next(random);
	if (draw % 32 == 0)
		task_yield();
	if (draw % 64 == 1) {
		size_t bytes = 1 + draw / 64 % 6000;
		volatile uint8_t *space = __builtin_alloca(bytes);
		space[0] = space[bytes - 1] = (uint8_t)draw;
		wrong += space[0] != (uint8_t)draw;
	}
	if (depth > 0)
		wrong += descend(depth - 1, random);
	return wrong + (frame[0] != depth);
}

static intptr_t overflow(void *unused)
{
	uint64_t random = 1;
	(void)unused;
	return (intptr_t)descend(UINT64_MAX, &random);
}

static void count_to(struct generator_body *self, void *last)
{
	for (intptr_t i = 1; i <= (intptr_t)last; i++)
		generator_yield(self, i);
}

static uint64_t descend_often(uint64_t *random)
{
	uint64_t wrong = 0;
	for (unsigned times = random_next(random) % 4; times > 0; times--)
		wrong += descend(
		    random_next(random) % (TASK_GROWS && random_next(random) % DEEP_ONES == 0 ? 4000 : 60), random);
	return wrong;
}

static intptr_t live_as_child(void *argument)
{
	struct lives *lives = argument;
	uint64_t random = atomic_load(&lives->children);
	atomic_fetch_add(&lives->wrong, descend_often(&random));
	atomic_fetch_sub(&lives->children, 1);
	return 0;
}

static void have_child(struct lives *lives)
{
	struct task_options options = TASK_OPTIONS;
	options.name = "child";
	options.detached = true;
	options.stack_size = TASK_GROWS ? TASK_STACK_MAXIMUM : WHOLE_STACK;
	atomic_fetch_add(&lives->children, 1);
	if (task_create(NULL, live_as_child, lives, &options) != HEDDLE_OK)
		atomic_fetch_sub(&lives->children, 1);
}

static intptr_t live(void *argument)
{
	struct lives *lives = argument;
	uint64_t random = lives->seed ^ (uintptr_t)task_current();
	uint64_t wrong = descend_often(&random);
	if (random_next(&random) % 8 == 0)
		have_child(lives);
	if (random_next(&random) % 8 == 0)
		wrong += sum_of(NULL, 0, count_to, (void *)10) != 55;
	atomic_fetch_add(&lives->wrong, wrong + descend_often(&random));
	return 1;
}

static enum heddle_error begin(struct lives *lives, uint64_t number, bool overflows)
{
	struct task_options options = TASK_OPTIONS;
	options.name = overflows ? "overflow" : "life";
	options.stack_size = overflows ? SMALL_STACK : TASK_GROWS ? TASK_STACK_MAXIMUM : WHOLE_STACK;
	return task_create(&lives->tasks[number], overflows ? overflow : live, lives, &options);
}

/* NULL: all is well; else what is wrong. One task of a round may use its stack up, where that grows: a whole one
 * may have no guard. */
static const char *round_run(struct lives *lives, bool overflows)
{
	const char *wrong = NULL;
	uint64_t made = 0;
	overflows = overflows && TASK_GROWS;
	while (made < lives->count && begin(lives, made, overflows && made == lives->count / 2) == HEDDLE_OK)
		made++;
	for (uint64_t i = 0; i < made; i++) {
		intptr_t result = 0;
		enum heddle_error error = task_join(lives->tasks[i], &result);
		bool faulty = overflows && i == lives->count / 2;
		if (faulty ? error != HEDDLE_TASK_FAULT : error != HEDDLE_OK || result != 1)
			wrong = "a task has not ended as it should";
	}
	uint64_t deadline = heddle_clock() + PATIENCE;
	while (atomic_load(&lives->children) > 0 && heddle_clock() < deadline)
		task_yield();
	if (atomic_load(&lives->children) > 0)
		wrong = "a child has not ended";
	if (atomic_load(&lives->wrong) > 0)
		wrong = "a frame was overwritten";
	return made < lives->count ? "no memory for the tasks" : wrong;
}

/* A detached task is given back a little after its last word. */
static bool all_are_back(uint64_t used)
{
	uint64_t deadline = heddle_clock() + PATIENCE;
	while (pool_total().used != used && heddle_clock() < deadline)
		task_yield();
	return pool_total().used == used;
}

/* Bytes that are in use, but for what the pools keep for the next time. */
static uint64_t bytes_in_use(void)
{
	struct memory_count memory = memory_count(MEMORY_ANY_NODE);
	return memory.total - memory.free - pool_total().bytes;
}

static const char *stress(struct lives *lives, uint64_t rounds, uint64_t tasks, bool overflows)
{
	uint64_t used = pool_total().used, bytes = bytes_in_use(), random = lives->seed;
	for (uint64_t round = 0; round < rounds; round++) {
		lives->seed = random_next(&random);
		lives->count = 1 + random_next(&random) % tasks;
		const char *wrong = round_run(lives, overflows);
		if (wrong)
			return wrong;
		if (!all_are_back(used))
			return "not all objects are in their pools again";
		if (bytes_in_use() > bytes + SLACK * heddle_processors())
			return "pages are in use that were free";
	}
	return NULL;
}

static const char *stress_of(uint64_t seed, uint64_t rounds, uint64_t tasks, bool overflows)
{
	struct lives lives = {.seed = seed, .tasks = heddle_allocate(tasks * sizeof(struct task *))};
	if (!lives.tasks)
		return "no memory for a list of the tasks";
	const char *wrong = stress(&lives, rounds, tasks, overflows);
	heddle_free(lives.tasks, tasks * sizeof(struct task *));
	return wrong;
}

TEST(lives, give_all_back)
{
	CHECK_EQUAL(stress_of(heddle_seed(), 10, 50, false), NULL);
}

static bool run(struct program_run *run)
{
	uint64_t rounds = program_value(run, "rounds"), tasks = program_value(run, "tasks"),
	         start = heddle_clock();
	const char *wrong = stress_of(heddle_seed(), rounds, tasks, program_value(run, "overflows"));
	if (wrong)
		return program_failed(run, "%s", wrong);
	return program_result(run, NULL, rounds * tasks, heddle_clock() - start, true);
}

static const struct program_parameter parameters[] = {
    {"rounds", 20, 1, UINT64_MAX, "how often, each time with another number of tasks"},
    {"tasks", 1000, 1, TASKS_MAXIMUM, "how many there are at once, at most, without their children"},
    {"overflows", 1, 0, 1, "1: in each round one of them uses its stack up, where stacks grow, and is named"},
    {0}};

PROGRAM(lives, "tasks made, run deep, and ended, of which everything comes back, checked", parameters, run);
