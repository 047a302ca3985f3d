/*
 * What results tell about the machine.
 */
#include <string.h>

#include "arch/bare/clock.h"
#include "arch/bare/machine.h"
#include "arch/bare/performance.h"
#include "arch/bare/synchronize.h"
#include "arch/x86_64/instructions.h"
#include "kernel/format.h"
#include "kernel/topology.h"

#define LEAF_NAME       0x80000002 /* and the next two leaves */
#define NAME_LEAVES     3
#define NAME_SIZE       (NAME_LEAVES * sizeof(struct cpuid_result))
#define HYPERVISOR_SIZE 12

/* Make it printable, without blanks at the ends and without characters that JSON gives a meaning. */
static char *tidy(char *text)
{
	size_t length = strlen(text);
	for (size_t i = 0; i < length; i++)
		if (text[i] < ' ' || text[i] > '~' || text[i] == '"' || text[i] == '\\')
			text[i] = ' ';
	while (length > 0 && text[length - 1] == ' ')
		text[--length] = 0;
	while (*text == ' ')
		text++;
	return text;
}

STACK_ENTRY(arch_describe)
size_t arch_describe(char *text, size_t size)
{
	char name[NAME_SIZE + 1] = {0}, hypervisor[HYPERVISOR_SIZE + 1] = {0};
	for (unsigned i = 0; i < NAME_LEAVES; i++) {
		struct cpuid_result part = cpuid(LEAF_NAME + i, 0);
		memcpy(name + i * sizeof(part), &part, sizeof(part));
	}
	struct cpuid_result maker = cpuid(IDENTITY_HYPERVISOR, 0);
	memcpy(hypervisor, &maker.ebx, HYPERVISOR_SIZE);
	const struct frequency *clock = clock_frequency();
	return format_text(
	    text, size,
	    "\"processors\":\"%s\","
	    "\"processor\":\"%s\",\"hypervisor\":\"%s\",\"clock\":\"%s\",\"clock_hertz\":%lu,"
	    "\"clock_invariant\":%s,\"clock_error_ns\":%lu,\"clock_corrected\":\"%s\",\"asked_for\":\"%s\"",
	    topology.description, tidy(name), tidy(hypervisor), clock->found, (unsigned long)clock->hertz,
	    clock->is_invariant ? "true" : "false", (unsigned long)synchronize_error(), synchronize_means(),
	    performance_asked());
}
