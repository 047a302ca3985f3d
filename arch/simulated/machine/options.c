#include "arch/simulated/machine/options.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MACHINES "../../arch/simulated/machines" /* from the program's folder */
#define ENDING   ".json"

struct options options;

/* Words with a number. The system checks its own words once more. */
static const struct number {
	const char *key;
	uint64_t minimum, maximum, initial;
	bool is_systems;
	size_t offset;
} numbers[] = {
#define NUMBER(name, minimum, maximum, initial, is_systems)                          \
	{                                                                                \
#		name, minimum, maximum, initial, is_systems, offsetof(struct options, name) \
	}
    NUMBER(processors, 1, 1024, 0, true),   NUMBER(memory, 16, 1u << 20, 4096, true),
    NUMBER(seed, 0, UINT64_MAX, 1, true),   NUMBER(sockets, 1, 64, 0, false),
    NUMBER(window, 0, 1000000, 100, false), NUMBER(costs, 1, 10000, 100, false),
    NUMBER(variation, 0, 90, 5, false),     NUMBER(pauses, 0, 1000000, 0, false),
#undef NUMBER
};
#define NUMBERS (sizeof(numbers) / sizeof(*numbers))

static uint64_t *value_of(const struct number *number)
{
	return (uint64_t *)((char *)&options + number->offset);
}

static bool read_number(const struct number *number, const char *word, const char *value)
{
	char *end;
	errno = 0;
	unsigned long long found = strtoull(value, &end, 10);
	if (isdigit((unsigned char)*value) && !*end && errno == 0 && found >= number->minimum &&
	    found <= number->maximum) {
		*value_of(number) = found;
		return true;
	}
	if (number->is_systems)
		return true;
	fprintf(stderr, "heddle: \"%s\" is not understood: allowed is a number from %lu to %lu\n", word,
	        (unsigned long)number->minimum, (unsigned long)number->maximum);
	return false;
}

/* --------------------------------------------------------------------------------------------- machine -- */

static bool has_ending(const char *text)
{
	size_t length = strlen(text);
	return length > strlen(ENDING) && strcmp(text + length - strlen(ENDING), ENDING) == 0;
}

static bool set_machine(const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	size_t length = strlen(name) - strlen(ENDING);
	if (strlen(path) >= sizeof(options.machine) || length >= sizeof(options.name))
		return false;
	strcpy(options.machine, path);
	memcpy(options.name, name, length);
	options.name[length] = 0;
	for (size_t i = 0; i < length; i++)
		if (!isalnum((unsigned char)name[i]) && !strchr("-_.", name[i]))
			return false;
	return true;
}

/* The folder of the machines' files. */
static void find_folder(char *folder, size_t size)
{
	char program[512];
	ssize_t length = readlink("/proc/self/exe", program, sizeof(program) - 1);
	program[length > 0 ? length : 0] = 0;
	char *slash = strrchr(program, '/');
	if (slash)
		*slash = 0;
	snprintf(folder, size, "%s/" MACHINES, program);
}

static int compare_names(const struct dirent **one, const struct dirent **other)
{
	return strcmp((*one)->d_name, (*other)->d_name);
}

static int is_machine(const struct dirent *entry)
{
	return has_ending(entry->d_name);
}

static bool fail_machine(const char *word, const char *folder)
{
	struct dirent **found;
	int count = scandir(folder, &found, is_machine, compare_names);
	fprintf(stderr,
	        "heddle: \"%s\" is not understood: allowed is the path of a file that ends in .json, of letters, "
	        "digits "
	        "and -, or one of",
	        word);
	for (int i = 0; i < count; i++)
		fprintf(stderr, " %.*s", (int)(strlen(found[i]->d_name) - strlen(ENDING)), found[i]->d_name);
	fputs("\n", stderr);
	return false;
}

static bool read_machine(const char *word, const char *value)
{
	char folder[600], path[700];
	find_folder(folder, sizeof(folder));
	snprintf(path, sizeof(path), has_ending(value) ? "%.0s%s" : "%s/%s" ENDING, folder, value);
	return (access(path, R_OK) == 0 && set_machine(path)) || fail_machine(word, folder);
}

/* ----------------------------------------------------------------------------------------------- words -- */

static void pass_on(struct boot_information *boot, const char *word)
{
	size_t length = strlen(boot->command_line), piece = strlen(word);
	if (length + piece + 2 > sizeof(boot->command_line)) {
		boot->command_line_cut = true;
		return;
	}
	memcpy(boot->command_line + length, word, piece);
	strcpy(boot->command_line + length + piece, " ");
}

static const struct number *find_number(const char *word, size_t length)
{
	for (size_t i = 0; i < NUMBERS; i++)
		if (strlen(numbers[i].key) == length && strncmp(word, numbers[i].key, length) == 0)
			return &numbers[i];
	return NULL;
}

static bool read_word(const char *word, struct boot_information *boot)
{
	const char *equals = strchr(word, '=');
	size_t length = equals ? (size_t)(equals - word) : 0;
	const struct number *number = equals ? find_number(word, length) : NULL;
	if (strncmp(word, "machine=", 8) == 0)
		return read_machine(word, equals + 1);
	if (strncmp(word, "counts=", 7) == 0) {
		options.counts = equals + 1;
		return true;
	}
	if (!number || number->is_systems)
		pass_on(boot, word);
	return !number || read_number(number, word, equals + 1);
}

bool options_read(int count, char **arguments, struct boot_information *boot)
{
	options.arguments = arguments;
	for (size_t i = 0; i < NUMBERS; i++)
		*value_of(&numbers[i]) = numbers[i].initial;
	for (int i = 1; i < count; i++)
		if (!read_word(arguments[i], boot))
			return false;
	if (options.machine[0])
		return true;
	return read_machine("machine=", "epyc-2s");
}
