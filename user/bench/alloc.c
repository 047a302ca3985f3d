/*
 * Small objects: each task holds some, and again and again gives one of them back and makes another of a random size.
 * One line for heddle_new(); in a process also one for the C library's malloc(), as a task calls it. Each object is
 * written whole, and checked when it is given back.
 */
#include <string.h>

#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/measure.h"
#include "user/bench/random.h"

#if __STDC_HOSTED__
void *malloc(size_t bytes);
void free(void *memory);
#else
#	define malloc(bytes) NULL
#	define free(memory)  (void)(memory)
#endif

#define HELD_MAXIMUM 256

struct object {
	uint64_t owner, size;
	unsigned char content[];
};

struct alloc {
	bool by_library;
	uint64_t rounds, held, size;
};

static bool is_right(const struct object *object, uint64_t owner)
{
	uint64_t last = object->size - 1;
	return object->owner == owner && object->content[0] == (unsigned char)owner &&
	       object->content[last / 2] == (unsigned char)owner && object->content[last] == (unsigned char)owner;
}

static void give(const struct alloc *alloc, struct object *object)
{
	if (alloc->by_library)
		free(object);
	else
		heddle_delete(object);
}

static struct object *make(const struct alloc *alloc, struct random *random, uint64_t owner)
{
	uint64_t size = random_below(random, alloc->size) + 1;
	size_t bytes = sizeof(struct object) + size;
	struct object *object = alloc->by_library ? malloc(bytes) : heddle_new(bytes);
	if (object) {
		*object = (struct object){.owner = owner, .size = size};
		memset(object->content, (unsigned char)owner, size);
	}
	return object;
}

/* Returns how many objects were wrong or could not be made. */
static intptr_t member(size_t number, void *argument)
{
	const struct alloc *alloc = argument;
	struct object *objects[HELD_MAXIMUM] = {NULL};
	struct random random = random_start(number);
	uint64_t wrong = 0;
	for (uint64_t i = 0; i < alloc->rounds; i++) {
		struct object **place = &objects[random_below(&random, alloc->held)];
		wrong += *place && !is_right(*place, number);
		give(alloc, *place);
		*place = make(alloc, &random, number);
		wrong += !*place;
	}
	for (uint64_t i = 0; i < alloc->held; i++) {
		wrong += objects[i] && !is_right(objects[i], number);
		give(alloc, objects[i]);
	}
	return (intptr_t)wrong;
}

static bool alloc_measure(struct program_run *run, struct alloc *alloc)
{
	struct crew crew = {
	    .name = "alloc", .function = member, .argument = alloc, .count = program_value(run, "tasks")};
	uint64_t duration;
	intptr_t wrong;
	if (!crew_measure(run, &crew, &duration, &wrong))
		return false;
	program_result(run, alloc->by_library ? "malloc" : "heddle", crew.count * alloc->rounds, duration,
	               wrong == 0);
	return wrong == 0 ||
	       program_failed(run, "%ld objects were overwritten, or could not be made", (long)wrong);
}

static bool run(struct program_run *run)
{
	struct alloc alloc = {.rounds = program_value(run, "rounds"),
	                      .held = program_value(run, "held"),
	                      .size = program_value(run, "size")};
	bool ok = alloc_measure(run, &alloc);
	alloc.by_library = true;
	return (!__STDC_HOSTED__ || alloc_measure(run, &alloc)) && ok;
}

static const struct program_parameter parameters[] = {
    {"tasks", 10, 1, 100000, "how many tasks"},
    {"rounds", 100000, 1, 1000000000, "objects that each task makes"},
    {"held", 64, 1, HELD_MAXIMUM, "objects that a task holds at most"},
    {"size", 200, 1, 1000000, "bytes of an object at most, and 16 more"},
    {0}};

HEDDLE_PROGRAM(alloc, "small objects made and given back, beside malloc()", parameters, run);
