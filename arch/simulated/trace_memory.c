/*
 * Memory for a trace: a file of the host, which outlives the simulation however it ends.
 */
#include "arch/arch.h"
#include "arch/simulated/machine.h"
#include "kernel/command_line.h"
#include "kernel/console.h"

#define FILE_DEFAULT "heddle.trace"

void *arch_trace_memory(size_t bytes)
{
	const char *name = command_line.trace.file ? command_line.trace.file : FILE_DEFAULT;
	const char *error;
	void *memory = machine_map_file(name, bytes, &error);
	if (memory)
		log_info("trace: %lu bytes in the file %s", (unsigned long)bytes, name);
	else
		log_error("trace=: nothing is traced: the file %s, of %lu bytes, cannot be made: %s", name,
		          (unsigned long)bytes, error);
	return memory;
}
