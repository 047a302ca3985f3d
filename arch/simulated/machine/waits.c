#include "arch/simulated/machine/waits.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "arch/arch.h"
#include "arch/simulated/machine/virtual_processor.h"

#define PLACES 16384 /* a power of two: a hash table of addresses */
#define SHOWN  40

struct waited {
	uint64_t address; /* 0: free */
	const char *function;
	uint64_t count, time;
};

static struct waited places[PLACES];
static bool counts;

void waits_start(void)
{
	counts = true;
}

void waits_add(uint64_t address, uint64_t time)
{
	if (!counts)
		return;
	size_t at = (address * UINT64_C(0x9e3779b97f4a7c15) >> 40) % PLACES;
	for (size_t tries = 0; places[at].address && places[at].address != address; tries++) {
		if (tries == PLACES)
			return;
		at = (at + 1) % PLACES;
	}
	places[at].address = address;
	places[at].count++;
	places[at].time += time;
}

static int by_function(const void *one, const void *other)
{
	const struct waited *a = one, *b = other;
	int order = strcmp(a->function, b->function);
	return order ? order : (a->address > b->address) - (a->address < b->address);
}

static int by_time(const void *one, const void *other)
{
	const struct waited *a = one, *b = other;
	int order = (a->time < b->time) - (a->time > b->time);
	return order ? order : strcmp(a->function, b->function);
}

/* Merge all places of each function. Returns how many functions there are. */
static size_t gather_functions(void)
{
	size_t count = 0, functions = 0, offset;
	for (size_t at = 0; at < PLACES; at++) {
		if (!places[at].address)
			continue;
		const char *name = arch_symbol(places[at].address, &offset);
		places[count] = places[at];
		places[count++].function = name ? name : "?";
	}
	qsort(places, count, sizeof(*places), by_function);
	for (size_t at = 0; at < count; at++) {
		if (functions > 0 && strcmp(places[functions - 1].function, places[at].function) == 0) {
			places[functions - 1].count += places[at].count;
			places[functions - 1].time += places[at].time;
		} else {
			places[functions++] = places[at];
		}
	}
	qsort(places, functions, sizeof(*places), by_time);
	return functions;
}

void waits_print(FILE *file)
{
	size_t functions = counts ? gather_functions() : 0;
	fputs("\"waits\":[", file);
	for (size_t at = 0; at < functions && at < SHOWN; at++)
		fprintf(file, "%s{\"function\":\"%s\",\"count\":%" PRIu64 ",\"nanoseconds\":%" PRIu64 "}",
		        at ? "," : "", places[at].function, places[at].count, places[at].time / PICOSECONDS);
	fputs("]", file);
}
