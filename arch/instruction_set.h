/*
 * The instruction set's inline headers, under one name for use outside its folder: a port to another processor
 * includes its own headers here. For arch.h alone.
 */
#ifndef ARCH_INSTRUCTION_SET_H
#define ARCH_INSTRUCTION_SET_H

#include "arch/x86_64/branch.h" /* ARCH_RARELY */
#include "arch/x86_64/inline.h" /* arch_processor, arch_scheduler, arch_cycles, arch_pause and so on */
#include "arch/x86_64/quantum_counter.h" /* quantum_counter_exact and so on */
#include "arch/x86_64/stack_entry.h"     /* STACK_ENTRY */
#include "arch/x86_64/switch.h"          /* struct arch_context */
#include "arch/x86_64/context.h"         /* arch_context_switch and so on */

#endif
