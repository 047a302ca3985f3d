/*
 * Passes what watch.c has found to the tasks that wait for it.
 */
#ifndef ARCH_HOSTED_DESCRIPTORS_H
#define ARCH_HOSTED_DESCRIPTORS_H

#include <stdint.h>

#include "sched/external_wait.h"

/* Events (EPOLLIN ...) of a descriptor have arrived: gather the waits that they end, and register the others with the
 * host again. */
void hosted_descriptors_notice(struct external_waits *ended, int descriptor, uint32_t events);

/* After a machine has ended; in a child of the process. */
void hosted_descriptors_end(void);
void hosted_descriptors_forget(void);

#endif
