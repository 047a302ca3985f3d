/*
 * The watchdog: a processor that has not switched for watchdog= seconds, and whose task has not come to a check of
 * its quantum either, is reported by another one, with its back trace. Idle processors do not count. With one
 * processor there is none to report it.
 */
#ifndef SCHED_WATCHDOG_H
#define SCHED_WATCHDOG_H

#include <stdint.h>

#define WATCHDOG_PICK 1024 /* how often, in picks, a busy processor looks; idle ones look by the clock */

/* Look at all processors if it is time; only one caller at a time does. Called by a processor that is not quiet
 * (quiet.h), so that none of the others has ended. */
void watchdog_look(void);

/* When an idle processor should look next; UINT64_MAX: never. */
uint64_t watchdog_next(void);

void watchdog_start(void);

#endif
