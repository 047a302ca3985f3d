/*
 * The program `storm`: its workers, its watch, its start and its end.
 */
#include "user/test/storm.h"

#include <string.h>

#include "heddle/event.h"
#include "heddle/program.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/processor.h"
#include "user/test/balance.h"
#include "user/test/storm_lock.h"
#include "user/test/test.h"

#define MILLISECOND UINT64_C(1000000)
#define SECOND      (1000 * MILLISECOND)
#define LOOK        (50 * MILLISECOND) /* how often the watch looks */
#define STACK       ((size_t)65536)

struct storm storm;
static struct event begin;

static const struct storm_kind *const kinds[] = {
    &storm_nest,     &storm_delegation, &storm_channels,   &storm_monitor, &storm_semaphore,
    &storm_meeting,  &storm_promises,   &storm_generators, &storm_rest,    &storm_change,
    &storm_children, &storm_group,      &storm_sections,
};
#define KINDS     (sizeof(kinds) / sizeof(*kinds))
#define ALL_KINDS (((uint64_t)1 << KINDS) - 1)

/* ------------------------------------------------------------------------------------------ workers -- */

static unsigned weight_of(size_t kind)
{
	return storm.kinds >> kind & 1 ? kinds[kind]->weight : 0;
}

static const struct storm_kind *kind_choose(struct storm_task *self)
{
	unsigned all = 0;
	for (size_t i = 0; i < KINDS; i++)
		all += weight_of(i);
	uint32_t draw = storm_draw(self, all);
	size_t kind = 0;
	for (; draw >= weight_of(kind); kind++)
		draw -= weight_of(kind);
	return kinds[kind];
}

static intptr_t work(void *argument)
{
	struct storm_task *self = argument;
	event_wait(&begin);
	storm_node_choose(self->number);
	while (!atomic_load_explicit(&storm.over, memory_order_relaxed)) {
		const struct storm_kind *kind = kind_choose(self);
		atomic_store_explicit(&self->turn, kind->name, memory_order_relaxed);
		kind->turn(self);
		atomic_fetch_add_explicit(&self->turns, 1, memory_order_relaxed);
	}
	atomic_store_explicit(&self->ended, true, memory_order_relaxed);
	/* release: what it did; pairs with watch(). */
	atomic_fetch_sub_explicit(&storm.working, 1, memory_order_release);
	return 0;
}

/* After an error the workers that exist have nothing to do. */
static bool workers_begin(void)
{
	begin = (struct event)HEDDLE_EVENT_INITIALIZER;
	for (storm.working = 0; storm.working < storm.workers; storm.working++) {
		struct storm_task *self = &storm.worker[storm.working];
		storm_task_begin(self, storm.working);
		struct task_options options = storm_options(self, "worker");
		if (task_create(&self->task, work, self, &options) != HEDDLE_OK)
			return false;
	}
	return true;
}

/* -------------------------------------------------------------------------------------------- watch -- */

/* For each worker: the turn that it was in at the last look, and for how long it was seen in it. The clock alone does
 * not count: a machine may have stood still. */
static struct {
	uint64_t turns, nanoseconds;
} seen[STORM_WORKERS_MAXIMUM];

static bool hangs(unsigned number, uint64_t apart)
{
	struct storm_task *worker = &storm.worker[number];
	uint64_t turns = atomic_load_explicit(&worker->turns, memory_order_relaxed);
	seen[number].nanoseconds = turns == seen[number].turns ? seen[number].nanoseconds + apart : 0;
	seen[number].turns = turns;
	if (seen[number].nanoseconds < storm.patience ||
	    atomic_load_explicit(&worker->ended, memory_order_relaxed))
		return false;
	/* acquire: since when. */
	const char *doing = atomic_load_explicit(&worker->doing, memory_order_acquire);
	log_error(
	    "storm: worker %u (%p) does not come to the end of its turn of %s: for %lu ms it has been in %s",
	    number, (void *)worker->task, atomic_load_explicit(&worker->turn, memory_order_relaxed),
	    (heddle_clock() - atomic_load_explicit(&worker->since, memory_order_relaxed)) / MILLISECOND,
	    doing ? doing : "no call that may wait");
	return true;
}

/* False: a worker waits for ever. */
static bool look_after(uint64_t apart)
{
	unsigned hanging = 0;
	task_sleep_until(heddle_clock() + apart);
	for (unsigned i = 0; i < storm.workers; i++)
		hanging += hangs(i, apart);
	if (hanging == 0)
		return true;
	heddle_report_tasks();
	return false;
}

/* False: a worker waits for ever, and the log names it. */
static bool watch(uint64_t end)
{
	while (heddle_clock() < end && !atomic_load_explicit(&storm.over, memory_order_relaxed)) {
		if (!look_after(LOOK))
			return false;
	}
	/* release: before anything is closed. */
	atomic_store_explicit(&storm.over, true, memory_order_release);
	/* acquire: what the workers did. */
	while (atomic_load_explicit(&storm.working, memory_order_acquire) > 0) {
		for (size_t i = 0; i < KINDS; i++)
			if (kinds[i]->release)
				kinds[i]->release();
		if (!look_after(LOOK / 10))
			return false;
	}
	return true;
}

/* --------------------------------------------------------------------------------------------- storm -- */

static const char *brew(uint64_t end)
{
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i]->prepare && !kinds[i]->prepare())
			return "no memory";
	if (!workers_begin() || !storm_hunters_begin())
		return "no memory for the tasks";
	event_set(&begin);
	if (!watch(end))
		return "a turn does not come to its end";
	storm_hunters_end();
	for (unsigned i = 0; i < storm.workers; i++)
		STORM_OK(task_join(storm.worker[i].task, NULL));
	for (size_t i = 0; i < KINDS; i++)
		if (kinds[i]->finish)
			kinds[i]->finish();
	return NULL;
}

/* In a separate task, so that what it keeps for its next wait is freed as well. */
static intptr_t conduct(void *end)
{
	const char *wrong = brew((uint64_t)(uintptr_t)end);
	atomic_store_explicit(&storm.conducted, true, memory_order_release);
	return (intptr_t)wrong;
}

/* The watch sees only workers; the code that ends them may wait for ever as well. */
static bool await_conductor(uint64_t deadline)
{
	while (!atomic_load_explicit(&storm.conducted, memory_order_acquire)) {
		if (heddle_clock() > deadline) {
			heddle_report_tasks();
			return false;
		}
		task_sleep_until(heddle_clock() + LOOK);
	}
	return true;
}

/* NULL: everything is right; else what is wrong. */
static const char *storm_run(uint64_t nanoseconds)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	intptr_t wrong = 0;
	options.name = "storm";
	options.priority = HEDDLE_PRIORITY_REALTIME;
	options.stack = HEDDLE_TASK_STACK_WHOLE;
	options.stack_size = STACK;
	memset(seen, 0, sizeof(seen));
	struct balance before = balance_now();
	uint64_t end = heddle_clock() + nanoseconds;
	if (task_create(&task, conduct, (void *)(uintptr_t)end, &options) != HEDDLE_OK)
		return "no memory for a task";
	if (!await_conductor(end + 4 * storm.patience))
		return "it cannot be ended";
	if (task_join(task, &wrong) != HEDDLE_OK)
		return "its task has faulted";
	if (wrong)
		return (const char *)wrong;
	if (storm.wrong)
		return "something is not as promised";
	return balance_returns(before, storm.patience) ? NULL : "not everything came back";
}

static void storm_set(unsigned workers, bool hogs, uint64_t patience)
{
	memset(&storm, 0, sizeof(storm));
	storm.seed = heddle_seed();
	storm.kinds = ALL_KINDS;
	storm.workers = workers ? workers : 8 + 2 * heddle_processors();
	if (storm.workers > STORM_WORKERS_MAXIMUM)
		storm.workers = STORM_WORKERS_MAXIMUM;
	storm.hogs = hogs;
	storm.patience = patience;
}

TEST(storm, short)
{
	storm_set(0, false, 60 * SECOND);
	CHECK_EQUAL(storm_run(SECOND), NULL);
}

TEST(storm, without_memory_at_times)
{
	storm_set(0, true, 60 * SECOND);
	CHECK_EQUAL(storm_run(SECOND), NULL);
}

static bool run(struct program_run *run)
{
	uint64_t start = heddle_clock(), turns = 0;
	storm_set((unsigned)program_value(run, "tasks"), program_value(run, "hogs"),
	          program_value(run, "patience") * SECOND);
	storm.kinds =
	    program_value(run, "kinds") & ALL_KINDS ? program_value(run, "kinds") & ALL_KINDS : ALL_KINDS;
	const char *wrong = storm_run(program_value(run, "seconds") * SECOND);
	if (wrong)
		return program_failed(
		    run,
		    "%s; to see it again: processors=%u seed=%lu sched=%s chain=%u quantum=%u "
		    "extension=%u linger=%u memory=%u run=storm,tasks=%u,hogs=%u,seconds=%lu,kinds=%lu",
		    wrong, processor_count, heddle_seed(), heddle_policy(), command_line.chain, command_line.quantum,
		    command_line.extension, command_line.linger, command_line.memory, storm.workers, storm.hogs,
		    program_value(run, "seconds"), storm.kinds);
	for (unsigned i = 0; i < storm.workers; i++)
		turns += storm.worker[i].turns;
	program_result_extra(run, "cancels", storm.cancels);
	program_result_extra(run, "deaths", storm.deaths);
	program_result_extra(run, "shortages", storm.shortages);
	program_result_extra(run, "longest_ms", storm.longest / MILLISECOND);
	return program_result(run, NULL, turns, heddle_clock() - start, true);
}

static const struct program_parameter parameters[] = {
    {"seconds", 10, 1, 1000000, "how long"},
    {"tasks", 0, 0, STORM_WORKERS_MAXIMUM, "workers; 0: 8, and 2 for each processor"},
    {"hogs", 0, 0, 1, "1: a task takes all memory now and then"},
    {"patience", 30, 1, 1000000, "seconds that a turn may take"},
    {"kinds", 0, 0, UINT64_MAX, "turns that are taken, a bit for each kind in the order of storm.c; 0: all"},
    {0}};

HEDDLE_PROGRAM(storm, "everything that tasks can do, at once and at random, checked", parameters, run);
