/*
 * A key asks what all tasks do: control and \, on the serial line or at the keyboard. Each processor that looks after
 * the others (watchdog.h) reads these devices once a second; a shell reads them more often. The report comes between
 * two tasks, and all tasks go on, as after SIGQUIT in the hosted program.
 */
#ifndef SCHED_ATTENTION_H
#define SCHED_ATTENTION_H

#include <stdint.h>

/* Begin to look. Boot processor. */
void attention_start(void);

/* The time of the next look; UINT64_MAX: never. */
uint64_t attention_next(void);

/* Look if it is time. Runs on the processor's own stack. */
void attention_look(uint64_t now);

/* Look now: read what came in, and report if a key asks for it. A task may call this. */
void attention_look_now(void);

#endif
