/*
 * The program `previous_log`: the log of an earlier run, if the machine has kept it.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "kernel/log_memory.h"

/* No reader of the output mistakes such a line for one of this run. */
#define PREFIX "> "

static const struct program_parameter parameters[] = {
    {"back", 1, 1, LOG_BANKS - 1, "which run: 1 is the previous one, 2 the one before that"}, {0}};

static bool run(struct program_run *run)
{
	uint64_t back = program_value(run, "back");
	char line[HEDDLE_LINE_MAXIMUM - sizeof(PREFIX)];

	if (back > log_memory.previous_count) {
		heddle_print("no log of that run was found in memory: it is lost when the machine is switched off");
		return true;
	}
	log_memory.shown = &log_memory.previous[back - 1];
	struct log_reader reader = *log_memory.shown;
	heddle_print("the %slog of run %u, %s:", reader.is_cut ? "end of the " : "", reader.run,
	             log_memory_ending(&reader));
	while (log_read(&reader, line, sizeof(line)))
		heddle_print(PREFIX "%s", line);
	heddle_print("that was the log of run %u", log_memory.shown->run);
	return true;
}

HEDDLE_PROGRAM(previous_log, "the log of the previous run, unless the machine was switched off", parameters,
               run);
