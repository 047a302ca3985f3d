/*
 * What the files of the hosted machine share: one Linux process, a pinned pthread for each processor.
 */
#ifndef ARCH_HOSTED_HOSTED_H
#define ARCH_HOSTED_HOSTED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_information.h"
#include "kernel/processor.h"

/* The host's part of a processor. */
struct arch_processor {
	_Atomic uint32_t wake; /* futex: 1: the next arch_idle() ends at once */
	pthread_t thread;
	void *signal_stack;
} __attribute__((aligned(CACHE_LINE)));

/* Start a thread that is to become a processor; false: the host gives none. */
bool hosted_thread_create(pthread_t *thread, void *(*main)(void *), void *argument);

/* Make the calling thread the processor: its block behind %gs, its signal stack, the host processor that it
 * runs on. */
void hosted_processor_become(struct processor *processor);

/* Undo that, at the end of scheduler_run(). */
void hosted_processor_leave(struct processor *processor);

/* Memory for the kernel, as boot regions; false: the host gives none. hosted_memory_free() gives it all back.
 */
bool hosted_memory_find(struct boot_information *boot);
void hosted_memory_free(void);

/* Faults and the signals that stop, examine and interrupt processors. */
void hosted_signals_start(void);

/* What arch_settle() needs of the host. */
void hosted_idle_start(void);

/* Whether results could not be written to standard output. */
bool hosted_console_lost(void);

/* Read the program's own symbol table, so that nothing has to be opened in a fault. */
void hosted_symbols_start(void);

#endif
