/*
 * The program `fail`: all kinds of operations, while allocations fail. Each part (fail.h) runs with the first
 * allocation failing, then with the second and so on, until none fails any more. Then the same with all later
 * allocations failing as well (`after=1`). After each run everything that was taken must be given back.
 *
 *     build/hosted/heddle processors=1 fail=0 run=fail                     everything
 *     build/hosted/heddle processors=1 fail=0 run=fail,part=5,from=7,to=7  one of the failures that it has reported
 *     build/hosted/heddle processors=1 fail=123 run=fail,once=1            each part once, from the machine's start on
 *
 * On one processor the same allocation fails each time.
 */
#include "user/test/fail.h"

#include "heddle/program.h"
#include "heddle/system.h"
#include "kernel/failure.h"
#include "kernel/memory.h"
#include "kernel/pool.h"
#include "sched/task.h"
#include "sync/waiter.h"
#include "user/test/waiting.h"
#include "user/text.h"

#define FAILURES 10 /* reported before it ends */

static const struct part *const lists[] = {fail_tasks, fail_growth,   fail_locks,
                                           fail_ends,  fail_messages, fail_delegation};

#define LISTS (sizeof(lists) / sizeof(*lists))

/* ------------------------------------------------------------------------------------------- attempts -- */

bool attempt_has_failed(void)
{
	return failure_last() != NULL;
}

static void note_wrong(struct attempt *attempt, const char *what, const char *file, int line,
                       enum heddle_error error)
{
	if (atomic_exchange(&attempt->is_wrong, true))
		return;
	attempt->what = what;
	attempt->file = file;
	attempt->line = line;
	attempt->error = error;
}

bool attempt_expect(struct attempt *attempt, enum heddle_error error, enum heddle_error expected,
                    bool no_memory, const char *what, const char *file, int line)
{
	bool is_allowed = error == HEDDLE_NO_MEMORY && no_memory && attempt_has_failed();
	if (error != expected && !is_allowed)
		note_wrong(attempt, what, file, line, error);
	return error == expected;
}

bool attempt_holds(struct attempt *attempt, bool condition, const char *what, const char *file, int line)
{
	if (!condition)
		note_wrong(attempt, what, file, line, HEDDLE_OK);
	return condition;
}

/* -------------------------------------------------------------------------------------------- helpers -- */

static intptr_t helper_task(void *argument)
{
	struct helper *helper = argument;
	helper->run(helper);
	atomic_store(&helper->is_done, true);
	return 0;
}

/* Whether it waits, cancellable or not. */
static bool waits(const struct task *task)
{
	return wait_phase(task) >= WAIT_ARMED;
}

static bool helper_rests(struct helper *helper, bool waiting_counts)
{
	return !helper->task || atomic_load(&helper->is_done) || (waiting_counts && waits(helper->task));
}

/* Sleeping would need memory. */
static void await(struct helper *helper, bool waiting_counts)
{
	uint64_t end = heddle_clock() + PATIENCE;
	bool has_rested; /* a short wait may be over by now */
	while (!(has_rested = helper_rests(helper, waiting_counts)) && heddle_clock() < end)
		task_yield();
	HOLDS(helper->attempt, has_rested);
}

bool helper_create(struct helper *helper)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = "helper";
	atomic_store(&helper->is_done, false);
	if (!EXPECT(helper->attempt, task_create(&helper->task, helper_task, helper, &options), HEDDLE_OK))
		helper->task = NULL;
	return helper->task;
}

bool helper_start(struct helper *helper)
{
	helper_create(helper);
	await(helper, true);
	return helper->task && !atomic_load(&helper->is_done);
}

void helper_await(struct helper *helper)
{
	await(helper, false);
}

void helper_end(struct helper *helper)
{
	if (helper->task)
		MUST(helper->attempt, task_join(helper->task, NULL));
	helper->task = NULL;
}

/* ------------------------------------------------------------------------------------- what is not back -- */

struct stock {
	uint64_t used, made; /* objects in use; tasks ever made */
	uint64_t pool_bytes, free;
};

/* The memory of a task keeps a place in the queues of mutexes, for the next task there. */
static void count_task(struct task *task, void *argument)
{
	struct stock *stock = argument;
	stock->made++;
	stock->used -= task->locks.waiter != NULL;
	for (const struct waiter *waiter = task->locks.abandoned; waiter; waiter = waiter->next_abandoned)
		stock->used--;
}

static struct stock stock_take(void)
{
	struct pool_total total = pool_total();
	struct stock stock = {total.used, 0, total.bytes, memory_count(MEMORY_ANY_NODE).free};
	task_visit_all(count_task, &stock);
	return stock;
}

/* So that another one must be taken. */
static void give_kept(struct task *task, void *own)
{
	struct waiter *kept = task->locks.waiter;
	if (!kept || (task != own && atomic_load(&task->state) != TASK_FREE))
		return;
	atomic_store(&kept->wait, WAITER_DISCARDED);
	waiter_abandon(task, kept);
	waiter_forget(task);
}

/* Memory that pools have taken stays theirs. A new task has taken a node, perhaps a page of nodes, which stays with
 * its processor. */
static bool has_grown(const struct stock *before, const struct stock *now)
{
	return now->pool_bytes != before->pool_bytes || now->made != before->made;
}

static bool is_back(const struct stock *before, const struct stock *now)
{
	return now->used == before->used && (now->free == before->free || has_grown(before, now));
}

/* Make each processor look for work: it then frees timers that it does not need any more. */
static void visit_processors(void)
{
	for (unsigned index = 0; index < heddle_processors(); index++)
		task_bind((int)index);
	task_bind(HEDDLE_TASK_ANY_PROCESSOR);
}

/* Also, a task that has ended may still have to leave its stack. */
static bool stock_comes_back(const struct stock *before)
{
	uint64_t end = heddle_clock() + PATIENCE / 10;
	struct stock now = stock_take();
	while (!is_back(before, &now) && heddle_clock() < end) {
		visit_processors();
		now = stock_take();
	}
	if (is_back(before, &now))
		return true;
	heddle_log("objects in use: %lu before, %lu now; bytes free: %lu before, %lu now",
	           (unsigned long)before->used, (unsigned long)now.used, (unsigned long)before->free,
	           (unsigned long)now.free);
	return false;
}

/* ---------------------------------------------------------------------------------------- the program -- */

struct course {
	struct program_run *run;
	uint64_t from, to;
	bool after; /* later ones fail, too */
	unsigned wrong;
	uint64_t failures;
};

/* `failed`: the allocation's purpose; NULL: none has failed. */
static void say_wrong(struct course *course, const struct part *part, uint64_t number, const char *failed,
                      const struct attempt *attempt)
{
	course->wrong++;
	program_failed(course->run, "part %s, allocation %lu (%s)%s: %s:%d: %s: %s", part->name,
	               (unsigned long)number, failed ? failed : "none", course->after ? " and all after it" : "",
	               attempt->file, attempt->line, attempt->what, heddle_error_text(attempt->error));
}

/* Returns whether there was such an allocation to fail. */
static bool attempt_run(struct course *course, const struct part *part, uint64_t number)
{
	struct attempt attempt = {0};
	task_visit_all(give_kept, task_current());
	struct stock before = stock_take();
	heddle_log("part %s, allocation %lu", part->name, (unsigned long)number);
	failure_inject(number, course->after);
	part->run(&attempt);
	const char *failed = failure_last();
	failure_inject(0, false);
	if (!stock_comes_back(&before))
		note_wrong(&attempt, "something is not back", part->name, 0, HEDDLE_OK);
	if (atomic_load(&attempt.is_wrong))
		say_wrong(course, part, number, failed, &attempt);
	return failed;
}

/* First without a failure, until it takes no more new memory; then with each failing. */
static void part_run(struct course *course, const struct part *part)
{
	attempt_run(course, part, 0);
	attempt_run(course, part, 0);
	uint64_t number = course->from;
	while (number <= course->to && course->wrong < FAILURES && attempt_run(course, part, number))
		number++;
	course->failures += number - course->from;
}

static void say_parts(void)
{
	char line[HEDDLE_LINE_MAXIMUM / 2];
	struct text text;
	text_start(&text, line, sizeof(line));
	for (size_t list = 0; list < LISTS; list++)
		for (const struct part *part = lists[list]; part->name; part++)
			text_add(&text, "%s%s", text.length > 0 ? ", " : "", part->name);
	heddle_log("parts: %s", line);
}

static void part_run_once(struct course *course, const struct part *part)
{
	struct attempt attempt = {0};
	heddle_log("part %s", part->name);
	part->run(&attempt);
	if (atomic_load(&attempt.is_wrong))
		say_wrong(course, part, command_line.fail, failure_last(), &attempt);
}

static bool run(struct program_run *run)
{
	struct course course = {
	    run, program_value(run, "from"), program_value(run, "to"), program_value(run, "after"), 0, 0};
	bool once = program_value(run, "once");
	uint64_t chosen = program_value(run, "part"), number = 0, start = heddle_clock();
	fail_limit = (uint32_t)program_value(run, "limit");
	fail_nodes = (uint32_t)program_value(run, "nodes");
	if (!failure_is_wanted())
		return program_failed(run, "it needs the word fail=0, by which allocations are counted");
	say_parts();
	for (size_t list = 0; list < LISTS; list++)
		for (const struct part *part = lists[list]; part->name; part++)
			if ((++number == chosen || chosen == 0) && course.wrong < FAILURES)
				(once ? part_run_once : part_run)(&course, part);
	program_result_extra(run, "allocations", once ? failure_allocations() : course.failures);
	program_result_extra(run, "wrong", course.wrong);
	return program_result(run, "failures", course.failures, heddle_clock() - start, course.wrong == 0);
}

static const struct program_parameter parameters[] = {
    {"part", 0, 0, 100, "which part, in the order in which the log names them; 0: all"},
    {"from", 1, 1, UINT64_MAX, "the first allocation to fail"},
    {"to", UINT64_MAX, 1, UINT64_MAX, "the last"},
    {"after", 0, 0, 1, "1: with all that come after it"},
    {"limit", 64, 1, 1000, "sections that a helper carries out for others, where they are delegated"},
    {"nodes", 1, 1, 8, "nodes of a lock with delegation that has several"},
    {"once", 0, 0, 1, "1: each part once, with what the word fail= lets fail"},
    {0}};

HEDDLE_PROGRAM(fail, "some of everything, with one allocation after the other failing", parameters, run);
