/*
 * One run of a program: its values, parsed from the words of run=, and the fields of its next result line.
 */
#ifndef USER_PROGRAM_RUN_H
#define USER_PROGRAM_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/program.h"
#include "user/activity.h"
#include "user/text.h"

struct program_extra {
	const char *name;
	uint64_t value;
};

struct program_run {
	const struct program *program;
	uint64_t values[HEDDLE_PROGRAM_PARAMETERS_MAXIMUM]; /* in the order of program->parameters */
	struct program_extra extras[HEDDLE_PROGRAM_EXTRAS_MAXIMUM];
	unsigned extra_count;
	bool failed;                      /* counts even if its function returns true */
	struct activity_summary activity; /* of the machine, until the next result line */
};

/* The linker's list of all HEDDLE_PROGRAM()s; both are NULL if there are none. */
extern const struct program *const __start_heddle_programs[] __attribute__((weak));
extern const struct program *const __stop_heddle_programs[] __attribute__((weak));

/* The program of that name; NULL: there is none. */
const struct program *program_find(struct piece name);

/* Fill `run` from "NAME[,key=value...]". False: `error` says what is wrong and what is allowed. */
bool program_parse(const char *words, struct program_run *run, char *error, size_t error_size);

/* Add a value of the parameter as it is written: a choice's word, or a number. */
void program_value_add(struct text *text, const struct program_parameter *parameter, uint64_t value);

/* Compose the line that program_result() prints, and clear the extra fields. */
void program_result_line(struct program_run *run, struct text *line, const char *variant, uint64_t operations,
                         uint64_t nanoseconds, bool ok);

#endif
