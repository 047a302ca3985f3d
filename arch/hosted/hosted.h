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

/* What the run-time library of C++ keeps for a thread. */
struct hosted_exceptions {
	void *caught;
	unsigned uncaught;
};

/* A stack, as a sanitizer knows it. */
struct hosted_bounds {
	const void *low;
	size_t size;
};

/* The host's part of a processor. */
struct arch_processor {
	_Atomic uint32_t wake;     /* futex: 1: the next arch_idle() ends at once */
	_Atomic uint32_t requests; /* what other processors ask of it (requests.c) */
	_Atomic uint64_t seen;     /* the call that its thread was last seen to wait in (system_waits.c) */
	uintptr_t signal_stack;    /* its thread's, from this address on */
	uint32_t number;           /* of its thread, by the host's kernel */
	pthread_t thread;
	void (*main)(void *argument);         /* which the thread runs, */
	void *argument;                       /* on this argument */
	int *error;                           /* the thread's errno, */
	struct hosted_exceptions *exceptions; /* and its exceptions; NULL: the program has none (kept.c) */
	struct hosted_bounds stack;           /* the thread's own, while a task's is told (sanitizer.c) */
	uint32_t locks;                       /* locks of the C library that its task holds (locks.c) */
	uintptr_t callbacks[CALLBACKS_MOST];
} __attribute__((aligned(CACHE_LINE)));

/* Start a thread that becomes the processor: it has its block behind %gs and a signal stack, and runs main(argument).
 * False: the host gives none. To join it: pthread_join() on `thread`. */
bool hosted_processor_create(struct processor *processor, void (*main)(void *argument), void *argument);

/* Whether the address lies on the calling processor's signal stack. */
bool hosted_is_on_signal_stack(uintptr_t address);

/* In a child of the process, which has no other threads: forget them. */
void hosted_processors_forget(void);

/* Memory for the kernel, as boot regions; false: the host gives none. hosted_memory_free() gives it all back.
 */
bool hosted_memory_find(struct boot_information *boot);
void hosted_memory_free(void);

/* Protection (mmap) of memory that may contain stacks: executable if a part of the program asks for that, as a
 * program does that takes the address of a nested function. */
int hosted_stack_protection(void);

/* Reserve addresses for stacks of tasks, and give them back: part of the two above. */
void hosted_stacks_start(void);
void hosted_stacks_end(void);

/* Before the first request. */
void hosted_requests_start(void);

/* How many processors' time the process's control groups grant it, `most` at most. */
double hosted_quota(double most);

/* Find out where the host keeps, for the calling processor thread, the state that tasks may keep. */
void hosted_kept_start(struct arch_processor *host);

/* Prepare what arch_remote_barrier() needs of the host. */
void hosted_idle_start(void);

/* Whether the address lies in the code of the host's kernel that reads the clock for us. */
bool hosted_is_clock_code(uintptr_t address);

/* Map a new file, zeroed, as memory at about this address (NULL: anywhere); it replaces a file of that name. NULL:
 * errno says why not. (new_file.c) */
void *hosted_map_new_file(const char *name, void *address, size_t bytes);

/* Whether some results could not be written to standard output. */
bool hosted_console_lost(void);

/* Whether the machine is a guest in another program, which has called heddle_start(). */
bool hosted_is_embedded(void);

/* A fault in a thread that is no processor: report it, if it is in Heddle's own code. */
void hosted_outside_fault(uintptr_t instruction);

/* The same while no machine runs. */
void hosted_fault_at_rest(uintptr_t instruction);

/* Bracket what a thread of the program does with a running machine, which must go on running until hosted_leave().
 * False: no machine runs. */
bool hosted_enter(void);
void hosted_leave(void);

/* For a thread that is no processor: have a task call a function that returns an error, and wait for it. heddle_stop()
 * ends the wait: HEDDLE_STOPPED. */
enum heddle_error hosted_wait_outside(intptr_t (*function)(void *argument), void *argument);

/* For a thread that is no processor: heddle_report(), without a check that a machine runs. Prepare before the first
 * one. */
enum heddle_error hosted_report(void);
void hosted_report_start(void);

/* Read the symbol tables of the program and of the shared library now, so that a fault need not open files. */
void hosted_symbols_start(void);

/* The program's own file, mapped; NULL: it cannot be read. */
const char *hosted_program_file(size_t *size);

/* Whether a machine can run in this program; if not, standard error says why. */
bool hosted_link_is_allowed(void);

/* Whether all code in the program's own file that the plugin compiled is of this version; if not, standard error says
 * so. */
bool hosted_versions_match(void);

/* If standard input is a terminal, set it to deliver each key; set it back to what it was before. (terminal.c) */
void hosted_terminal_start(void);
void hosted_terminal_end(void);

#endif
