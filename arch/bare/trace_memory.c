/*
 * Memory for a trace. A reader outside, for instance of an emulator's memory file, finds it through the log.
 */
#include "arch/arch.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/memory.h"
#include "kernel/processor.h"

void *arch_trace_memory(size_t bytes)
{
	void *memory = memory_boot(bytes, processor_current()->node);
	if (command_line.trace.file)
		log_warning("trace=: a bare machine has no files; file=%s is not written", command_line.trace.file);
	log_info("trace: %lu bytes at 0x%lx", (unsigned long)bytes, (unsigned long)(uintptr_t)memory);
	return memory;
}
