/*
 * An interpreter in each task. The output of a script must not depend on what else runs: it is compared with what the
 * same script printed when it ran alone.
 */
#ifndef USER_PORTS_INTERPRETER_H
#define USER_PORTS_INTERPRETER_H

#include "heddle/program.h"
#include "user/ports/script.h"

#define INTERPRETER_SCRIPTS 16 /* of one interpreter, at most */

struct interpreter {
	const char *name;
	const struct script *scripts;
	script_runner run;
	size_t stack_size; /* of a task */
};

/* The parameters of such a program. */
#define INTERPRETER_PARAMETERS                                                            \
	{"tasks", 200, 1, 100000, "tasks, each with an interpreter of its own"},              \
	    {"rounds", 1, 1, 1000000000, "scripts that each task runs, one after the other"}, \
	    {"size", 10, 1, 1000, "how much a script does"},                                  \
	    {"script", 0, 0, INTERPRETER_SCRIPTS,                                             \
	     "which script, 0 for each but the last in turn; that needs 32 MB a task"},       \
	{                                                                                     \
		0                                                                                 \
	}

/* Run a program with these parameters. */
bool interpreter_run(struct program_run *run, const struct interpreter *interpreter);

#endif
