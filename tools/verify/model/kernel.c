/*
 * Replaces the kernel below the scheduler: memory from an array, no watchdog, a console that prints only when a
 * schedule is printed.
 */
#include "kernel.h"

#include "explorer.h"

#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/memory.h"
#include "kernel/topology.h"
#include "sched/fault.h"
#include "sched/node.h"
#include "sched/report.h"
#include "sched/scheduler.h"
#include "sched/watchdog.h"

#define NODES (6 * EXPLORE_PROCESSORS * HEDDLE_PRIORITIES)

static struct queue_node nodes[NODES];
static unsigned nodes_used;
static unsigned char memory[EXPLORE_PROCESSORS * 4096] __attribute__((aligned(CACHE_LINE_PAIR)));
static size_t memory_used;

struct command_line command_line;
const struct panic_scheduler *panic_scheduler;
const struct panic_scheduler fault_interface;

void model_kernel_name(void)
{
	for (unsigned i = 0; i < NODES; i++)
		explore_name(&nodes[i], sizeof nodes[i], "node%u", i);
}

_Noreturn void panic(const char *format, ...)
{
	explore_fail("panic: %s", format);
}

_Noreturn void stack_overflow(struct task *task)
{
	(void)task;
	explore_fail("a stack has overflowed");
}

void *memory_boot(size_t bytes, unsigned node)
{
	(void)node;
	void *block = &memory[memory_used];
	memory_used += (bytes + CACHE_LINE_PAIR - 1) / CACHE_LINE_PAIR * CACHE_LINE_PAIR;
	if (memory_used > sizeof memory)
		explore_fail("`memory` is too small");
	return block;
}

_Noreturn void memory_exhausted(size_t bytes, const char *purpose)
{
	explore_fail("no memory: %zu for %s", bytes, purpose);
}

void topology_nearest(unsigned processor, uint16_t *order)
{
	for (unsigned other = 0; other < processor_count; other++)
		if (other != processor)
			*order++ = (uint16_t)other;
}

struct queue_node *node_make_boot(void)
{
	if (nodes_used == NODES)
		explore_fail("NODES is too small");
	return &nodes[nodes_used++];
}

void node_start(void)
{
}

void watchdog_look(void)
{
}

uint64_t watchdog_next(void)
{
	return UINT64_MAX;
}

void watchdog_start(void)
{
}

void trace_start(void)
{
}

void report_tasks(bool quiet)
{
	(void)quiet;
}

unsigned report_lost(void)
{
	return 0;
}

void log_error(const char *format, ...)
{
	explore_note("log: %s", format);
}

void console_flush(void)
{
}
