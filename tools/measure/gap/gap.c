/*
 * A plug-in for QEMU that measures how many instructions user code executes from one check of the quantum to
 * the next, on a machine with one processor.
 *
 *     -plugin gap.so,from=ADDRESS,to=ADDRESS,marks=FILE,output=FILE
 *
 * User code lies at `from` <= address < `to`; nothing else is counted, but what user code executes before and
 * after a call into the kernel is one gap. A gap ends with a check, with a switch of tasks and with the run.
 * `marks` has a line for each instruction that is special: "check ADDRESS"; "repeat ADDRESS" for a string
 * instruction, which counts once however often it repeats itself; "switch ADDRESS" in the kernel's own code.
 *
 * The file gets "instructions NUMBER", all that were counted; "size BITS NUMBER" for the gaps whose length
 * has so many binary digits; "end ADDRESS check|other NUMBER LONGEST BEGAN" for each instruction that ended
 * gaps: how many, how long the longest of them was, and the instruction that ended the gap before that (0:
 * the run began); and "string ADDRESS NUMBER", how often a string instruction was executed.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plugin.h"

#define SWITCHES_MAXIMUM 256

struct place {
	bool check, repeats;
	uint64_t gaps, longest, began; /* of the gaps that ended here */
	uint64_t strings;              /* string instructions executed here */
};

PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t from, to;
static uint64_t switches[SWITCHES_MAXIMUM]; /* where tasks are switched, in the kernel's own code */
static size_t switch_count;
static const char *marks, *output;

/* One for each address of user code. The next ones are where the last instruction and the last gap ended. */
static struct place *places, *last_instruction, *last_end;
static uint64_t instructions, gap;
static uint64_t sizes[65]; /* by the number of binary digits */

static void die(const char *reason)
{
	fprintf(stderr, "gap: %s\n", reason);
	exit(EXIT_FAILURE);
}

static uint64_t address_of(const struct place *place)
{
	return place ? from + (uint64_t)(place - places) : 0;
}

static void gap_end(struct place *place)
{
	place->gaps++;
	sizes[gap ? 64 - __builtin_clzl(gap) : 0]++;
	if (gap > place->longest) {
		place->longest = gap;
		place->began = address_of(last_end);
	}
	last_end = place;
	gap = 0;
}

static void user_executed(unsigned processor, void *argument)
{
	struct place *place = argument;
	if (processor != 0)
		die("it can follow one processor only");
	if (place->repeats && place == last_instruction)
		return;
	last_instruction = place;
	place->strings += place->repeats;
	instructions++;
	gap++;
	if (place->check)
		gap_end(place);
}

static void switch_executed(unsigned processor, void *unused)
{
	(void)processor;
	(void)unused;
	if (gap > 0)
		gap_end(last_instruction);
}

static bool is_switch(uint64_t address)
{
	for (size_t i = 0; i < switch_count; i++)
		if (switches[i] == address)
			return true;
	return false;
}

static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(block); i++) {
		struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
		uint64_t address = qemu_plugin_insn_vaddr(instruction);
		if (address >= from && address < to)
			qemu_plugin_register_vcpu_insn_exec_cb(instruction, user_executed, PLUGIN_NO_REGISTERS,
			                                       &places[address - from]);
		else if (is_switch(address))
			qemu_plugin_register_vcpu_insn_exec_cb(instruction, switch_executed, PLUGIN_NO_REGISTERS, NULL);
	}
}

static void ended(plugin_id id, void *argument)
{
	FILE *file = fopen(output, "w");
	(void)id;
	(void)argument;
	if (!file)
		die("the output file cannot be written");
	if (gap > 0)
		gap_end(last_instruction);
	fprintf(file, "instructions %lu\n", instructions);
	for (unsigned digits = 0; digits < 65; digits++)
		if (sizes[digits])
			fprintf(file, "size %u %lu\n", digits, sizes[digits]);
	for (const struct place *place = places; place < places + (to - from); place++) {
		if (place->gaps)
			fprintf(file, "end %lx %s %lu %lu %lx\n", address_of(place), place->check ? "check" : "other",
			        place->gaps, place->longest, place->began);
		if (place->strings)
			fprintf(file, "string %lx %lu\n", address_of(place), place->strings);
	}
	fclose(file);
}

static void marks_read(void)
{
	char kind[8];
	uint64_t address;
	FILE *file = fopen(marks, "r");
	if (!file)
		die("the file of marks cannot be read");
	while (fscanf(file, "%7s %lx", kind, &address) == 2) {
		if (strcmp(kind, "switch") == 0) {
			if (switch_count == SWITCHES_MAXIMUM)
				die("there are more switches than it can follow");
			switches[switch_count++] = address;
			continue;
		}
		if (address < from || address >= to)
			die("a mark is not in user code");
		struct place *place = &places[address - from];
		place->check |= strcmp(kind, "check") == 0;
		place->repeats |= strcmp(kind, "repeat") == 0;
	}
	fclose(file);
}

int qemu_plugin_install(plugin_id id, const struct plugin_information *information, int count,
                        char **arguments)
{
	(void)information;
	for (int i = 0; i < count; i++) {
		if (strncmp(arguments[i], "from=", 5) == 0)
			from = strtoul(arguments[i] + 5, NULL, 0);
		else if (strncmp(arguments[i], "to=", 3) == 0)
			to = strtoul(arguments[i] + 3, NULL, 0);
		else if (strncmp(arguments[i], "marks=", 6) == 0)
			marks = strdup(arguments[i] + 6);
		else if (strncmp(arguments[i], "output=", 7) == 0)
			output = strdup(arguments[i] + 7);
		else
			die("it takes from=ADDRESS, to=ADDRESS, marks=FILE and output=FILE");
	}
	if (!from || to <= from || !marks || !output)
		die("from=, to= above it, marks= and output= are needed");
	places = calloc(to - from, sizeof(*places));
	if (!places)
		die("no memory for a place for each address of user code");
	marks_read();
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
