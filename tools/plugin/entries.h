/*
 * The two entries of a function. What may come by the function's name, or by its address, is not known: a C
 * library that calls back, Linux that delivers a signal, another unit. So in front of the function stands a
 * look at who it is (arch/x86_64/foreign/callback.asm), and direct calls of instrumented code go by the other entry,
 * behind it, which has a name of its own:
 *
 *     f:                cmp  %r11, (%rsp)          the address that the caller wants to go on at
 *                       je   f.heddle
 *                       call heddle_callback
 *                       ret
 *     f.heddle:         the function
 *
 * A function that is only called directly, in its own unit, has one entry. What has no checks and calls nothing
 * that might does not care who calls it; with stacks that grow it begins with the comparison alone, by which calls
 * by address know it for instrumented code (pointers.h).
 *
 * f.heddle keeps the counter; f.heddle.grow, f.heddle.push, the same place, are compiled with -fsplit-stack as
 * well, and may be called where the stack grows, the latter with arguments on the stack. Whose function does not
 * have the name that is called is foreign there: the calling unit gives a weak one, which says what is to be done
 * then (calls.h). So it is the linker that tells what is foreign.
 */
#ifndef PLUGIN_ENTRIES_H
#define PLUGIN_ENTRIES_H

#include <string>

#include "gcc.h"

enum class entry { counts, grows, grows_pushed };

/* The bytes that a function begins with that has two entries, as the assembler knows them. */
#define ENTRY_CODE "0x241c394c"

/* Whether this unit is a part of the kernel's image: there all code leaves the counter alone, and has its room on any
 * stack. */
bool unit_is_bare();

/* Whether what this compiles may become part of a shared library. */
bool unit_is_shared();

/* The name of the other entry of a function by its name, if it is not this unit's, and of one that is. */
std::string entry_name(const std::string &function, entry kind);
std::string entry_name(tree function, entry kind);

/* Whether a function of this unit has the other entry. */
bool has_entries(tree function);

/* Instructions of the look that a function begins with. */
#define ENTRY_LOOK 2

/* At a function's start, when all else has been emitted; `cares`: it has checks, or calls what may have some. */
void entries_emit(function *compiled, bool cares);

/* Keep this unit's instance of an inline function or a template, whoever else compiled one: its entry must be there. */
void entries_keep();

/* The names of all entries that are the function itself, into the assembly that is being written. */
void entries_write();

#endif
