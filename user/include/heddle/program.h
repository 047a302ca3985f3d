/*
 * Programs: what `run=NAME,key=value...` starts. A program registers itself:
 *
 *     static bool run(struct program_run *run)
 *     {
 *         uint64_t tasks = program_value(run, "tasks");
 *         ...
 *         return program_result(run, NULL, operations, nanoseconds, all_is_well);
 *     }
 *
 *     static const struct program_parameter parameters[] = {
 *         {"tasks", 10, 1, 1000000, "how many tasks"},
 *         {"rounds", 20000, 1, UINT64_MAX, "yields of each task"},
 *         {"variant", .help = "which way", .choices = "plain|twill"},
 *         {"name", .help = "whose they are", .text = "nobody"},
 *         {0}};
 *
 *     HEDDLE_PROGRAM(switch, "context switches by explicit yield", parameters, run);
 */
#ifndef HEDDLE_PROGRAM_H
#define HEDDLE_PROGRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/attributes.h"
#include "heddle/scope.h"

#define HEDDLE_PROGRAM_PARAMETERS_MAXIMUM 16
#define HEDDLE_PROGRAM_EXTRAS_MAXIMUM     8
#define HEDDLE_PROGRAM_TEXTS_MAXIMUM      256 /* bytes of all texts given to a run, each with a closing 0 */

HEDDLE_BEGIN

struct program_parameter {
	const char *name; /* NULL ends the list */
	uint64_t value;   /* the default */
	uint64_t minimum, maximum;
	const char *help;
	const char *choices; /* "one|two|three": a word instead of a number; its value is its position, from 0 */
	const char *older_name; /* another name that sets it; NULL: none */
	const char
	    *text;    /* the default of a parameter that takes any word instead of a number; NULL: it does not */
	bool is_lock; /* its choices are locks: it also takes the name of a lock of one's own */
};

struct program_run;

struct program {
	const char *name, *help;
	const struct program_parameter *parameters;
	bool (*run)(struct program_run *run); /* false: the program's own check failed, or it could not run */
};

#define HEDDLE_PROGRAM(identifier, help_text, parameter_list, function)                                      \
	static const struct HEDDLE_SCOPE program program_##identifier = {#identifier, help_text, parameter_list, \
	                                                                 function};                              \
	static const struct HEDDLE_SCOPE program *const program_entry_##identifier                               \
	    __attribute__((used, section("heddle_programs"))) = &program_##identifier

/* The value of a parameter in this run: as given, or its default; for a choice, the position of its word. The name
 * must be one of the program's. */
uint64_t program_value(const struct program_run *run, const char *name);

/* The same of a parameter that takes any word: printable ASCII without a blank or a comma, or nothing at all. The word
 * stays until the run has ended. */
const char *program_text(const struct program_run *run, const char *name);

/*
 * Print the result line of a benchmark: one JSON object that begins {"benchmark": and has benchmark, variant,
 * processors, all parameters, operations, seconds, ns_per_operation and ok. `variant` may be any text; NULL: the word
 * of the program's parameter of that name, or of that older name; if there is none, the scheduler's policy. A run may
 * print several lines. Returns ok, for `return program_result(...)`. It returns false if extra fields were lost, or
 * if the line is longer than HEDDLE_LINE_MAXIMUM (heddle/system.h), which is then not printed. Both fail the run,
 * with a message in the log.
 */
HEDDLE_MAY_SWITCH bool program_result(struct program_run *run, const char *variant, uint64_t operations,
                                      uint64_t nanoseconds, bool ok);

/* Add a field to the next result line, after ns_per_operation, for something that only this program measures. The
 * name must stay valid until then; a second field of that name replaces the first. A line has room for
 * HEDDLE_PROGRAM_EXTRAS_MAXIMUM; one more is lost and fails the run, with a message in the log. */
void program_result_extra(struct program_run *run, const char *name, uint64_t value);

/* Log at level error why a run failed its own check or could not go on; returns false. */
bool program_failed(struct program_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

HEDDLE_END

#endif
