#include "user/bench/contest.h"

#include "heddle/system.h"
#include "user/bench/histogram.h"

struct contestant {
	uint64_t sections, counted;
	uint64_t late; /* nanoseconds after the end at which its only counted lock was got */
	uint64_t *latencies;
};

static uint64_t work_alone(const struct contest *contest)
{
	uint64_t wrong = 0;
	for (uint64_t i = 0; i < contest->parts; i++) {
		wrong += idle_turns(contest->turns) != contest->expected;
		task_yield();
	}
	return wrong;
}

static uint64_t counted_from(const struct contest *contest)
{
	return contest->crew->started_at + contest->time.warmup;
}

static uint64_t counted_until(const struct contest *contest)
{
	return contest->time.period ? counted_from(contest) + contest->time.period : UINT64_MAX;
}

/* However long the host stops the processors, each task counts one lock: then there is always something to show. */
static bool has_ended(const struct contest *contest, const struct contestant *contestant, uint64_t now)
{
	return contest->time.period ? now >= counted_until(contest) && contestant->counted
	                            : contestant->sections == contest->rounds;
}

static void count(const struct contest *contest, struct contestant *contestant, uint64_t came_at,
                  uint64_t got_at)
{
	contestant->sections++;
	if (got_at < counted_from(contest) || (got_at >= counted_until(contest) && contestant->counted))
		return;
	if (got_at >= counted_until(contest))
		contestant->late = got_at - counted_until(contest);
	contestant->latencies[contestant->counted % contest->rounds] = got_at - came_at;
	contestant->counted++;
}

/* Returns how often something went wrong. */
static intptr_t member(size_t number, void *argument)
{
	struct contest *contest = argument;
	struct contestant own = {.latencies = &contest->latencies[number * contest->rounds]};
	uint64_t wrong = 0, came_at;
	while (!has_ended(contest, &own, came_at = heddle_clock())) {
		chosen_mutex_lock(&contest->mutex);
		count(contest, &own, came_at, heddle_clock());
		uint64_t entered = witness_enter(&contest->witness);
		wrong += !contest->section(contest->argument);
		witness_leave(&contest->witness, entered);
		chosen_mutex_unlock(&contest->mutex);
		wrong += work_alone(contest);
	}
	contest->contestants[number] = own;
	return (intptr_t)wrong;
}

uint64_t contest_sections(const struct contest *contest)
{
	uint64_t sections = 0;
	for (uint64_t i = 0; i < contest->tasks; i++)
		sections += contest->contestants[i].sections;
	return sections;
}

static uint64_t sections_counted(const struct contest *contest)
{
	uint64_t sections = 0;
	for (uint64_t i = 0; i < contest->tasks; i++)
		sections += contest->contestants[i].counted;
	return sections;
}

/* For how long locks counted, in nanoseconds: until the end, or until the last task that counted none had got one. */
static uint64_t counted_for(const struct contest *contest)
{
	uint64_t late = 0;
	for (uint64_t i = 0; i < contest->tasks; i++)
		if (contest->contestants[i].late > late)
			late = contest->contestants[i].late;
	return contest->time.period + late;
}

static void add_kept(const struct contest *contest, const struct contestant *contestant,
                     struct histogram *histogram)
{
	for (uint64_t i = 0; i < contestant->counted && i < contest->rounds; i++)
		histogram_add(histogram, contestant->latencies[i]);
}

static bool add_latencies(const struct contest *contest, struct program_run *run)
{
	struct histogram *histogram = heddle_allocate(sizeof(*histogram));
	if (!histogram)
		return program_failed(run, "no memory for a histogram");
	*histogram = (struct histogram){0};
	for (uint64_t i = 0; i < contest->tasks; i++)
		add_kept(contest, &contest->contestants[i], histogram);
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
	uint64_t duration;
	intptr_t wrong;
	contest->crew = &crew;
	if (!crew_measure(run, &crew, &duration, &wrong) || !add_latencies(contest, run))
		return false;
	add_counters(contest, run);
	bool alone = witness_is_content(&contest->witness, contest_sections(contest));
	bool right = wrong == 0 && is_right(contest);
	program_result(run, NULL, sections_counted(contest),
	               contest->time.period ? counted_for(contest) : duration, alone && right);
	if (!alone)
		return program_failed(run, "a section was lost, or two tasks held the lock at once");
	return right || program_failed(run, "%s", contest->failure);
}

static bool with_mutex(struct contest *contest, struct program_run *run,
                       bool (*is_right)(const struct contest *))
{
	bool ok = chosen_mutex_create(&contest->mutex, run) && contest_measure(contest, run, is_right);
	chosen_mutex_destroy(&contest->mutex);
	return ok;
}

bool contest_run(struct contest *contest, struct program_run *run, bool (*is_right)(const struct contest *))
{
	contest->tasks = program_value(run, "tasks");
	contest->rounds = program_value(run, "rounds");
	contest->parts = program_value(run, "parts");
	contest->turns = program_value(run, "turns");
	contest->expected = idle_turns(contest->turns);
	if (!measure_time_read(run, &contest->time, "rounds"))
		return false;
	size_t latencies = contest->tasks * contest->rounds * sizeof(*contest->latencies);
	size_t contestants = contest->tasks * sizeof(*contest->contestants);
	contest->latencies = heddle_allocate(latencies);
	contest->contestants = heddle_allocate(contestants);
	bool ok = contest->latencies && contest->contestants
	              ? with_mutex(contest, run, is_right)
	              : program_failed(run, "no memory for %lu latencies of each of %lu tasks", contest->rounds,
	                               contest->tasks);
	heddle_free(contest->contestants, contestants);
	heddle_free(contest->latencies, latencies);
	return ok;
}
