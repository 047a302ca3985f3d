/*
 * Calls of foreign functions, which were compiled without -fsplit-stack, from code that was compiled with it:
 * they would run on whatever is left of a small stack. Each goes by way of a few instructions of the calling
 * object's, which do for the function what it does not do itself: where less than FOREIGN_STACK is left of a
 * stack that grows, it runs on a further piece, for as long as the call lasts.
 *
 *     heddle_foreign.printf.16:               16 bytes of arguments lie on the stack
 *             lea  -FOREIGN_STACK(%rsp), %r11
 *             cmp  %fs:0x70, %r11
 *             jae  1f
 *             testb $1, %fs:0x70              a whole stack is what it is
 *             jz   1f
 *             ...                             __morestack, as in arch/x86_64/grow.asm
 *     1:      jmp  *printf@GOTPCREL(%rip)
 *
 * The address is there when the program starts: to find it at the first call takes 3 KiB. So functions that need
 * next to nothing go by way of that jump, too, which is what they did anyway.
 *
 * Foreign is what a header of the system declares (-isystem) and this unit does not define, what the compiler
 * knows without a declaration, and what it calls by itself. In a freestanding unit
 * that is memcpy() and its like alone, and nothing where its code is at fixed addresses, as the kernel's is.
 */
#ifndef PLUGIN_FOREIGN_H
#define PLUGIN_FOREIGN_H

#include "gcc.h"

/* Measured on glibc 2.36: 41,640 bytes for a long double that is printed without a buffer. With what a piece has for
 * itself it makes one of 64 KiB. */
#define FOREIGN_STACK 61440

/* Late, and before checks are placed. */
void foreign_calls_redirect(function *compiled);

/* Put those instructions into the assembly that is being written. */
void foreign_ways_write();

#endif
