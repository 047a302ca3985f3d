/*
 * Access patterns for which it can be calculated how often a cache line moves: tools/measure/coherence/ must find
 * exactly that. Tasks, one per processor, take turns in each round, in the order of their processors.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/marks.h"
#include "user/bench/measure.h"

#define LINE        64
#define LINES_WORDS (LINE / sizeof(uint64_t))

enum pattern { WRITE, UPDATE, ATOMIC, READ, OWN_LINE, OWN_WORD, BROADCAST };

struct line {
	_Alignas(LINE) volatile uint64_t words[LINES_WORDS];
};

struct site {
	_Alignas(LINE) _Atomic uint64_t turn; /* counts the turns of all */
	_Alignas(LINE) _Atomic uint64_t number;
	_Alignas(LINE) uint64_t rounds;
	enum pattern pattern;
	unsigned processors;
	struct line *lines;
};

static void use(struct site *site, size_t number, uint64_t round)
{
	volatile uint64_t *words = site->lines->words;
	switch (site->pattern) {
	case WRITE:
		words[0] = round;
		break;
	case UPDATE:
		words[0] = words[0] + 1;
		break;
	case ATOMIC:
		/* relaxed: the turns order it */
		atomic_fetch_add_explicit(&site->number, 1, memory_order_relaxed);
		break;
	case READ:
		(void)words[0];
		break;
	case OWN_LINE:
		site->lines[number].words[0] = round;
		break;
	case OWN_WORD:
		words[number % LINES_WORDS] = round;
		break;
	case BROADCAST:
		if (number == 0)
			words[0] = round;
		else
			(void)words[0];
		break;
	}
}

/* The first round is not followed: no processor holds the lines yet. */
static intptr_t member(size_t number, void *argument)
{
	struct site *site = argument;
	for (uint64_t round = 0; round <= site->rounds; round++) {
		uint64_t mine = round * site->processors + number;
		/* acquire: what the task before did; pairs with the release below */
		while (atomic_load_explicit(&site->turn, memory_order_acquire) != mine)
			task_yield();
		if (number == 0 && round == 1)
			marks_begin();
		use(site, number, round);
		if (number == site->processors - 1 && round == site->rounds)
			marks_end();
		atomic_store_explicit(&site->turn, mine + 1, memory_order_release);
	}
	return 0;
}

static bool site_measure(struct program_run *run, struct site *site)
{
	struct crew crew = {
	    .name = "lines", .function = member, .argument = site, .count = site->processors, .bound = true};
	uint64_t duration;
	intptr_t unused;
	marks_data(site->lines, site->processors * sizeof(struct line));
	marks_data((const void *)&site->number, sizeof(site->number));
	if (!crew_measure(run, &crew, &duration, &unused))
		return false;
	return program_result(run, NULL, site->rounds, duration, true);
}

static bool run(struct program_run *run)
{
	unsigned processors = heddle_processors();
	size_t bytes = sizeof(struct site) + processors * sizeof(struct line);
	struct site *site = heddle_allocate(bytes);
	if (!site)
		return program_failed(run, "no memory for %u lines", processors);
	*site = (struct site){.rounds = program_value(run, "rounds"),
	                      .pattern = (enum pattern)program_value(run, "variant"),
	                      .processors = processors,
	                      .lines = (struct line *)(site + 1)};
	for (unsigned i = 0; i < processors; i++)
		site->lines[i].words[0] = i;
	bool ok = site_measure(run, site);
	heddle_free(site, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"variant", .help = "how the processors use lines",
     .choices = "write|update|atomic|read|own-line|own-word|broadcast"},
    {"rounds", 100, 1, 1000000000, "rounds"},
    {0}};

HEDDLE_PROGRAM(lines, "access patterns with a known number of moves of a cache line", parameters, run);
