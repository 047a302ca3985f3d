/*
 * A program with an object that was compiled with an older plugin: only its note is here (tools/plugin/note.h).
 */
#include "check.h"

__asm__(".pushsection .note.heddle, \"\", @note\n"
        "	.balign 4\n"
        "	.long 7, 40, 1\n"
        "	.asciz \"Heddle\"\n"
        "	.balign 4\n"
        "	.long 2, 1000, 1, 1, 0, 10, 0, 0, 0, 0\n"
        "	.popsection");

int main(void)
{
	CHECK(heddle_start("processors=1") == HEDDLE_BAD_ARGUMENT);
	puts("done");
	return EXIT_SUCCESS;
}
