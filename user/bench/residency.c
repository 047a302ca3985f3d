/*
 * Where critical sections run (exchange paper, section 5.4): tasks use resources at random, each behind its own lock.
 * It records which processor ran each section, and how often that was not the processor of the previous section at
 * the same resource: for all sections, and for those whose task was handed the lock, because it found the resource in
 * use and had to wait. A free lock of any kind is taken wherever a task comes to it.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/lock_choice.h"
#include "user/bench/measure.h"
#include "user/bench/random.h"
#include "user/bench/witness.h"
#include "user/bench/work.h"

#define SHARES 10000

/* On cache lines of its own, so that two resources do not share one. */
struct resource {
	struct chosen_mutex mutex;
	struct witness witness;
	/* With the lock held: */
	uint64_t sections, changes;
	uint64_t waited, waited_changes; /* of sections whose task was handed the lock */
	unsigned processor;              /* of the last section */
	uint64_t *on_processor;          /* sections that ran there */
};

struct site {
	struct resource *resources;
	uint64_t *on_processor;
	uint64_t count, rounds, section, outside;
	unsigned processors;
};

static void resource_use(struct resource *resource, bool waited)
{
	unsigned processor = heddle_processor();
	bool changed = resource->sections > 0 && processor != resource->processor;
	resource->changes += changed;
	resource->waited += waited;
	resource->waited_changes += waited && changed;
	resource->sections++;
	resource->on_processor[processor]++;
	resource->processor = processor;
}

static intptr_t member(size_t number, void *argument)
{
	struct site *site = argument;
	struct random random = random_start(number);
	for (uint64_t i = 0; i < site->rounds; i++) {
		struct resource *resource = &site->resources[random_below(&random, site->count)];
		uint64_t came = witness_count(&resource->witness);
		chosen_mutex_lock(&resource->mutex);
		uint64_t entered = witness_enter(&resource->witness);
		resource_use(resource, came % 2 && entered > came + 1);
		work_linger(site->section);
		witness_leave(&resource->witness, entered);
		chosen_mutex_unlock(&resource->mutex);
		work_linger(site->outside);
	}
	return 0;
}

/* The part of the whole, in SHARES. */
static uint64_t share(uint64_t part, uint64_t whole)
{
	return whole ? part * SHARES / whole : SHARES;
}

/* How many of a resource's sections ran on the processor that ran most of them; logs one line. */
static uint64_t resource_report(const struct site *site, uint64_t number)
{
	const struct resource *resource = &site->resources[number];
	unsigned most = 0;
	for (unsigned i = 1; i < site->processors; i++)
		if (resource->on_processor[i] > resource->on_processor[most])
			most = i;
	heddle_log("resource %lu: %lu sections, %lu of them on processor %u, which ran most; %lu changes", number,
	           resource->sections, resource->on_processor[most], most, resource->changes);
	return resource->on_processor[most];
}

static bool report(struct program_run *run, struct site *site, uint64_t sections, uint64_t duration)
{
	uint64_t used = 0, changes = 0, most = 0, pairs = 0, waited = 0, waited_changes = 0;
	bool ok = true;
	for (uint64_t i = 0; i < site->count; i++) {
		struct resource *resource = &site->resources[i];
		ok &= witness_is_content(&resource->witness, resource->sections);
		used += resource->sections;
		pairs += resource->sections ? resource->sections - 1 : 0;
		changes += resource->changes;
		waited += resource->waited;
		waited_changes += resource->waited_changes;
		most += resource_report(site, i);
	}
	ok &= used == sections;
	program_result_extra(run, "changes", changes);
	program_result_extra(run, "same_of_10000", share(pairs - changes, pairs));
	program_result_extra(run, "most_of_10000", share(most, sections));
	program_result_extra(run, "waited", waited);
	program_result_extra(run, "waited_same_of_10000", share(waited - waited_changes, waited));
	program_result(run, NULL, sections, duration, ok);
	return ok || program_failed(run, "a section was lost, or two tasks held a lock at once");
}

static bool site_open(struct program_run *run, struct site *site)
{
	bool ok = true;
	for (uint64_t i = 0; i < site->count * site->processors; i++)
		site->on_processor[i] = 0;
	for (uint64_t i = 0; i < site->count; i++)
		site->resources[i] = (struct resource){.on_processor = site->on_processor + i * site->processors};
	for (uint64_t i = 0; i < site->count && ok; i++)
		ok = chosen_mutex_create(&site->resources[i].mutex, run);
	return ok;
}

static void site_close(struct site *site)
{
	for (uint64_t i = 0; i < site->count; i++)
		chosen_mutex_destroy(&site->resources[i].mutex);
}

static bool residency_measure(struct program_run *run, struct site *site)
{
	uint64_t tasks = program_value(run, "tasks"), duration;
	struct crew crew = {.name = "residency", .function = member, .argument = site, .count = tasks};
	intptr_t unused;
	bool ok = site_open(run, site) && crew_measure(run, &crew, &duration, &unused) &&
	          report(run, site, tasks * site->rounds, duration);
	site_close(site);
	return ok;
}

static bool run(struct program_run *run)
{
	struct site site = {.count = program_value(run, "resources"),
	                    .rounds = program_value(run, "rounds"),
	                    .section = program_value(run, "section"),
	                    .outside = program_value(run, "outside"),
	                    .processors = heddle_processors()};
	size_t bytes = site.count * sizeof(*site.resources);
	size_t on_bytes = site.count * site.processors * sizeof(*site.on_processor);
	site.resources = heddle_allocate(bytes);
	site.on_processor = heddle_allocate(on_bytes);
	bool ok = site.resources && site.on_processor
	              ? residency_measure(run, &site)
	              : program_failed(run, "no memory for %lu resources", site.count);
	heddle_free(site.on_processor, on_bytes);
	heddle_free(site.resources, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS,
    {"tasks", 1000, 1, 1000000, "how many tasks"},
    {"resources", 4, 1, 1000, "how many resources, a lock each; more of them, less contention"},
    {"rounds", 200, 1, 1000000, "sections of each task"},
    {"section", 1000, 0, 1000000, "nanoseconds that a section takes at the least"},
    {"outside", 0, 0, 1000000, "nanoseconds between two sections of a task, at the least"},
    {0}};

HEDDLE_PROGRAM(residency, "which processor runs critical sections (exchange paper, section 5.4)", parameters,
               run);
