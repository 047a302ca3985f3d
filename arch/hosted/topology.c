/*
 * The processors that the host lets us use, and what its /sys says of them; fewer where the process's control groups
 * grant less time than they have. If processors=N exceeds their number, several of our processors share one of the
 * host's.
 */
#include <errno.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/topology.h"

/* Numbers that fit into a set of processors: the host refuses a set that is smaller than its own. */
#define NUMBERS_FIRST   1024
#define NUMBERS_MAXIMUM ((size_t)1 << 20)

static uint32_t host_number(unsigned host_processor, const char *what)
{
	char path[128];
	unsigned number = 0;
	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/topology/%s", host_processor, what);
	FILE *file = fopen(path, "r");
	if (file) {
		if (fscanf(file, "%u", &number) != 1)
			number = 0;
		fclose(file);
	}
	return number;
}

static uint32_t host_node(unsigned host_processor)
{
	char path[128];
	for (unsigned node = 0; node < NODES_MAXIMUM; node++) {
		snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%u/node%u", host_processor, node);
		if (access(path, F_OK) == 0)
			return node;
	}
	return 0;
}

/* Number the nodes densely, in the order in which they are found. */
static uint32_t dense_node(struct topology *found, uint32_t *host_nodes, uint32_t node)
{
	unsigned dense = 0;
	while (dense < found->node_count && host_nodes[dense] != node)
		dense++;
	if (dense == found->node_count)
		host_nodes[found->node_count++] = node;
	return dense;
}

/* The set, of any size, of the processors that the host lets us use; NULL: the host does not tell. */
static cpu_set_t *allowed_set(size_t *bytes)
{
	for (size_t numbers = NUMBERS_FIRST; numbers <= NUMBERS_MAXIMUM; numbers *= 2) {
		cpu_set_t *set = CPU_ALLOC(numbers);
		*bytes = CPU_ALLOC_SIZE(numbers);
		if (!set)
			return NULL;
		if (sched_getaffinity(0, *bytes, set) == 0)
			return set;
		CPU_FREE(set);
		if (errno != EINVAL) /* it is too small */
			return NULL;
	}
	return NULL;
}

/* List the processors that the process may use, as many as we can use; at least one. */
static unsigned allowed_list(unsigned *allowed)
{
	size_t bytes;
	cpu_set_t *set = allowed_set(&bytes);
	unsigned count = 0;
	for (unsigned number = 0; set && number < bytes * 8 && count < PROCESSORS_MAXIMUM; number++)
		if (CPU_ISSET_S(number, bytes, set))
			allowed[count++] = number;
	CPU_FREE(set);
	if (count == 0) {
		log_warning("the host does not say which of its processors may be used: all run on its processor 0");
		allowed[count++] = 0;
	}
	return count;
}

/* A part of a processor's time counts as a processor. */
static unsigned granted_count(unsigned allowed_count)
{
	double granted = hosted_quota(allowed_count);
	unsigned count = (unsigned)granted;
	if (granted < allowed_count)
		log_info("the control group grants the time of %u.%02u of %u processors", count,
		         (unsigned)((granted - count) * 100), allowed_count);
	return count + (count < granted);
}

void arch_topology_discover(const struct boot_information *boot, struct topology *found)
{
	uint32_t host_nodes[NODES_MAXIMUM];
	unsigned allowed[PROCESSORS_MAXIMUM], allowed_count = allowed_list(allowed);
	(void)boot;
	*found = (struct topology){0};
	found->processor_count = command_line.processors ? command_line.processors : granted_count(allowed_count);
	for (unsigned index = 0; index < found->processor_count; index++) {
		unsigned number = allowed[index % allowed_count];
		found->processor[index] = (struct topology_processor){
		    .hardware_id = number,
		    .socket = host_number(number, "physical_package_id"),
		    .die = host_number(number, "die_id"),
		    .cache = host_number(number, "../cache/index3/id"),
		    .core = host_number(number, "core_id"),
		    .node = dense_node(found, host_nodes, host_node(number)),
		};
	}
	for (unsigned from = 0; from < found->node_count; from++)
		for (unsigned to = 0; to < found->node_count; to++)
			found->distance[from][to] = from == to ? 10 : 20;
}
