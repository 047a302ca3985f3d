/*
 * -fsplit-stack. The comparison with the limit of the stack: of the stack pointer, or of the stack pointer less a size,
 * in a register. It is without sign: a limit with each bit inverted, as it is while foreign code runs, is above all
 * stack pointers (sched/growth.h). But the stack pointer less a size that is larger is above all limits, too; then
 * there is no room, either.
 */
#ifndef PLUGIN_COMPARISON_H
#define PLUGIN_COMPARISON_H

#include "gcc.h"

/* No stack lies below: Linux maps nothing there, and the kernel leaves it alone. So only larger sizes need care. */
#define LOWEST_STACK 0x10000

/* What an instruction compares; null: it is no such comparison. */
rtx comparison_of(rtx_insn *insn);

/* Let a register that has wrapped lead to where there is no room. `room`: bytes that must be free below. */
void comparison_refuse_wrapped(rtx_insn *comparison, HOST_WIDE_INT room);

/* alloca() and arrays must leave so many bytes below: they compare what the stack pointer would become, in a register
 * that is used again. */
void comparison_leave_room(rtx_insn *comparison, HOST_WIDE_INT room);

#endif
