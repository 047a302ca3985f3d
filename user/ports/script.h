/*
 * A script, run in its own interpreter; its output is only counted and checksummed. Needs nothing of Heddle:
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

/* The scripts of scripts/; each list ends with a script without a name (scripts.asm). The last script of a list
 * recurses deepest; Lua's needs so much memory that hundreds of them at once are too many. */
extern const struct script scripts_lua[], scripts_duktape[];

struct script_outcome {
	uint64_t checksum, bytes; /* of the output */
	char complaint[160];      /* the interpreter's message if the script failed */
};

/* Run a script, which reads `size` as a global variable. False: it failed. */
typedef bool (*script_runner)(const struct script *script, uint64_t size, struct script_outcome *outcome);

bool script_run_lua(const struct script *script, uint64_t size, struct script_outcome *outcome);
bool script_run_duktape(const struct script *script, uint64_t size, struct script_outcome *outcome);

#endif
