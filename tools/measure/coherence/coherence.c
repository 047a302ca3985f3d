/*
 * A plug-in for QEMU that follows the cache lines of a program from processor to processor.
 *
 *     -plugin coherence.so,begin=ADDRESS,end=ADDRESS,lock=ADDRESS-ADDRESS,data=...,own=...,memory=BYTES,
 *             processors=N,sockets=N,turn=INSTRUCTIONS,atomics=FILE,output=FILE
 *
 * The instructions at `begin` and `end` delimit the part that is counted. In a function that begins at the first of
 * two addresses and ends before the second, each byte that is read assigns its line to the region
 * (user/bench/marks.h). From the first such byte on, the plug-in follows all lines, and processors take turns.
 * `atomics` has the address of each atomic instruction on a line of its own: such an instruction takes the line for
 * writing at once, where others first read.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lines.h"
#include "plugin.h"
#include "turns.h"

#define SITES_MAXIMUM (1u << 18) /* a power of two: a hash table */

struct range {
	uint64_t from, to;
};

/* An instruction that may read or write memory. */
struct site {
	uint64_t address; /* 0: this entry is free */
	enum region labels;
	bool atomic;
	uint64_t moved[REGIONS]; /* lines that it has moved, or whose copies it has invalidated */
};

PLUGIN_EXPORT int qemu_plugin_version = PLUGIN_VERSION;

static uint64_t begin, end, memory;
static unsigned processors, sockets, turn;
static struct range labels[REGIONS]; /* the code that labels lines */
static const char *atomics, *output;

static atomic_bool follows, counts;
/* Processors take turns; this is for the few steps that may overlap (turns_taken()). */
static pthread_mutex_t lines_mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t instructions, elapsed;   /* while counting */
static struct site sites[SITES_MAXIMUM]; /* entries are added with the mutex held */
static unsigned site_count;

static void die(const char *reason)
{
	fprintf(stderr, "coherence: %s\n", reason);
	exit(EXIT_FAILURE);
}

static void block_executed(unsigned processor, void *length)
{
	if (processor >= processors)
		die("there are more processors than it was told");
	turns_spend(processor, (unsigned)(size_t)length);
	if (atomic_load_explicit(&counts, memory_order_relaxed))
		instructions += (size_t)length;
}

static void mark_executed(unsigned processor, void *begins)
{
	(void)processor;
	atomic_store_explicit(&counts, begins != NULL, memory_order_relaxed);
	elapsed = turns_elapsed() - elapsed;
	if (!begins)
		turns_end();
}

static void label_read(unsigned processor, plugin_access access, uint64_t address, void *argument)
{
	const struct site *site = argument;
	if (qemu_plugin_mem_size_shift(access) != 0)
		return;
	pthread_mutex_lock(&lines_mutex);
	line_label(address, site->labels);
	pthread_mutex_unlock(&lines_mutex);
	atomic_store_explicit(&follows, true, memory_order_relaxed);
	turns_begin(processor);
}

static void line_use(struct site *site, unsigned processor, uint64_t address, bool writes)
{
	bool counted = atomic_load_explicit(&counts, memory_order_relaxed);
	enum region region;
	if (line_access(processor, address, writes, counted, &region) && counted)
		site->moved[region]++;
}

static void accessed(unsigned processor, plugin_access access, uint64_t address, void *argument)
{
	struct site *site = argument;
	if (!atomic_load_explicit(&follows, memory_order_relaxed))
		return;
	bool writes = qemu_plugin_mem_is_store(access) || site->atomic;
	uint64_t last = address + (UINT64_C(1) << qemu_plugin_mem_size_shift(access)) - 1;
	pthread_mutex_lock(&lines_mutex);
	line_use(site, processor, address, writes);
	if (last / LINE_SIZE != address / LINE_SIZE)
		line_use(site, processor, last, writes);
	pthread_mutex_unlock(&lines_mutex);
}

/* The region that the code at this address assigns; REGION_REST: none. */
static enum region labels_at(uint64_t address)
{
	for (unsigned i = 0; i < REGIONS; i++)
		if (address >= labels[i].from && address < labels[i].to)
			return i;
	return REGION_REST;
}

/* The same code may be translated more than once. */
static struct site *site_at(uint64_t address)
{
	size_t place = (address * 0x9e3779b97f4a7c15u >> 40) % SITES_MAXIMUM;
	pthread_mutex_lock(&lines_mutex);
	while (sites[place].address && sites[place].address != address)
		place = (place + 1) % SITES_MAXIMUM;
	if (!sites[place].address && ++site_count == SITES_MAXIMUM)
		die("there are more instructions than the table has room for");
	sites[place].address = address;
	sites[place].labels = labels_at(address);
	pthread_mutex_unlock(&lines_mutex);
	return &sites[place];
}

static void translated(plugin_id id, struct qemu_plugin_tb *block)
{
	size_t length = qemu_plugin_tb_n_insns(block);
	(void)id;
	qemu_plugin_register_vcpu_tb_exec_cb(block, block_executed, PLUGIN_NO_REGISTERS, (void *)length);
	for (size_t i = 0; i < length; i++) {
		struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
		uint64_t address = qemu_plugin_insn_vaddr(instruction);
		struct site *site = site_at(address);
		if (address == begin || address == end)
			qemu_plugin_register_vcpu_insn_exec_cb(instruction, mark_executed, PLUGIN_NO_REGISTERS,
			                                       address == begin ? &begin : NULL);
		qemu_plugin_register_vcpu_mem_cb(instruction, site->labels ? label_read : accessed,
		                                 PLUGIN_NO_REGISTERS, PLUGIN_READS_AND_WRITES, site);
	}
}

static void halted(plugin_id id, unsigned processor)
{
	(void)id;
	turns_halt(processor);
}

static void goes_on(plugin_id id, unsigned processor)
{
	(void)id;
	turns_go_on(processor);
}

static void ended(plugin_id id, void *argument)
{
	FILE *file = fopen(output, "w");
	(void)id;
	(void)argument;
	if (!file)
		die("the output file cannot be written");
	fprintf(file, "instructions %lu\nelapsed %lu\nturns %lu\ntaken %lu\n", instructions, elapsed,
	        turns_count(), turns_taken());
	lines_print(file);
	for (const struct site *site = sites; site < sites + SITES_MAXIMUM; site++)
		for (unsigned region = 0; region < REGIONS; region++)
			if (site->moved[region])
				fprintf(file, "site %lx %s %lu\n", site->address, region_name(region), site->moved[region]);
	fclose(file);
}

static void atomics_read(void)
{
	uint64_t address;
	FILE *file = fopen(atomics, "r");
	if (!file)
		die("the file of atomic instructions cannot be read");
	while (fscanf(file, "%lx", &address) == 1)
		site_at(address)->atomic = true;
	fclose(file);
}

/* A number, or two with a '-' between them. */
static struct range range_parse(const char *text)
{
	char *rest;
	struct range range = {.from = strtoul(text, &rest, 0)};
	if (*rest == '-')
		range.to = strtoul(rest + 1, NULL, 0);
	return range;
}

static void argument_take(const char *name, const char *value)
{
	struct range range = range_parse(value);
	if (strcmp(name, "begin") == 0)
		begin = range.from;
	else if (strcmp(name, "end") == 0)
		end = range.from;
	else if (strcmp(name, "lock") == 0)
		labels[REGION_LOCK] = range;
	else if (strcmp(name, "data") == 0)
		labels[REGION_DATA] = range;
	else if (strcmp(name, "own") == 0)
		labels[REGION_OWN] = range;
	else if (strcmp(name, "memory") == 0)
		memory = range.from;
	else if (strcmp(name, "processors") == 0)
		processors = (unsigned)range.from;
	else if (strcmp(name, "sockets") == 0)
		sockets = (unsigned)range.from;
	else if (strcmp(name, "turn") == 0)
		turn = (unsigned)range.from;
	else if (strcmp(name, "atomics") == 0)
		atomics = strdup(value);
	else if (strcmp(name, "output") == 0)
		output = strdup(value);
	else
		die("it takes begin, end, lock, data, own, memory, processors, sockets, turn, atomics and output");
}

int qemu_plugin_install(plugin_id id, const struct plugin_information *information, int count,
                        char **arguments)
{
	(void)information;
	for (int i = 0; i < count; i++) {
		char *value = strchr(arguments[i], '=');
		if (!value)
			die("an argument has no value");
		*value = '\0';
		argument_take(arguments[i], value + 1);
	}
	if (!begin || !end || !atomics || !output)
		die("begin=, end=, atomics= and output= are needed");
	if (!lines_create(memory, processors, sockets))
		die("it follows 1 to 64 processors, as many on each socket, in memory for which it has memory "
		    "itself");
	atomics_read();
	turns_create(processors, turn);
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	qemu_plugin_register_vcpu_idle_cb(id, halted);
	qemu_plugin_register_vcpu_resume_cb(id, goes_on);
	qemu_plugin_register_atexit_cb(id, ended, NULL);
	return 0;
}
