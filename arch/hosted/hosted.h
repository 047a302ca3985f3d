/*
 * What the files of the hosted machine share: one Linux process, a pinned pthread for each processor.
 */
#ifndef ARCH_HOSTED_HOSTED_H
#define ARCH_HOSTED_HOSTED_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "arch/arch.h"
#include "kernel/boot_information.h"
#include "kernel/processor.h"

/* The host's part of a processor. */
struct arch_processor {
	_Atomic uint32_t wake;     /* futex: 1: the next arch_idle() ends at once */
	_Atomic uint32_t requests; /* what other processors ask of it (requests.c) */
	uint32_t number;           /* of its thread, as the host's kernel says it */
	pthread_t thread;
	void (*main)(void *argument);       /* what that runs, */
	void *argument;                     /* on this */
	int *error;                         /* its errno, */
	struct arch_exceptions *exceptions; /* and its exceptions; NULL: the program has none (kept.c) */
	uint32_t locks;                     /* of the C library that its task holds (locks.c) */
	uintptr_t callbacks[CALLBACKS_MOST];
} __attribute__((aligned(CACHE_LINE)));

/* Start a thread that is the processor: it has its block behind %gs and a signal stack, and runs main(argument); false:
 * the host gives none. pthread_join() on `thread` of the host's part. */
bool hosted_processor_create(struct processor *processor, void (*main)(void *argument), void *argument);

/* In a child of the process, whose other threads are gone: forget them. */
void hosted_processors_forget(void);

/* Memory for the kernel, as boot regions; false: the host gives none. hosted_memory_free() gives it all back.
 */
bool hosted_memory_find(struct boot_information *boot);
void hosted_memory_free(void);

/* How memory is mapped that stacks may be in (mmap): executable where a part of the program asks for that, as one with
 * inner functions does whose addresses it takes. */
int hosted_stack_protection(void);

/* Addresses for stacks of tasks, and their end: part of the two above. */
void hosted_stacks_start(void);
void hosted_stacks_end(void);

/* Before the first request. */
void hosted_requests_start(void);

/* Find out where the host keeps for the calling thread, a processor, what tasks may keep. */
void hosted_kept_start(struct arch_processor *host);

/* What arch_remote_barrier() needs of the host. */
void hosted_idle_start(void);

/* Whether the address lies in code of the host's kernel, which reads the clock for us. */
bool hosted_is_clock_code(uintptr_t address);

/* Whether results could not be written to standard output. */
bool hosted_console_lost(void);

/* A thread that is no processor has a fault there: say so, if it is Heddle's own code. */
void hosted_outside_fault(uintptr_t instruction);

/* Around what a thread of the program does with a machine that runs, and must go on running until then; false: none
 * does. */
bool hosted_enter(void);
void hosted_leave(void);

/* By a thread that is no processor: heddle_report() without a look whether a machine runs. Before the first one. */
enum heddle_error hosted_report(void);
void hosted_report_start(void);

/* Read the symbol tables of the program and of the shared library, so that nothing has to be opened in a fault. */
void hosted_symbols_start(void);

/* Whether the address lies in code of the program's own file. */
bool hosted_is_program_code(uintptr_t address);

/* Whether a machine can run in this program; else a sentence is on standard error. */
bool hosted_link_is_allowed(void);

/* The terminal is as it was before arch_input_start(). (input.c) */
void hosted_input_end(void);

#endif
