/*
 * Critical sections that write a number of cache lines, so that tools/measure/coherence/ can follow which lines move
 * between processors. The followed part begins in one section and ends in another, when all tasks have run for a
 * while, so it has an exact number of sections.
 */
#include "heddle/program.h"
#include "heddle/qd_lock.h"
#include "heddle/system.h"
#include "user/bench/lock_choice.h"
#include "user/bench/marks.h"
#include "user/bench/measure.h"

#define LINE 64

enum { VARIANT_QD = LOCK_VARIANTS, VARIANT_QD_WAIT };

struct line {
	_Alignas(LINE) uint64_t count;
};

struct traffic {
	struct chosen_mutex mutex; /* on lines of its own */
	_Alignas(LINE) struct qd_lock delegation;
	_Alignas(LINE) struct qd_slot slots[HEDDLE_QD_SLOTS];
	/* of the run, read only */
	_Alignas(LINE) uint64_t variant;
	uint64_t rounds, inside, outside, line_count, own_count;
	uint64_t first, last; /* the sections in which the followed part begins and ends */
	struct line *lines;   /* with the lock held */
	struct line *own;     /* the lines of one task after those of another */
};

static void work(uint64_t turns)
{
	for (volatile uint64_t done = 0; done < turns; done++)
		continue;
}

static void lines_write(struct line *lines, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		lines[i].count++;
}

/* The protected data: each line counts all sections. */
static void section(struct traffic *traffic)
{
	lines_write(traffic->lines, traffic->line_count);
	work(traffic->inside);
	if (traffic->lines->count == traffic->first)
		marks_begin();
	if (traffic->lines->count == traffic->last)
		marks_end();
}

static void delegated_section(size_t size, void *message)
{
	(void)size;
	section(*(struct traffic **)message);
}

static void section_run(struct traffic *traffic)
{
	if (traffic->variant == VARIANT_QD) {
		qd_delegate(&traffic->delegation, delegated_section, sizeof(traffic), &traffic);
	} else if (traffic->variant == VARIANT_QD_WAIT) {
		qd_delegate_wait(&traffic->delegation, delegated_section, sizeof(traffic), &traffic);
	} else {
		chosen_mutex_lock(&traffic->mutex);
		section(traffic);
		chosen_mutex_unlock(&traffic->mutex);
	}
}

static intptr_t member(size_t number, void *argument)
{
	struct traffic *traffic = argument;
	struct line *own = traffic->own + number * traffic->own_count;
	for (uint64_t i = 0; i < traffic->rounds; i++) {
		section_run(traffic);
		lines_write(own, traffic->own_count);
		work(traffic->outside);
	}
	return 0;
}

/* Whether each line has counted that many. */
static bool lines_have(const struct line *lines, uint64_t count, uint64_t wanted)
{
	uint64_t right = 0;
	for (uint64_t i = 0; i < count; i++)
		right += lines[i].count == wanted;
	return right == count;
}

/* Tell the plug-in the purpose of each piece of memory. */
static void mark(struct traffic *traffic, uint64_t own_lines)
{
	if (traffic->variant >= VARIANT_QD) {
		marks_lock(&traffic->delegation, sizeof(traffic->delegation));
		marks_lock(traffic->slots, sizeof(traffic->slots));
	} else {
		marks_lock(&traffic->mutex, sizeof(traffic->mutex));
		marks_lock(traffic->mutex.queues, traffic->mutex.count * sizeof(*traffic->mutex.queues));
	}
	marks_data(traffic->lines, traffic->line_count * sizeof(struct line));
	marks_own(traffic->own, own_lines * sizeof(struct line));
}

static bool traffic_measure(struct program_run *run, struct traffic *traffic, uint64_t tasks)
{
	struct crew crew = {.name = "traffic", .function = member, .argument = traffic, .count = tasks};
	uint64_t duration;
	intptr_t unused;
	mark(traffic, tasks * traffic->own_count);
	if (!crew_measure(run, &crew, &duration, &unused))
		return false;
	/* The last delegated section may still have to run: it does so before the lock is acquired here. */
	qd_lock(&traffic->delegation);
	qd_unlock(&traffic->delegation);
	bool ok = lines_have(traffic->lines, traffic->line_count, tasks * traffic->rounds) &&
	          lines_have(traffic->own, tasks * traffic->own_count, traffic->rounds);
	program_result_extra(run, "followed", traffic->last - traffic->first);
	program_result(run, NULL, tasks * traffic->rounds, duration, ok);
	return ok || program_failed(run, "a section was lost, or two tasks were inside at once");
}

static bool traffic_create(struct program_run *run, struct traffic *traffic, uint64_t tasks)
{
	*traffic = (struct traffic){.variant = program_value(run, "lock"),
	                            .rounds = program_value(run, "rounds"),
	                            .inside = program_value(run, "inside"),
	                            .outside = program_value(run, "outside"),
	                            .line_count = program_value(run, "lines"),
	                            .own_count = program_value(run, "own"),
	                            .lines = (struct line *)(traffic + 1)};
	traffic->own = traffic->lines + traffic->line_count;
	traffic->first = tasks * traffic->rounds / 5 + 1;
	traffic->last = tasks * traffic->rounds * 4 / 5 + 1;
	for (uint64_t i = 0; i < traffic->line_count + tasks * traffic->own_count; i++)
		traffic->lines[i].count = 0;
	if (traffic->variant < VARIANT_QD && !chosen_mutex_create(&traffic->mutex, run))
		return false;
	enum heddle_error error =
	    qd_lock_create(&traffic->delegation, traffic->slots, HEDDLE_QD_SLOTS, HEDDLE_QD_LIMIT);
	return error == HEDDLE_OK || program_failed(run, "no lock: %s", heddle_error_text(error));
}

static bool run(struct program_run *run)
{
	uint64_t tasks = program_value(run, "tasks");
	uint64_t lines = program_value(run, "lines") + tasks * program_value(run, "own");
	size_t bytes = sizeof(struct traffic) + lines * sizeof(struct line);
	struct traffic *traffic = heddle_allocate(bytes);
	if (!traffic)
		return program_failed(run, "no memory for %lu lines", lines);
	bool ok = traffic_create(run, traffic, tasks) && traffic_measure(run, traffic, tasks);
	chosen_mutex_destroy(&traffic->mutex);
	heddle_free(traffic, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS_OR("|qd|qd-wait"),
    {"tasks", 256, 1, 100000, "how many tasks"},
    {"rounds", 20, 1, 1000000, "sections of each task"},
    {"lines", 4, 1, 10000, "cache lines that a section writes"},
    {"inside", 20, 0, 1000000, "turns of an empty loop in a section"},
    {"outside", 400, 0, 1000000, "turns between two sections of a task"},
    {"own", 4, 0, 1000, "cache lines of its own that a task writes between two sections"},
    {0}};

HEDDLE_PROGRAM(traffic, "critical sections whose cache lines are followed from outside", parameters, run);
