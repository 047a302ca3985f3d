/*
 * The two entries of a function. It is not known what calls a function by its name or address: a C library that calls
 * back, Linux that delivers a signal, another unit. So in front of the function stands a test of the caller
 * (arch/x86_64/foreign/callback.asm). Direct calls of instrumented code use the other entry, behind it, which has a
 * name of its own:
 *
 *     f:                cmp  %r11, (%rsp)          the caller's return address
 *                       je   f.heddle
 *                       call heddle_callback
 *                       ret
 *                       jmp  f.heddle                only if the function compares the stack's limit: it comes
 *             more:     call heddle_grow.N.0         here if it needs more, and begins again
 *                       ret
 *     f.heddle:         the function
 *
 * A function that is only called directly, in its own unit, has one entry. A function that has no checks, and calls
 * nothing that might have some, does not care what calls it. With stacks that grow it begins with the comparison
 * alone, by which calls by address recognize instrumented code (pointers.h).
 *
 * f.heddle keeps the counter. f.heddle.grow and f.heddle.push, at the same place, are for functions that are compiled
 * with -fsplit-stack as well, and may be called where the stack grows; the latter with arguments on the stack. If a
 * function does not have the name that is called, it is foreign: the calling unit defines the name weakly, with what
 * is to be done then (calls.h). So it is the linker that tells which functions are foreign.
 */
#ifndef PLUGIN_ENTRIES_H
#define PLUGIN_ENTRIES_H

#include <string>

#include "gcc.h"

enum class entry { counts, grows, grows_pushed };

/* The first bytes of a function with two entries, as a number for the assembler. */
#define ENTRY_CODE "0x241c394c"

/* Whether this unit is a part of the kernel's image. There all code leaves the counter alone, and has room on any
 * stack. */
bool unit_is_bare();

/* Whether this unit may become part of a shared library. */
bool unit_is_shared();

/* The name of the other entry of a function: by name, if the function is not this unit's, or by its declaration. */
std::string entry_name(const std::string &function, entry kind);
std::string entry_name(tree function, entry kind);

/* Whether a function of this unit has the other entry. */
bool has_entries(tree function);

/* Instructions of the test that a function begins with. */
#define ENTRY_LOOK 2

/* At a function's start, when everything else has been emitted. `cares`: it has checks, or calls functions that may
 * have some. */
void entries_emit(function *compiled, bool cares);

/* Keep this unit's instance of an inline function or a template, even if another unit has one: its entry must be
 * there. */
void entries_keep();

/* Write the names of all entries that are the start of the function into the assembly. */
void entries_write();

#endif
