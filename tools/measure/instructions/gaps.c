/*
 * How many instructions user code executes from one quantum check to the next, on a machine with one processor.
 *
 * Marks: first "user ADDRESS" and "user_end ADDRESS", the bounds of user code; then, for each special instruction,
 * "check ADDRESS"; "repeat ADDRESS" for a string instruction, which counts once however often it repeats; "switch
 * ADDRESS" in the kernel's own code. Only user code is counted, but a gap continues after a call into the kernel. A
 * gap ends with a check, with a task switch and with the run.
 *
 * Output: "instructions NUMBER", all that were counted; "size BITS NUMBER" for the gaps with a length of that many
 * binary digits; "end ADDRESS check|other NUMBER LONGEST BEGAN" for each instruction that ended gaps: how many, the
 * length of the longest, and the instruction that ended the gap before that one (0: the run began); and "string
 * ADDRESS NUMBER", how often a string instruction was executed.
 */
#include <stdlib.h>
#include <string.h>

#include "count.h"

#define SWITCHES_MAXIMUM 256

struct place {
	bool check, repeats;
	uint64_t gaps, longest, began; /* of the gaps that ended here */
	uint64_t strings;              /* string instructions executed here */
};

static uint64_t from, to;                   /* user code; 0: no gaps are measured */
static uint64_t switches[SWITCHES_MAXIMUM]; /* where tasks are switched, in the kernel's own code */
static size_t switch_count;

static struct place *places; /* one for each address of user code */
static struct place *last_instruction, *last_end;
static uint64_t instructions, gap;
static uint64_t sizes[65]; /* by the number of binary digits */

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
		count_refuse("it can follow one processor only");
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

void gaps_translated(struct qemu_plugin_tb *block)
{
	if (!places)
		return;
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

void gaps_print(FILE *file)
{
	if (!places)
		return;
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
}

static void user_ends(uint64_t address)
{
	to = address;
	places = from && to > from ? calloc(to - from, sizeof(*places)) : NULL;
	if (!places)
		count_refuse("no user code, or no memory for a place for each of its addresses");
}

static void switch_add(uint64_t address)
{
	if (switch_count == SWITCHES_MAXIMUM)
		count_refuse("there are more switches than it can follow");
	switches[switch_count++] = address;
}

static struct place *place_of(uint64_t address)
{
	if (!places || address < from || address >= to)
		count_refuse("a mark is not in user code");
	return &places[address - from];
}

bool gaps_mark(const char *kind, uint64_t address)
{
	if (strcmp(kind, "user") == 0)
		from = address;
	else if (strcmp(kind, "user_end") == 0)
		user_ends(address);
	else if (strcmp(kind, "switch") == 0)
		switch_add(address);
	else if (strcmp(kind, "check") == 0)
		place_of(address)->check = true;
	else if (strcmp(kind, "repeat") == 0)
		place_of(address)->repeats = true;
	else
		return false;
	return true;
}
