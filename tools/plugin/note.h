/*
 * The proof of instrumentation: each object has an ELF note, in section .note.heddle, with the name "Heddle"
 * and type NOTE_TYPE, whose descriptor is struct note. A linked file has the notes of all its objects, one
 * after the other.
 */
#ifndef PLUGIN_NOTE_H
#define PLUGIN_NOTE_H

#include <stdint.h>

#define NOTE_SECTION ".note.heddle"
#define NOTE_NAME    "Heddle"
#define NOTE_TYPE    1
/* Of this layout, of what the checks count and call, and of the convention (convention.h). The hosted library refuses
 * code of another version (arch/hosted/versions.c). */
#define NOTE_VERSION 3

struct note {
	uint32_t version;
	uint32_t bound;         /* instructions between two checks, at most */
	uint32_t functions;     /* compiled with the plugin */
	uint32_t checks;        /* in all of them */
	uint32_t without_check; /* functions that need none */
	uint32_t longest;       /* the longest path between two checks that the compiler found */
	/* What it could not see: */
	uint32_t uncooperative;         /* functions that ask to have no checks */
	uint32_t assembly;              /* asm statements, counted by their lines; a loop inside is not noticed */
	uint32_t repeated;              /* repeated string instructions, counted as one however much they move */
	uint32_t thread_local_accesses; /* of variables that belong to a host's thread, not to the task */
};

extern struct note note;

/* Put the note into the assembly that is being written. */
void note_write();

#endif
