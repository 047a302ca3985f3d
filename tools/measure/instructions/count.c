/*
 * A plug-in for QEMU that counts the instructions that a run executes.
 *
 *     -plugin count.so,marks=FILE,output=FILE
 *
 * Each line of `marks` is a kind of mark and an address. parts.c (for the instructions between two marks) and gaps.c
 * (for those between two checks) describe the kinds and the output.
 */
#include <stdlib.h>
#include <string.h>

#include "count.h"

PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_VERSION;

static const char *marks, *output;

_Noreturn void count_refuse(const char *reason)
{
	fprintf(stderr, "count: %s\n", reason);
	exit(EXIT_FAILURE);
}

static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
	(void)id;
	parts_translated(block);
	gaps_translated(block);
}

static void ended(plugin_id id, void *argument)
{
	FILE *file = fopen(output, "w");
	(void)id;
	(void)argument;
	if (!file)
		count_refuse("the output file cannot be written");
	parts_print(file);
	gaps_print(file);
	fclose(file);
}

static void marks_read(void)
{
	char kind[16];
	uint64_t address;
	FILE *file = fopen(marks, "r");
	if (!file)
		count_refuse("the file of marks cannot be read");
	while (fscanf(file, "%15s %lx", kind, &address) == 2)
		if (!parts_mark(kind, address) && !gaps_mark(kind, address))
			count_refuse("there is a mark of a kind that it does not know");
	fclose(file);
}

int qemu_plugin_install(plugin_id id, const struct plugin_information *information, int count,
                        char **arguments)
{
	(void)information;
	for (int i = 0; i < count; i++) {
		if (strncmp(arguments[i], "marks=", 6) == 0)
			marks = strdup(arguments[i] + 6);
		else if (strncmp(arguments[i], "output=", 7) == 0)
			output = strdup(arguments[i] + 7);
		else
			count_refuse("it takes marks=FILE and output=FILE");
	}
	if (!marks || !output)
		count_refuse("marks= and output= are needed");
	marks_read();
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
