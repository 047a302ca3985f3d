/*
 * Memory for a trace: a file, which stays whatever becomes of the process.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "arch/arch.h"
#include "kernel/command_line.h"
#include "kernel/console.h"

#define FILE_DEFAULT "heddle.trace"

/* Replaces an existing file: another process may have it mapped. */
static void *map_new_file(const char *name, size_t bytes)
{
	unlink(name);
	int file = open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (file < 0)
		return NULL;
	int error = posix_fallocate(file, 0, (off_t)bytes);
	void *memory = error ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
	error = error ? error : errno;
	close(file);
	errno = error;
	return memory == MAP_FAILED ? NULL : memory;
}

void *arch_trace_memory(size_t bytes)
{
	static void *before; /* an earlier machine's, in this process */
	static size_t before_bytes;
	if (before)
		munmap(before, before_bytes);
	const char *name = command_line.trace.file ? command_line.trace.file : FILE_DEFAULT;
	void *memory = map_new_file(name, bytes);
	if (memory)
		log_info("trace: %lu bytes in the file %s", (unsigned long)bytes, name);
	else
		log_error("trace=: nothing is traced: the file %s, of %lu bytes, cannot be made: %s", name,
		          (unsigned long)bytes, strerror(errno));
	before = memory;
	before_bytes = bytes;
	return memory;
}
