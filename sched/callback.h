/*
 * Calls back: foreign code, which was compiled without the plugin, calls functions that were compiled with it. Until
 * such a function returns its task is uncooperative, since foreign code is not to be left in its middle. The processor
 * has the frames of those that have not returned, the first one first, and counts them in the upper half of
 * `uncooperative`: no task of another is there meanwhile.
 *
 * A jump or an exception may leave some without their return. Where it comes to instrumented code, and before
 * anything is refused because of them, they are dropped here. What lies on the stack that runs is left if it
 * lies below the stack pointer; what lies on another, if the task is on its own stack or the processor's:
 * foreign code calls nothing back from below these on a third one, but for the handler of a signal.
 *
 * Only the processor itself touches them, and nothing here blocks.
 */
#ifndef SCHED_CALLBACK_H
#define SCHED_CALLBACK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/processor.h"

/* Drop those that were left, for code of the current task whose stack pointer is this. Returns whether there
 * were any. */
bool callbacks_settle(uintptr_t stack_pointer);

#endif
