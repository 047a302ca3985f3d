/*
 * Takes the place of the real arch/x86_64/branch.h in the explorer, where no code changes: what is rarely wanted is not
 * there. The case of the trace calls it by itself.
 */
#ifndef ARCH_X86_64_BRANCH_H
#define ARCH_X86_64_BRANCH_H

#define ARCH_KEEPS_REGISTERS
#define ARCH_RARELY(function, first, second) ((void)sizeof(first), (void)sizeof(second))

#endif
