/*
 * A script of Lua, run in an interpreter of its own whose output is only counted and summed up. Needs nothing
 * of Heddle: tools/checks/ports_reference.c runs the same with the host's C library.
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

/* Those of scripts/, ended by a script without a name (scripts.asm). The last of them needs so much memory
 * that hundreds of it at once are too many. */
extern const struct script scripts[];

struct script_outcome {
	uint64_t checksum, bytes; /* of the output */
	char complaint[160];      /* Lua's, where the script failed */
};

/* As Lua wants it: free (new_bytes is 0), allocate (block is NULL, old_bytes without meaning) or change the
 * size. */
typedef void *(*script_memory)(void *memory, void *block, size_t old_bytes, size_t new_bytes);

/* Run a script; it reads `size` as a global of that name. False: it failed. */
bool script_run(const struct script *script, uint64_t size, script_memory allocate, void *memory,
                struct script_outcome *outcome);

#endif
