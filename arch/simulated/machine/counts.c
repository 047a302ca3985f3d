#include "arch/simulated/machine/counts.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>

#include "arch/simulated/machine/lines.h"
#include "arch/simulated/machine/simulator.h"
#include "arch/simulated/machine/waits.h"

/* The linker replaces the programs' marks_begin() and so on by these (simulated.mk). */
void __wrap_marks_begin(void);
void __wrap_marks_end(void);
void __wrap_marks_lock(const void *memory, size_t bytes);
void __wrap_marks_data(const void *memory, size_t bytes);
void __wrap_marks_own(const void *memory, size_t bytes);

void __wrap_marks_begin(void)
{
	lines_counted = true;
}

void __wrap_marks_end(void)
{
	lines_counted = false;
}

static void label(const void *memory, size_t bytes, enum region region)
{
	for (size_t i = 0; i < bytes; i += LINE_BYTES)
		line_label((uintptr_t)memory + i, region);
	if (bytes)
		line_label((uintptr_t)memory + bytes - 1, region);
}

void __wrap_marks_lock(const void *memory, size_t bytes)
{
	label(memory, bytes, REGION_LOCK);
}

void __wrap_marks_data(const void *memory, size_t bytes)
{
	label(memory, bytes, REGION_DATA);
}

void __wrap_marks_own(const void *memory, size_t bytes)
{
	label(memory, bytes, REGION_OWN);
}

bool counts_write(const char *path)
{
	static const char *const names[REGIONS] = {"rest", "lock", "data", "own"};
	FILE *file = fopen(path, "w");
	if (!file) {
		fprintf(stderr, "heddle: %s cannot be written\n", path);
		return false;
	}
	fprintf(file,
	        "{\"needs\":%" PRIu64 ",\"switches\":%" PRIu64 ",\"calls\":%" PRIu64 ",\"nanoseconds\":%" PRIu64,
	        simulator_counts.needs, simulator_counts.switches, simulator_counts.calls,
	        simulator_now() / PICOSECONDS);
	for (unsigned i = 0; i < REGIONS; i++)
		fprintf(file,
		        ",\"%s\":{\"transfers\":%" PRIu64 ",\"transfers_between_sockets\":%" PRIu64
		        ",\"invalidations\":%" PRIu64 ",\"invalidations_between_sockets\":%" PRIu64
		        ",\"from_memory\":%" PRIu64 "}",
		        names[i], line_counts[i].transfers, line_counts[i].transfers_between_sockets,
		        line_counts[i].invalidations, line_counts[i].invalidations_between_sockets,
		        line_counts[i].from_memory);
	fputs(",", file);
	waits_print(file);
	fputs("}\n", file);
	return fclose(file) == 0;
}
