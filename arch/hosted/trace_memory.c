/*
 * Memory for a trace: a file, which stays whatever becomes of the process.
 */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/arch.h"
#include "arch/hosted/hosted.h"
#include "kernel/command_line.h"
#include "kernel/console.h"

#define FILE_DEFAULT "heddle.trace"

void *arch_trace_memory(size_t bytes)
{
	static void *before; /* an earlier machine's, in this process */
	static size_t before_bytes;
	if (before)
		munmap(before, before_bytes);
	const char *name = command_line.trace.file ? command_line.trace.file : FILE_DEFAULT;
	void *memory = hosted_map_new_file(name, NULL, bytes);
	if (memory)
		log_info("trace: %lu bytes in the file %s", (unsigned long)bytes, name);
	else
		log_error("trace=: nothing is traced: the file %s, of %lu bytes, cannot be made: %s", name,
		          (unsigned long)bytes, strerror(errno));
	before = memory;
	before_bytes = bytes;
	return memory;
}
