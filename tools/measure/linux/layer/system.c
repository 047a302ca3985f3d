/*
 * The machine as Linux shows it: heddle/system.h, and the few functions of kernel/ that the programs and their runner
 * call.
 */
#include "heddle/system.h"

#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysinfo.h>
#include <time.h>
#include <unistd.h>

#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/memory.h"
#include "kernel/panic.h"

uint64_t heddle_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The processors that the program may use. */
unsigned heddle_processors(void)
{
	cpu_set_t processors;
	return sched_getaffinity(0, sizeof(processors), &processors) == 0 ? (unsigned)CPU_COUNT(&processors) : 1;
}

unsigned heddle_processor(void)
{
	return (unsigned)sched_getcpu();
}

const char *heddle_policy(void)
{
	return "linux";
}

void *heddle_allocate(size_t bytes)
{
	size_t whole = (bytes + PAGE_SIZE - 1) & ~(PAGE_SIZE - 1);
	return bytes ? aligned_alloc(PAGE_SIZE, whole) : NULL;
}

void heddle_free(void *memory, size_t bytes)
{
	(void)bytes;
	free(memory);
}

/* Each node counts as the whole machine. */
struct memory_count memory_count(unsigned node)
{
	struct sysinfo system;
	(void)node;
	if (sysinfo(&system) != 0)
		return (struct memory_count){0};
	return (struct memory_count){(uint64_t)system.totalram * system.mem_unit,
	                             (uint64_t)system.freeram * system.mem_unit};
}

/* One write per line, so that lines do not mix. */
static void line_write(int stream, const char *begin, const char *format, va_list arguments)
{
	char line[CONSOLE_LINE_MAXIMUM + 1];
	size_t length = strlen(begin);
	memcpy(line, begin, length);
	length += format_line(line + length, sizeof(line) - length - 1, format, arguments);
	line[length++] = '\n';
	for (size_t written = 0; written < length;) {
		ssize_t more = write(stream, line + written, length - written);
		if (more <= 0)
			return;
		written += (size_t)more;
	}
}

#define LINE_FUNCTION(name, stream, begin)            \
	void name(const char *format, ...)                \
	{                                                 \
		va_list arguments;                            \
		va_start(arguments, format);                  \
		line_write(stream, begin, format, arguments); \
		va_end(arguments);                            \
	}

LINE_FUNCTION(heddle_print, STDOUT_FILENO, "")
LINE_FUNCTION(heddle_log, STDERR_FILENO, "[linux] ")
LINE_FUNCTION(log_error, STDERR_FILENO, "[linux] error: ")

void panic(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	line_write(STDERR_FILENO, "[linux] panic: ", format, arguments);
	va_end(arguments);
	abort();
}
