/*
 * Functions of the C library that code compiled with the plugin calls under another name, whichever headers it includes
 * (tools/plugin/calls.h): INSTEAD_OF(sleep) makes it call heddle_sleep(). To call the C library's own function, take
 * its address. The text in brackets consists of directives of the assembler, not of a machine's instructions.
 */
#ifndef ARCH_HOSTED_INSTEAD_H
#define ARCH_HOSTED_INSTEAD_H

#define INSTEAD_ENTRY(name, kind) \
	".globl " #name ".heddle" kind "\n.set " #name ".heddle" kind ", heddle_" #name ".heddle\n"
#define INSTEAD_OF(name) \
	__asm__(INSTEAD_ENTRY(name, "") INSTEAD_ENTRY(name, ".grow") INSTEAD_ENTRY(name, ".push"))

#endif
