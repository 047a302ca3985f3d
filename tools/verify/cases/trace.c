/*
 * The trace: a ring that is read while its processor overwrites the oldest events: everything that is read is
 * complete and in its place. And texts and names that several processors add at once: one entry each, never the entry
 * of another.
 */
#include <string.h>

#include "explorer.h"

#include "sched/trace_record.c"
#include "sched/trace_ring.c"

#define SIZE_MOST 4
#define READ_MOST 4

struct ring_script {
	uint64_t size;
	unsigned before, puts; /* events before the start, and after it */
	unsigned reads;
};

_Atomic uint32_t trace_wanted;
struct trace_ring *trace_rings;
struct trace_area *trace_area;

uint64_t arch_cycles(void)
{
	return 0;
}

static struct trace_ring ring;
static struct trace_event events[SIZE_MOST];
static struct trace_words copies[READ_MOST];

/* Event number n. */
static void put_number(uint64_t n)
{
	trace_ring_put(&ring, n + 1, n + 101);
}

static void ring_set_up(const struct explore_case *explored)
{
	const struct ring_script *script = explored->script;
	ring = (struct trace_ring){.size = script->size, .events = events};
	explore_name(&ring.written, sizeof(ring.written), "written");
	for (unsigned i = 0; i < script->before; i++)
		put_number(i);
}

static void read_once(uint64_t *from)
{
	uint64_t count = trace_ring_read(&ring, from, copies, READ_MOST);
	for (uint64_t i = 0; i < count; i++)
		if (copies[i].when != *from + i + 1 || copies[i].what != *from + i + 101)
			explore_fail("event %u is %u, %u", (unsigned)(*from + i), (unsigned)copies[i].when,
			             (unsigned)copies[i].what);
	*from += count;
}

static void ring_program(const struct explore_case *explored, unsigned processor)
{
	const struct ring_script *script = explored->script;
	uint64_t from = 0;
	for (unsigned i = 0; processor == 0 && i < script->puts; i++)
		put_number(script->before + i);
	for (unsigned i = 0; processor == 1 && i < script->reads; i++)
		read_once(&from);
}

static const char *ring_check(const struct explore_case *explored)
{
	const struct ring_script *script = explored->script;
	uint64_t from = 0, all = script->before + script->puts;
	uint64_t count = trace_ring_read(&ring, &from, copies, READ_MOST);
	uint64_t kept = all < script->size ? all : script->size - 1;
	return count == kept && from == all - kept ? NULL : "not the newest events are left";
}

/* ---------------------------------------------------------------------------------------- texts, names -- */

/* All of these have the same place in the table (kind_number()). */
static const struct {
	_Alignas(4 * TRACE_TEXTS) char text[4];
} kinds[] = {{"a"}, {"b"}, {"c"}};

static struct trace_area area;
static struct task tasks[EXPLORE_PROCESSORS];
static uint32_t numbers[EXPLORE_PROCESSORS];

static void texts_set_up(const struct explore_case *explored)
{
	trace_area = &area;
	for (unsigned i = 0; i < explored->processors; i++) {
		tasks[i].pooled.number = i * TRACE_NAMES;
		tasks[i].name[0] = (char)('a' + (int)i);
	}
}

/* Processors 0 and 1 add the same text, the last one another. */
static unsigned kind_of(unsigned processor)
{
	return processor / 2;
}

static void texts_program(const struct explore_case *explored, unsigned processor)
{
	(void)explored;
	numbers[processor] = kind_number(kinds[kind_of(processor)].text);
	name_keep(&tasks[processor]);
}

static const char *texts_check(const struct explore_case *explored)
{
	for (unsigned i = 0; i < explored->processors; i++)
		if (strcmp(area.kinds[numbers[i]].text, kinds[kind_of(i)].text) != 0)
			return "a number stands for another text";
	if (explored->processors > 1 && numbers[0] != numbers[1])
		return "a text has two numbers";
	const struct trace_name *name = &area.names[0];
	if (name->owner == 0 || name->changes != 0 ||
	    name->text[0] != tasks[(name->owner - 1) / TRACE_NAMES].name[0])
		return "a name is another task's";
	return area.untold == explored->processors - 1 ? NULL : "names that are missing were not counted";
}

#define RING(title, longer, ...)                                                                    \
	{                                                                                               \
		.name = "trace." title, .processors = 2, .long_run = longer,                                \
		.script = &(struct ring_script)__VA_ARGS__, .set_up = ring_set_up, .program = ring_program, \
		.check = ring_check                                                                         \
	}

const struct explore_case explore_cases[] = {
    RING("ring-fills", false, {4, 0, 3, 2}),
    RING("ring-turns", false, {2, 1, 4, 2}),
    RING("ring-turns-wide", false, {4, 3, 5, 2}),
    RING("ring-turns-long", true, {4, 3, 9, 3}),
    {.name = "trace.texts-two",
     .processors = 2,
     .set_up = texts_set_up,
     .program = texts_program,
     .check = texts_check},
    {.name = "trace.texts-three",
     .processors = 3,
     .set_up = texts_set_up,
     .program = texts_program,
     .check = texts_check},
    {0},
};
