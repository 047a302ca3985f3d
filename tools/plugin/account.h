/*
 * The mode that accounts for all that is executed, for arch/simulated/: it inserts no switches, and the code stays the
 * same, register for register. Between its instructions stands
 *
 *     at the start of each block, where the flags are free:
 *             subl  $N, heddle_account_left(%rip)      N: the instructions of the block
 *             jns   1f
 *             call  heddle_account_spent
 *     1:
 *
 *     before each access to memory:
 *             movq  %rax, heddle_account_rax(%rip)     unless rax is free
 *             leaq  ADDRESS, %rax
 *             call  heddle_account_read                or _read_early, _prefetch, _write, _atomic,
 *                                                      _prefetch_write; these keep all registers
 *
 * The names end in _flags where the flags are not free. An effect (accesses.h) is a call as well.
 *
 * Nothing stands where the bytes of the code are counted (grow.asm). In a function that uses the x87 unit nothing is
 * called, so that its registers need not be kept; blocks are still charged for.
 */
#ifndef PLUGIN_ACCOUNT_H
#define PLUGIN_ACCOUNT_H

#include "gcc.h"

/* Runs last of all: no pass changes the function's instructions afterwards. */
void account_emit(function *compiled);

#endif
