/*
 * Functions of the C library that code which the plugin compiled calls otherwise, whichever headers it includes
 * (tools/plugin/calls.h): INSTEAD_OF(sleep) has it call heddle_sleep(). To call the C library's own,
 * take its address. What stands here in brackets are the assembler's directives, and no machine's instructions.
 */
#ifndef POSIX_INSTEAD_H
#define POSIX_INSTEAD_H

#define INSTEAD_ENTRY(name, kind) \
	".globl " #name ".heddle" kind "\n.set " #name ".heddle" kind ", heddle_" #name ".heddle\n"
#define INSTEAD_OF(name) \
	__asm__(INSTEAD_ENTRY(name, "") INSTEAD_ENTRY(name, ".grow") INSTEAD_ENTRY(name, ".push"))

#endif
