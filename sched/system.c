/*
 * The machine as tasks see it (heddle/system.h).
 */
#include "heddle/system.h"

#include <stdarg.h>

#include "heddle/task.h"
#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/memory.h"
#include "sched/quantum.h"
#include "sched/report.h"
#include "sched/scheduler.h"

uint64_t heddle_clock(void)
{
	return arch_clock();
}

unsigned heddle_processors(void)
{
	return processor_count;
}

unsigned heddle_processor(void)
{
	return processor_current()->index;
}

const char *heddle_policy(void)
{
	return scheduler_policy == SCHEDULER_GLOBAL ? "global" : "local";
}

uint64_t heddle_seed(void)
{
	return command_line.seed;
}

void *heddle_allocate(size_t bytes)
{
	return bytes > 0 ? memory_allocate(bytes, MEMORY_ANY_NODE) : NULL;
}

void heddle_free(void *memory, size_t bytes)
{
	if (memory)
		memory_free(memory, bytes);
}

void heddle_report_tasks(void)
{
	report_tasks(false);
}

_Static_assert(HEDDLE_LINE_MAXIMUM == CONSOLE_LINE_MAXIMUM, "users are told how long a line may be");

void heddle_log(const char *format, ...)
{
	char line[CONSOLE_LINE_MAXIMUM + 1];
	va_list arguments;
	va_start(arguments, format);
	format_line(line, sizeof(line), format, arguments);
	va_end(arguments);
	log_info("%s", line);
}

void heddle_print(const char *format, ...)
{
	char line[CONSOLE_LINE_MAXIMUM + 1];
	va_list arguments;
	quantum_check_cooperative("heddle_print()");
	va_start(arguments, format);
	format_line(line, sizeof(line), format, arguments);
	va_end(arguments);
	while (!console_result(line)) {
		/* Full. A serial line takes some milliseconds for each line. */
		task_sleep_until(heddle_clock() + 1000000);
	}
}
