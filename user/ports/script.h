/*
 * A script, run in an interpreter of its own whose output is only counted and summed up. Needs nothing of Heddle:
 * tools/checks/ports_reference.c runs the same with the host's C library.
 */
#ifndef USER_PORTS_SCRIPT_H
#define USER_PORTS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct script {
	const char *name, *text;
	uint64_t length;
};

/* Those of scripts/, each list ended by a script without a name (scripts.asm). The last of a list is the one that goes
 * deepest; Lua's needs so much memory that hundreds of it at once are too many. */
extern const struct script scripts_lua[], scripts_duktape[];

struct script_outcome {
	uint64_t checksum, bytes; /* of the output */
	char complaint[160];      /* the interpreter's, where the script failed */
};

/* Run a script; it reads `size` as a global of that name. False: it failed. */
typedef bool (*script_runner)(const struct script *script, uint64_t size, struct script_outcome *outcome);

bool script_run_lua(const struct script *script, uint64_t size, struct script_outcome *outcome);
bool script_run_duktape(const struct script *script, uint64_t size, struct script_outcome *outcome);

#endif
