/*
 * What the machine boots into. Only this file looks upwards: it starts the scheduler, then the programs.
 */
#include "kernel/boot_information.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/failure.h"
#include "kernel/memory.h"
#include "kernel/panic.h"
#include "kernel/results.h"
#include "sched/scheduler.h"
#include "sched/statistics.h"
#include "sched/trace.h"
#include "sync/system_start.h"
#include "user/program_list.h"
#include "user/result_codes.h"

#define ERROR_MAXIMUM 900

_Noreturn static void kernel_end(enum arch_outcome outcome)
{
	console_flush();
	arch_shutdown(outcome);
}

/* Finds every error in the command line, those in programs' parameters too, before anything runs. */
static void check_command_line(struct boot_information *boot)
{
	static char error[ERROR_MAXIMUM];
	if (boot->command_line_cut) {
		log_error("the command line is longer than %u characters", COMMAND_LINE_MAXIMUM - 1);
		kernel_end(ARCH_OUTCOME_FAILURE);
	}
	bool valid = command_line_parse(boot->command_line, &command_line, error, sizeof(error));
	for (unsigned i = 0; valid && i < command_line.run_count; i++)
		valid = program_check(command_line.runs[i], error, sizeof(error));
	if (!valid) {
		log_error("%s", error);
		kernel_end(ARCH_OUTCOME_FAILURE);
	}
}

static void print_help(void)
{
	for (const char *const *line = command_line_help; *line; line++)
		console_result(*line);
}

/* A task makes the codes for the screen, because the code that makes them is user code. */
static void make_result_codes(void)
{
	if (result_log.benchmarks == 0 || command_line.end == END_REBOOT)
		return;
	result_codes.missing = result_codes_make ? result_codes_make(&result_log, &result_codes)
	                                         : "it was built without the sources of libqrencode";
	if (result_codes.missing)
		log_info("results: no code on the screen: %s", result_codes.missing);
}

static intptr_t run_programs(void *unused)
{
	(void)unused;
	unsigned succeeded = 0;
	failure_start();
	if (command_line.list)
		program_print_list();
	for (unsigned i = 0; i < command_line.run_count; i++)
		succeeded += program_run_words(command_line.runs[i]);
	trace_finish();
	if (log_level >= LOG_DEBUG)
		statistics_report();
	console_flush();
	make_result_codes();
	bool all = succeeded == command_line.run_count;
	if (command_line.run_count > 0)
		log_info("%u of %u programs succeeded", succeeded, command_line.run_count);
	if (!all || command_line.end == END_HALT)
		log_info("the end: a bare machine can now be switched off");
	kernel_end(all ? ARCH_OUTCOME_SUCCESS : ARCH_OUTCOME_FAILURE);
}

void kernel_main(struct boot_information *boot)
{
	check_command_line(boot);
	if (command_line.help || (!command_line.list && command_line.run_count == 0))
		print_help();
	system_start(boot);

	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = "main";
	options.stack = HEDDLE_TASK_STACK_WHOLE;
	options.stack_size = 65536;
	options.detached = true;
	if (task_create(NULL, run_programs, NULL, &options) != HEDDLE_OK)
		memory_exhausted(options.stack_size, "the main task");
	arch_processors_release(scheduler_run);
	scheduler_run(&processors[0]);
}
