#include "user/bench/contest.h"

#include "heddle/system.h"
#include "user/bench/histogram.h"
#include "user/bench/measure.h"

static uint64_t work_alone(const struct contest *contest)
{
	uint64_t wrong = 0;
	for (uint64_t i = 0; i < contest->parts; i++) {
		wrong += idle_turns(contest->turns) != contest->expected;
		task_yield();
	}
	return wrong;
}

/* Returns how often something went wrong. */
static intptr_t member(size_t number, void *argument)
{
	struct contest *contest = argument;
	uint64_t *latencies = &contest->latencies[number * contest->rounds], wrong = 0;
	for (uint64_t i = 0; i < contest->rounds; i++) {
		uint64_t start = heddle_clock();
		chosen_mutex_lock(&contest->mutex);
		latencies[i] = heddle_clock() - start;
		uint64_t entered = witness_enter(&contest->witness);
		wrong += !contest->section(contest->argument);
		witness_leave(&contest->witness, entered);
		chosen_mutex_unlock(&contest->mutex);
		wrong += work_alone(contest);
	}
	return (intptr_t)wrong;
}

static bool add_latencies(const struct contest *contest, struct program_run *run)
{
	struct histogram *histogram = heddle_allocate(sizeof(*histogram));
	if (!histogram)
		return program_failed(run, "no memory for a histogram");
	*histogram = (struct histogram){0};
	for (uint64_t i = 0; i < contest_sections(contest); i++)
		histogram_add(histogram, contest->latencies[i]);
	program_result_extra(run, "median_ns", histogram_quantile(histogram, 1, 2));
	program_result_extra(run, "p95_ns", histogram_quantile(histogram, 95, 100));
	program_result_extra(run, "p99_ns", histogram_quantile(histogram, 99, 100));
	program_result_extra(run, "maximum_ns", histogram->largest);
	heddle_free(histogram, sizeof(*histogram));
	return true;
}

static void add_counters(const struct contest *contest, struct program_run *run)
{
	const struct waiting_counters *counters = chosen_mutex_counters(&contest->mutex);
	if (!counters)
		return;
	program_result_extra(run, "at_once", counters->at_once);
	program_result_extra(run, "spun", counters->spun);
	program_result_extra(run, "yielded", counters->yielded);
	program_result_extra(run, "suspended", counters->suspended);
}

static bool contest_measure(struct contest *contest, struct program_run *run,
                            bool (*is_right)(const struct contest *))
{
	struct crew crew = {.name = "contest", .function = member, .argument = contest, .count = contest->tasks};
	uint64_t sections = contest_sections(contest), duration;
	intptr_t wrong;
	if (!crew_measure(run, &crew, &duration, &wrong) || !add_latencies(contest, run))
		return false;
	add_counters(contest, run);
	bool alone = witness_is_content(&contest->witness, sections);
	bool right = wrong == 0 && is_right(contest);
	program_result(run, NULL, sections, duration, alone && right);
	if (!alone)
		return program_failed(run, "a section was lost, or two tasks held the lock at once");
	return right || program_failed(run, "%s", contest->failure);
}

bool contest_run(struct contest *contest, struct program_run *run, bool (*is_right)(const struct contest *))
{
	contest->tasks = program_value(run, "tasks");
	contest->rounds = program_value(run, "rounds");
	contest->parts = program_value(run, "parts");
	contest->turns = program_value(run, "turns");
	contest->expected = idle_turns(contest->turns);
	size_t bytes = contest_sections(contest) * sizeof(*contest->latencies);
	contest->latencies = heddle_allocate(bytes);
	if (!contest->latencies)
		return program_failed(run, "no memory for the latencies of %lu sections", contest_sections(contest));
	bool ok = chosen_mutex_create(&contest->mutex, run) && contest_measure(contest, run, is_right);
	chosen_mutex_destroy(&contest->mutex);
	heddle_free(contest->latencies, bytes);
	return ok;
}
