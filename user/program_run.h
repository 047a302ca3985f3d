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
	/* In the order of program->parameters. The value of a text is its address. */
	uint64_t values[HEDDLE_PROGRAM_PARAMETERS_MAXIMUM];
	char texts[HEDDLE_PROGRAM_TEXTS_MAXIMUM]; /* those that were given, each with a closing 0 */
	size_t texts_length;
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

/* Fill `run` from "NAME[,key=value...]". False: `error` says what is wrong and what is allowed. It must not move
 * afterwards, because texts are in it. */
bool program_parse(const char *words, struct program_run *run, char *error, size_t error_size);

/* The value of a parameter that was not given. */
static inline uint64_t program_default(const struct program_parameter *parameter)
{
	return parameter->text ? (uintptr_t)parameter->text : parameter->value;
}

/* Of a parameter that names a lock: the place in heddle_locks() of the one that was chosen; PROGRAM_NONE_ADDED: it is
 * one of the parameter's own choices. */
#define PROGRAM_NONE_ADDED UINT64_MAX
uint64_t program_choice_added(const struct program_run *run, const char *name);

/* Add a value of the parameter as it is written: a choice's word, a text, or a number. */
void program_value_add(struct text *text, const struct program_parameter *parameter, uint64_t value);

/* Compose the line that program_result() prints, and clear the extra fields. */
void program_result_line(struct program_run *run, struct text *line, const char *variant, uint64_t operations,
                         uint64_t nanoseconds, bool ok);

#endif
