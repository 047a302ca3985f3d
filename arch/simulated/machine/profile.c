#include "arch/simulated/machine/profile.h"

#include <jansson.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "arch/simulated/machine/virtual_processor.h"

#define INSTRUCTION_UNIT 1024 /* of a picosecond */
#define LINE_BYTES       64

struct profile profile;

enum kind { COUNT, TIME, RATE, CODE, KIBIBYTES };

/* Each field must be there. A name with a point lies in an object. */
static const struct field {
	const char *name;
	enum kind kind;
	double minimum, maximum;
	size_t offset;
} fields[] = {
#define FIELD(name, kind, minimum, maximum, member)                    \
	{                                                                  \
		name, kind, minimum, maximum, offsetof(struct profile, member) \
	}
    FIELD("sockets", COUNT, 1, 64, sockets),
    FIELD("caches_a_socket", COUNT, 1, 64, caches),
    FIELD("cores_a_cache", COUNT, 1, 256, cores),
    FIELD("threads_a_core", COUNT, 1, 8, threads),
    FIELD("instructions.alone", RATE, 0.01, 100, instruction),
    FIELD("instructions.beside", RATE, 0.01, 100, instruction_shared),
    FIELD("divide.bytes4", CODE, 0, 1e6, divide4),
    FIELD("divide.bytes8", CODE, 0, 1e6, divide8),
    FIELD("locked", TIME, 0, 1e6, locked),
    FIELD("clock", TIME, 0, 1e6, clock),
    FIELD("pause", TIME, 0, 1e6, pause),
    FIELD("line.cache", TIME, 0, 1e6, line_cache),
    FIELD("line.socket", TIME, 0, 1e6, line_socket),
    FIELD("line.machine", TIME, 0, 1e6, line_machine),
    FIELD("line.shared_cache", TIME, 0, 1e6, shared_cache),
    FIELD("memory.near", TIME, 0, 1e6, memory_near),
    FIELD("memory.far", TIME, 0, 1e6, memory_far),
    FIELD("memory.stream", TIME, 0, 1e6, stream),
    FIELD("invalidate", TIME, 0, 1e6, invalidate),
    FIELD("serve", TIME, 0, 1e6, serve),
    FIELD("own_cache.kib", KIBIBYTES, 0, 65536, own_lines),
    FIELD("own_cache.ways", COUNT, 1, 32, own_ways),
    FIELD("stores", COUNT, 1, STORES_MOST, stores),
    FIELD("reads", COUNT, 1, 1000, reads),
    FIELD("reorder", COUNT, 0, 100000, reorder),
    FIELD("wake.send", TIME, 0, 1e9, wake_send),
    FIELD("wake.arrive", TIME, 0, 1e9, wake_arrive),
    FIELD("halt", TIME, 0, 1e9, halt),
    FIELD("interrupt", TIME, 0, 1e9, interrupt),
    FIELD("settle", TIME, 0, 1e9, settle),
#undef FIELD
};
#define FIELDS (sizeof(fields) / sizeof(*fields))

static bool fail(const char *path, const char *sentence, const char *what)
{
	fprintf(stderr, "heddle: the machine's file %s %s%s\n", path, sentence, what);
	return false;
}

/* The value of a field; NULL: there is none. */
static const json_t *find_value(const json_t *file, const char *name)
{
	const char *point = strchr(name, '.');
	char object[32];
	if (!point)
		return json_object_get(file, name);
	snprintf(object, sizeof(object), "%.*s", (int)(point - name), name);
	return json_object_get(json_object_get(file, object), point + 1);
}

static uint64_t converted(const struct field *field, double value, uint64_t costs)
{
	switch (field->kind) {
	case RATE: /* a nanosecond */
		return (uint64_t)llround(INSTRUCTION_UNIT * PICOSECONDS / value);
	case TIME:
		return (uint64_t)llround(value * PICOSECONDS) * costs / 100;
	case CODE: /* a time that stays in proportion to instructions */
		return (uint64_t)llround(value * PICOSECONDS);
	case KIBIBYTES:
		return (uint64_t)value * 1024 / LINE_BYTES;
	default:
		return (uint64_t)value;
	}
}

static bool read_field(const char *path, const json_t *file, const struct field *field, uint64_t costs)
{
	char range[160];
	const json_t *found = find_value(file, field->name);
	double value = json_number_value(found);
	snprintf(range, sizeof(range), "\"%s\": it must be a number from %g to %g", field->name, field->minimum,
	         field->maximum);
	if (!found)
		return fail(path, "lacks ", range);
	if (!json_is_number(found) || value < field->minimum || value > field->maximum ||
	    (field->kind == COUNT && value != floor(value)))
		return fail(path, "has a wrong value of ", range);
	*(uint64_t *)((char *)&profile + field->offset) = converted(field, value, costs);
	return true;
}

static bool read_all(const char *path, const json_t *file, uint64_t costs)
{
	const char *name = json_string_value(json_object_get(file, "name"));
	if (!name || strlen(name) >= PROFILE_NAME_MAXIMUM)
		return fail(path, "lacks \"name\": it must be a text of up to 127 characters", "");
	if (json_array_size(json_object_get(file, "sources")) == 0)
		return fail(path, "lacks \"sources\": it must be a list of texts that say where its numbers are from",
		            "");
	strcpy(profile.name, name);
	for (size_t i = 0; i < FIELDS; i++)
		if (!read_field(path, file, &fields[i], costs))
			return false;
	return true;
}

bool profile_read(const char *path, uint64_t costs)
{
	json_error_t error;
	json_t *file = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	if (!file) {
		fprintf(stderr, "heddle: the machine's file %s cannot be read: %s%s\n", path, error.text,
		        error.line > 0 ? " (it must be an object of JSON)" : "");
		return false;
	}
	bool ok = read_all(path, file, costs);
	json_decref(file);
	return ok;
}

uint64_t profile_instructions(uint64_t time)
{
	return time * INSTRUCTION_UNIT / profile.instruction;
}
