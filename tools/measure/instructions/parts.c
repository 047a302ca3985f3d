/*
 * The instructions between two marks, by address and processor.
 *
 * Marks: "begin ADDRESS" and "end ADDRESS". A part begins when any processor executes the instruction at the first
 * address, and ends at the second; after that the next may begin. Output: "part NUMBER ADDRESS INSTRUCTIONS" for each
 * straight piece of code that ran: the part, from 1 on, where the piece begins, and how many of its instructions were
 * executed, on all processors.
 *
 * Processors translate and run at the same time. Entries are only added to the table of pieces, under a mutex; each
 * processor has its own counts, so while counting only the number of the part is shared.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "count.h"

#define PROCESSORS_MAXIMUM 1024
#define PARTS_MAXIMUM      64
#define PIECES_MAXIMUM     (1u << 16) /* a power of two: a hash table */

struct piece {
	uint64_t address;
	uint64_t length; /* instructions; 0: this entry is free */
};

static struct piece pieces[PIECES_MAXIMUM];
static unsigned piece_count;
static pthread_mutex_t pieces_mutex = PTHREAD_MUTEX_INITIALIZER;

/* How often each piece was executed, by part and processor; created when the processor runs its first piece. */
static uint64_t *executions[PARTS_MAXIMUM + 1][PROCESSORS_MAXIMUM];

static atomic_uint part, parts; /* the part that is counted, 0: none; and how many there were */
static uint64_t begin, end;     /* 0: no parts are counted */

bool parts_mark(const char *kind, uint64_t address)
{
	if (strcmp(kind, "begin") == 0)
		begin = address;
	else if (strcmp(kind, "end") == 0)
		end = address;
	else
		return false;
	return true;
}

/* The index of a piece in the table; the same code may be translated more than once. */
static size_t piece_number(uint64_t address, uint64_t length)
{
	size_t place = (address * 0x9e3779b97f4a7c15u >> 40) % PIECES_MAXIMUM;
	pthread_mutex_lock(&pieces_mutex);
	while (pieces[place].length && (pieces[place].address != address || pieces[place].length != length))
		place = (place + 1) % PIECES_MAXIMUM;
	if (!pieces[place].length && ++piece_count == PIECES_MAXIMUM)
		count_refuse("there are more pieces of code than the table has room for");
	pieces[place] = (struct piece){address, length};
	pthread_mutex_unlock(&pieces_mutex);
	return place;
}

static void piece_executed(unsigned processor, void *place)
{
	unsigned counted = atomic_load_explicit(&part, memory_order_relaxed);
	if (counted == 0 || processor >= PROCESSORS_MAXIMUM)
		return;
	uint64_t **counts = &executions[counted][processor];
	if (!*counts)
		*counts = calloc(PIECES_MAXIMUM, sizeof(uint64_t));
	if (!*counts)
		count_refuse("no memory for the counts");
	(*counts)[(size_t)place]++;
}

static void mark_executed(unsigned processor, void *begins)
{
	unsigned counted = begins ? atomic_fetch_add_explicit(&parts, 1, memory_order_relaxed) + 1 : 0;
	(void)processor;
	if (counted > PARTS_MAXIMUM)
		count_refuse("counting begins more often than there is room for");
	atomic_store_explicit(&part, counted, memory_order_relaxed);
}

void parts_translated(struct qemu_plugin_tb *block)
{
	if (!begin || !end)
		return;
	size_t length = qemu_plugin_tb_n_insns(block);
	uint64_t address = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(block, 0));
	qemu_plugin_register_vcpu_tb_exec_cb(block, piece_executed, PLUGIN_NO_REGISTERS,
	                                     (void *)piece_number(address, length));
	for (size_t i = 0; i < length; i++) {
		struct qemu_plugin_insn *instruction = qemu_plugin_tb_get_insn(block, i);
		address = qemu_plugin_insn_vaddr(instruction);
		if (address == begin || address == end)
			qemu_plugin_register_vcpu_insn_exec_cb(instruction, mark_executed, PLUGIN_NO_REGISTERS,
			                                       address == begin ? &begin : NULL);
	}
}

static void print_part(FILE *file, unsigned number)
{
	for (size_t place = 0; place < PIECES_MAXIMUM; place++) {
		uint64_t count = 0;
		for (unsigned processor = 0; processor < PROCESSORS_MAXIMUM; processor++)
			if (executions[number][processor])
				count += executions[number][processor][place];
		if (count)
			fprintf(file, "part %u %lx %lu\n", number, pieces[place].address, count * pieces[place].length);
	}
}

void parts_print(FILE *file)
{
	for (unsigned number = 1; number <= atomic_load(&parts); number++)
		print_part(file, number);
}
