/*
 * The machine as tasks see it (heddle/system.h).
 */
#include "heddle/system.h"

#include <stdarg.h>

#include "heddle/task.h"
#include "kernel/console.h"
#include "kernel/format.h"
#include "kernel/memory.h"
#include "kernel/object.h"
#include "sched/quantum.h"
#include "sched/ready_added.h"
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
	if (ready_added)
		return ready_added->registered.name;
	return scheduler_policy == SCHEDULER_GLOBAL ? "global" : "local";
}

uint64_t heddle_seed(void)
{
	return command_line.seed;
}

STACK_ENTRY(heddle_allocate)
void *heddle_allocate(size_t bytes)
{
	return bytes > 0 ? memory_allocate(bytes, MEMORY_ANY_NODE) : NULL;
}

void heddle_free(void *memory, size_t bytes)
{
	if (memory)
		memory_free(memory, bytes);
}

STACK_ENTRY(heddle_new)
void *heddle_new(size_t bytes)
{
	return object_new(bytes);
}

void heddle_delete(void *memory)
{
	object_delete(memory);
}

static void system_report(void *unused)
{
	(void)unused;
	report_tasks(false);
}

void heddle_report_tasks(void)
{
	arch_call_on_processor_stack(system_report, NULL);
}

_Static_assert(HEDDLE_LINE_MAXIMUM == CONSOLE_LINE_MAXIMUM, "users are told how long a line may be");

struct message {
	const char *format;
	va_list *arguments;
	bool written;
};

static void system_message_log(void *argument)
{
	struct message *message = argument;
	char line[CONSOLE_LINE_MAXIMUM + 1];
	format_line(line, sizeof(line), message->format, *message->arguments);
	log_info("%s", line);
}

static void message_print(void *argument)
{
	struct message *message = argument;
	char line[CONSOLE_LINE_MAXIMUM + 1];
	va_list arguments; /* they are needed again if there is no room for the line */
	va_copy(arguments, *message->arguments);
	format_line(line, sizeof(line), message->format, arguments);
	va_end(arguments);
	message->written = console_result(line);
}

STACK_ENTRY(heddle_log)
void heddle_log(const char *format, ...)
{
	va_list arguments;
	struct message message = {format, &arguments, false};
	va_start(arguments, format);
	arch_call_on_processor_stack(system_message_log, &message);
	va_end(arguments);
}

STACK_ENTRY(heddle_print)
void heddle_print(const char *format, ...)
{
	va_list arguments;
	struct message message = {format, &arguments, false};
	quantum_check_cooperative("heddle_print()");
	va_start(arguments, format);
	while (arch_call_on_processor_stack(message_print, &message), !message.written) {
		/* Full. A serial line takes some milliseconds for each line. */
		task_sleep_until(heddle_clock() + 1000000);
	}
	va_end(arguments);
}
