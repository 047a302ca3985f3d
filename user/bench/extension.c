/*
 * Why a spent quantum should not switch a lock's holder away: some tasks serve requests, each with a short critical
 * section, beside tasks that only compute. Both ways are measured in turn. First, every holder whose quantum is spent
 * is switched away, and waits behind all other ready tasks while its lock is held; then its quantum is extended.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "kernel/command_line.h"
#include "sched/statistics.h"
#include "user/bench/lock_choice.h"
#include "user/bench/measure.h"
#include "user/bench/random.h"
#include "user/bench/witness.h"

#define JOB_TURNS 20000 /* until a job checks whether it may end */

/* On cache lines of its own, so that locks do not share one. */
struct guarded {
	struct chosen_mutex mutex;
	struct witness witness;
};

struct service {
	struct guarded *guarded;
	uint64_t locks, servers, section, outside, duration;
	uint32_t extension;
	_Atomic uint64_t serving; /* servers that have not ended */
	_Atomic uint64_t waited, waiting_time, computed;
};

/* The results of one way. */
struct outcome {
	uint64_t sections, duration, waited, waiting_time, switched, extended;
};

/* ---------------------------------------------------------------------------------------------- tasks -- */

static uint64_t compute(uint64_t turns, uint64_t number)
{
	for (uint64_t i = 0; i < turns; i++) {
		number ^= number << 13;
		number ^= number >> 7;
		number ^= number << 17;
	}
	return number;
}

static void add(_Atomic uint64_t *sum, uint64_t number)
{
	/* relaxed: read after the joins, which order it */
	atomic_fetch_add_explicit(sum, number, memory_order_relaxed);
}

/* A section; returns whether its task had to wait. */
static bool enter_and_compute(struct service *service, struct guarded *guarded, uint64_t *number)
{
	uint64_t before = witness_count(&guarded->witness);
	chosen_mutex_lock(&guarded->mutex);
	uint64_t entered = witness_enter(&guarded->witness);
	*number = compute(service->section, *number);
	witness_leave(&guarded->witness, entered);
	chosen_mutex_unlock(&guarded->mutex);
	return entered != before;
}

/* Returns how many sections it had. */
static intptr_t serve_requests(size_t number, struct service *service)
{
	struct random random = random_start(number);
	uint64_t sections = 0, waited = 0, waiting_time = 0, computed = number + 1;
	uint64_t end = heddle_clock() + service->duration;
	task_set_extension(service->extension);
	do {
		computed = compute(random_below(&random, 2 * service->outside + 1), computed);
		struct guarded *guarded = &service->guarded[random_below(&random, service->locks)];
		uint64_t came = heddle_clock();
		waited += enter_and_compute(service, guarded, &computed);
		waiting_time += heddle_clock() - came;
		sections++;
	} while (heddle_clock() < end);
	add(&service->waited, waited);
	add(&service->waiting_time, waiting_time);
	add(&service->computed, computed);
	atomic_fetch_sub_explicit(&service->serving, 1, memory_order_relaxed);
	return (intptr_t)sections;
}

/* As long as there are servers. */
static void do_jobs(size_t number, struct service *service)
{
	uint64_t computed = number + 1;
	while (atomic_load_explicit(&service->serving, memory_order_relaxed) > 0) {
		computed = compute(JOB_TURNS, computed);
		task_yield(); /* with checks, its quantum was spent before */
	}
	add(&service->computed, computed);
}

static intptr_t member(size_t number, void *argument)
{
	struct service *service = argument;
	if (number < service->servers)
		return serve_requests(number, service);
	do_jobs(number, service);
	return 0;
}

/* -------------------------------------------------------------------------------------------- measure -- */

static void prepare(struct service *service, uint32_t extension)
{
	for (uint64_t i = 0; i < service->locks; i++)
		service->guarded[i].witness = (struct witness){0};
	service->extension = extension;
	atomic_store_explicit(&service->serving, service->servers, memory_order_relaxed);
	atomic_store_explicit(&service->waited, 0, memory_order_relaxed);
	atomic_store_explicit(&service->waiting_time, 0, memory_order_relaxed);
}

static bool is_content(struct service *service, uint64_t sections)
{
	uint64_t seen = 0;
	bool alone = true;
	for (uint64_t i = 0; i < service->locks; i++) {
		uint64_t count = witness_count(&service->guarded[i].witness);
		alone &= witness_is_content(&service->guarded[i].witness, count / 2);
		seen += count / 2;
	}
	return alone && seen == sections;
}

/* Measure one way once, and add to its outcome. */
static bool measure_once(struct program_run *run, struct service *service, uint32_t extension,
                         struct outcome *outcome)
{
	uint64_t jobs = program_value(run, "jobs") * heddle_processors(), duration;
	struct crew crew = {
	    .name = "extension", .function = member, .argument = service, .count = service->servers + jobs};
	intptr_t sections;
	struct statistics before = statistics_sum();
	prepare(service, extension);
	if (!crew_measure(run, &crew, &duration, &sections))
		return false;
	struct statistics after = statistics_sum();
	outcome->sections += (uint64_t)sections;
	outcome->duration += duration;
	outcome->waited += service->waited;
	outcome->waiting_time += service->waiting_time;
	outcome->switched += after.inside - before.inside;
	outcome->extended += after.extended - before.extended;
	return is_content(service, (uint64_t)sections) ||
	       program_failed(run, "a section was lost, or two tasks held a lock at once");
}

/* ---------------------------------------------------------------------------------------------- result -- */

static bool report(struct program_run *run, const struct outcome *outcome, uint32_t extension)
{
	program_result_extra(run, "extension", extension);
	program_result_extra(run, "switched_inside", outcome->switched);
	program_result_extra(run, "extended", outcome->extended);
	program_result_extra(run, "waited", outcome->waited);
	program_result_extra(run, "section_ns", outcome->waiting_time / outcome->sections);
	return program_result(run, NULL, outcome->sections, outcome->duration, true);
}

/* The time of a section, in picoseconds, so that it is never 0. */
static uint64_t time_of(const struct outcome *outcome)
{
	return outcome->duration * 1000 / outcome->sections;
}

static bool measure(struct program_run *run, struct service *service)
{
	struct outcome switched = {0}, extended = {0};
	uint32_t extension = command_line.extension;
	for (uint64_t i = 0; i < program_value(run, "repeats"); i++)
		if (!measure_once(run, service, 0, &switched) || !measure_once(run, service, extension, &extended))
			return false;
	if (!report(run, &switched, 0))
		return false;
	uint64_t percent = time_of(&switched) * 100 / time_of(&extended);
	program_result_extra(run, "percent", percent);
	heddle_log("with extended quanta there are %lu.%02lu times as many sections a second", percent / 100,
	           percent % 100);
	return report(run, &extended, extension);
}

/* The locks are created once and used for all measurements. */
static bool guard_all(struct program_run *run, struct service *service)
{
	bool ok = true;
	for (uint64_t i = 0; i < service->locks; i++)
		service->guarded[i] = (struct guarded){0};
	for (uint64_t i = 0; i < service->locks && ok; i++)
		ok = chosen_mutex_create(&service->guarded[i].mutex, run);
	ok = ok && measure(run, service);
	for (uint64_t i = 0; i < service->locks; i++)
		chosen_mutex_destroy(&service->guarded[i].mutex);
	return ok;
}

static bool run(struct program_run *run)
{
	struct service service = {.locks = program_value(run, "locks") * heddle_processors(),
	                          .servers = program_value(run, "tasks") * heddle_processors(),
	                          .section = program_value(run, "section"),
	                          .outside = program_value(run, "outside"),
	                          .duration = program_value(run, "milliseconds") * MILLISECOND};
	size_t bytes = service.locks * sizeof(*service.guarded);
	service.guarded = heddle_allocate(bytes);
	if (!service.guarded)
		return program_failed(run, "no memory for %lu locks", service.locks);
	bool ok = guard_all(run, &service);
	heddle_free(service.guarded, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS,
    {"tasks", 50, 1, 100000, "tasks with sections, per processor"},
    {"jobs", 25, 0, 100000, "tasks that only compute, per processor"},
    {"locks", 1, 1, 100000, "locks, per processor"},
    {"section", 200, 0, 1000000000, "turns of a computation inside, of about eight instructions"},
    {"outside", 1000, 0, 1000000000, "such turns between two sections, on average"},
    {"milliseconds", 200, 1, 1000000, "how long each way is measured at a time"},
    {"repeats", 1, 1, 1000, "how often"},
    {0}};

HEDDLE_PROGRAM(extension, "holders of locks whose quantum is spent, switched away or not", parameters, run);
