#include "note.h"

#include "gcc.h"
#include "options.h"

struct note note;

static void write_word(uint32_t word, const char *name)
{
	fprintf(asm_out_file, "\t.long\t%u\t# %s\n", word, name);
}

void note_write()
{
	fprintf(asm_out_file, "\t.pushsection\t%s,\"\",@note\n\t.balign\t4\n", NOTE_SECTION);
	fprintf(asm_out_file, "\t.long\t%zu, %zu, %d\n\t.asciz\t\"%s\"\n\t.balign\t4\n", sizeof(NOTE_NAME),
	        sizeof(struct note), NOTE_TYPE, NOTE_NAME);
	write_word(NOTE_VERSION, "version");
	write_word(options.bound, "bound");
	write_word(note.functions, "functions");
	write_word(note.checks, "checks");
	write_word(note.without_check, "functions without a check");
	write_word(note.longest, "longest path");
	write_word(note.uncooperative, "uncooperative functions");
	write_word(note.assembly, "asm statements");
	write_word(note.repeated, "repeated string instructions");
	write_word(note.thread_local_accesses, "thread-local accesses");
	fprintf(asm_out_file, "\t.popsection\n");
}
