/*
 * Whether the program's own code was compiled with the plugin of this version. Each object that it compiles has a note
 * (tools/plugin/note.h), and the linked file has all of them, one after the other. Code of another version counts its
 * quanta otherwise: it might never switch, or always.
 */
#include <stdio.h>
#include <unistd.h>

#include "arch/hosted/elf.h"
#include "arch/hosted/hosted.h"

#define SECTION ".note.heddle"
#define NAME    "Heddle"
#define VERSION 3

struct note {
	Elf64_Nhdr header;
	char name[(sizeof(NAME) + 3) & ~3u];
	uint32_t version; /* then what the plugin has counted */
};

struct versions {
	unsigned objects, others; /* with a note, and with that of another version */
	uint32_t other;           /* of one of them */
};

static size_t padded(size_t bytes)
{
	return (bytes + 3) & ~(size_t)3;
}

static struct versions versions_of(const char *notes, size_t bytes)
{
	struct versions found = {0};
	for (size_t at = 0; bytes - at >= sizeof(struct note);) {
		const struct note *note = (const struct note *)(notes + at);
		size_t length = sizeof(note->header) + padded(note->header.n_namesz) + padded(note->header.n_descsz);
		found.objects++;
		if (note->version != VERSION) {
			found.others++;
			found.other = note->version;
		}
		if (length > bytes - at)
			break;
		at += length;
	}
	return found;
}

bool hosted_versions_match(void)
{
	size_t size;
	const char *program = hosted_program_file(&size);
	const Elf64_Shdr *notes = program ? elf_section_find(program, size, SECTION) : NULL;
	if (!notes)
		return true;
	struct versions found = versions_of(program + notes->sh_offset, notes->sh_size);
	if (found.others == 0)
		return true;
	dprintf(STDERR_FILENO,
	        "heddle_start: %u of the %u objects that the plugin compiled are of its version %u; "
	        "this is version %u: compile them again\n",
	        found.others, found.objects, found.other, VERSION);
	return false;
}
