/*
 * What watch.c has found: to the tasks that wait for it.
 */
#ifndef ARCH_HOSTED_DESCRIPTORS_H
#define ARCH_HOSTED_DESCRIPTORS_H

#include <stdint.h>

#include "sched/external_wait.h"

/* These events (EPOLLIN ...) are there: gather the waits that are over, and have the host tell of the others. */
void hosted_descriptors_notice(struct external_waits *ended, int descriptor, uint32_t events);

/* In a machine that has ended; in a child of the process. */
void hosted_descriptors_end(void);
void hosted_descriptors_forget(void);

#endif
