/*
 * The numbers of processor.inc, for inline assembly: LAYOUT_QUANTUM and so on.
 */
#ifndef ARCH_X86_64_LAYOUT_H
#define ARCH_X86_64_LAYOUT_H

#define LAYOUT(name, number) enum { LAYOUT_##name = (number) }
#include "arch/x86_64/processor.inc"
#undef LAYOUT

#endif
