/*
 * What the compiler's checks are for: one task runs a long loop without calls, and the others, on the same processor,
 * go on meanwhile. Each of these counts its own steps while the loop runs, and records its longest wait between two
 * steps.
 *
 * The loop steps through a sequence of numbers; the last number is also computed in another way.
 */
#include <stdatomic.h>

#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"

#define FACTOR    6364136223846793005u
#define INCREMENT 1442695040888963407u

enum phase { LOOP_WAITS, LOOP_RUNS, LOOP_HAS_ENDED };

struct progress {
	uint64_t steps, longest_wait; /* nanoseconds */
};

struct fairness {
	uint64_t iterations;
	/* The loop's task writes these, `phase` last, with release; the others read `phase` first, with acquire.
	 */
	uint64_t loop_start, loop_end, loop_result;
	_Atomic enum phase phase;
	struct progress *progress; /* of each task; that of the loop stays empty */
};

static enum phase phase_now(const struct fairness *fairness)
{
	/* acquire: pairs with the releases in loop_run */
	return atomic_load_explicit(&fairness->phase, memory_order_acquire);
}

static uint64_t loop(uint64_t iterations)
{
	uint64_t number = 0;
	for (uint64_t i = 0; i < iterations; i++)
		number = number * FACTOR + INCREMENT;
	return number;
}

/* The same by squaring: each iteration doubles the steps that `factor` and `increment` stand for. */
static uint64_t loop_expected(uint64_t iterations)
{
	uint64_t number = 0, factor = FACTOR, increment = INCREMENT;
	for (; iterations; iterations /= 2) {
		if (iterations % 2)
			number = number * factor + increment;
		increment += increment * factor;
		factor *= factor;
	}
	return number;
}

static void loop_run(struct fairness *fairness)
{
	fairness->loop_start = heddle_clock();
	atomic_store_explicit(&fairness->phase, LOOP_RUNS, memory_order_release);
	fairness->loop_result = loop(fairness->iterations);
	fairness->loop_end = heddle_clock();
	atomic_store_explicit(&fairness->phase, LOOP_HAS_ENDED, memory_order_release);
}

static void wait_note(struct progress *progress, uint64_t from, uint64_t to)
{
	if (to > from && to - from > progress->longest_wait)
		progress->longest_wait = to - from;
}

static void steps_make(struct fairness *fairness, struct progress *progress)
{
	while (phase_now(fairness) == LOOP_WAITS)
		task_yield();
	uint64_t last = fairness->loop_start;
	while (phase_now(fairness) == LOOP_RUNS) {
		uint64_t now = heddle_clock();
		wait_note(progress, last, now);
		progress->steps++;
		last = now;
	}
	wait_note(progress, last, fairness->loop_end);
}

static intptr_t member(size_t number, void *argument)
{
	struct fairness *fairness = argument;
	fairness->progress[number] = (struct progress){0};
	if (number == 0)
		loop_run(fairness);
	else
		steps_make(fairness, &fairness->progress[number]);
	return 0;
}

/* Print the result; it counts the steps of the tasks from 1 on. */
static bool report(struct program_run *run, const struct fairness *fairness, uint64_t tasks)
{
	uint64_t least = UINT64_MAX, most = 0, wait = 0, left_behind = 0;
	for (uint64_t i = 1; i < tasks; i++) {
		const struct progress *progress = &fairness->progress[i];
		least = progress->steps < least ? progress->steps : least;
		most = progress->steps > most ? progress->steps : most;
		wait = progress->longest_wait > wait ? progress->longest_wait : wait;
		left_behind += progress->steps == 0;
	}
	bool right = fairness->loop_result == loop_expected(fairness->iterations);
	program_result_extra(run, "steps_least", least);
	program_result_extra(run, "steps_most", most);
	program_result_extra(run, "longest_wait_ns", wait);
	program_result(run, NULL, fairness->iterations, fairness->loop_end - fairness->loop_start,
	               right && left_behind == 0);
	if (left_behind)
		return program_failed(run,
		                      "%lu of %lu tasks did not run while one ran a loop of %lu turns: is user code "
		                      "compiled without the compiler's checks, or the quantum longer than the loop?",
		                      left_behind, tasks - 1, fairness->iterations);
	return right || program_failed(run, "the loop's result is not the one that squaring gives");
}

static bool run(struct program_run *run)
{
	uint64_t tasks = program_value(run, "tasks");
	struct fairness fairness = {.iterations = program_value(run, "iterations")};
	size_t bytes = tasks * sizeof(*fairness.progress);
	struct crew crew = {.name = "fairness",
	                    .function = member,
	                    .argument = &fairness,
	                    .count = tasks,
	                    .bound = true,
	                    .processors = 1};
	intptr_t unused;
	bool ok;
	fairness.progress = heddle_allocate(bytes);
	if (!fairness.progress)
		return program_failed(run, "no memory for the progress of %lu tasks", tasks);
	enum heddle_error error = crew_create(&crew);
	if (error == HEDDLE_OK) {
		crew_start(&crew);
		error = crew_join(&crew, &unused);
	}
	ok = error == HEDDLE_OK
	         ? report(run, &fairness, tasks)
	         : program_failed(run, "cannot run %lu tasks: %s", tasks, heddle_error_text(error));
	heddle_free(fairness.progress, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"tasks", 64, 2, 10000, "how many tasks share the processor, the one with the loop included"},
    {"iterations", 1000000, 1, 1000000000000, "turns of the loop"},
    {0}};

HEDDLE_PROGRAM(fairness, "tasks that go on while one runs a loop without a call", parameters, run);
