/*
 * A key asks what all tasks do: control and \, on the serial line or at the keyboard. Heddle asks these devices, once a
 * second, wherever a processor looks after the others (watchdog.h); a shell does so more often. What tasks do is said
 * between two tasks, and all goes on, as SIGQUIT has it in the hosted program.
 */
#ifndef SCHED_ATTENTION_H
#define SCHED_ATTENTION_H

#include <stdint.h>

/* Boot processor. */
void attention_start(void);

/* When to look next; UINT64_MAX: never. */
uint64_t attention_next(void);

/* Look, if it is time. On the processor's own stack. */
void attention_look(uint64_t now);

/* Look now: at what came in, and whether it asks for a report. A task may call it. */
void attention_look_now(void);

#endif
