/*
 * The clock tick, which ends the quanta of code whose checks poll (tools/plugin/, -fplugin-arg-heddle-poll) and so
 * count nothing: twice a millisecond a thread ends the counter of each processor. Only a program that has such
 * code has it.
 *
 * | operation | progress  | takes effect                                                                             |
 * |-----------|-----------|------------------------------------------------------------------------------------------|
 * | a tick    | wait-free | at its store, which a switch at the same time may overwrite: then the next tick ends it |
 */
#ifndef ARCH_HOSTED_TICKS_H
#define ARCH_HOSTED_TICKS_H

/* By the boot processor, for processors 0 to count - 1; ticks_end() when no task runs any more. */
void ticks_start(unsigned count);
void ticks_end(void);

#endif
