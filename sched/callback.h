/*
 * Calls back: foreign code, compiled without the plugin, calls functions that were compiled with it. Until such a
 * function returns, its task is uncooperative, since foreign code must not be left in its middle. The processor's
 * block holds the frames of the functions that have not returned, the first one first, each as the address of a word
 * with its index, and counts them in the upper half of `uncooperative`. They all belong to the current task.
 *
 * A jump or an exception may leave some of these functions without their return. They are dropped here: where the
 * jump lands in instrumented code, and before an operation is refused because of them. A frame on the running stack
 * was left if it lies below the stack pointer, or no longer has its index: where a jump lands in foreign code, nobody
 * says so, and what the task calls afterwards writes over the frame. A frame on another stack was left if the task
 * runs on its own stack or the processor's: below these, foreign code calls back from a third stack only in a signal
 * handler.
 *
 * Only the processor itself touches the frames, and nothing here blocks.
 */
#ifndef SCHED_CALLBACK_H
#define SCHED_CALLBACK_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/processor.h"

/* Drop the frames that were left. `stack_pointer` is that of the current task's code. Returns whether there were
 * any. */
bool callbacks_settle(uintptr_t stack_pointer);

#endif
