/*
 * Replaces the real arch/x86_64/stack_entry.h in the explorer, where stacks do not grow.
 */
#ifndef ARCH_X86_64_STACK_ENTRY_H
#define ARCH_X86_64_STACK_ENTRY_H

#define STACK_RESERVE 320
#define STACK_ENTRY(function)
#define STACK_ENTRY_INSIDE(function)
#define STACK_ENTRY_OF(function)       __asm__(#function)
#define STACK_ENTRY_HAS_ROOM(function) true

#endif
