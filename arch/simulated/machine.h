/*
 * What the port asks of the simulated machine, as a driver asks a device: the only way from simulated code to the
 * simulator (machine/). All times are virtual.
 *
 * machine_call() takes the time that the machine's profile says, and may let other processors go on before it
 * returns. All other functions return at once.
 */
#ifndef ARCH_SIMULATED_MACHINE_H
#define ARCH_SIMULATED_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct topology;
struct processor;

enum machine_request {
	MACHINE_HALT,      /* until MACHINE_WAKE, or until the time `argument`, in nanoseconds */
	MACHINE_WAKE,      /* end the halt of processor `argument`; if it is not halted, its next halt */
	MACHINE_INTERRUPT, /* run machine_serve() on processor `argument`, if it is in a task's own code by then */
	MACHINE_EXAMINE,   /* run machine_serve() on processor `argument`, wherever it is; it reports the place */
	MACHINE_RETURN,    /* the end of machine_serve(): go on with what was interrupted */
	MACHINE_BARRIER,   /* be busy until every store made so far is visible everywhere */
};

/* Returns 0. */
uint64_t machine_call(enum machine_request request, uint64_t argument);

/* Nanoseconds since the machine began. */
uint64_t machine_clock(void);

/* What processors and nodes there are. */
void machine_topology(struct topology *found);

/* Let processor `index` begin with entry(block), a wake-up's time from now. `block` becomes its processor's block. */
void machine_start(unsigned index, void (*entry)(struct processor *), struct processor *block);

/* The stack of a processor. */
void *machine_stack(unsigned index, size_t *size);

/* Describe the machine as members of a JSON object. Returns the length. */
size_t machine_describe(char *text, size_t size);

/* From now on only this processor goes on. */
void machine_stop_others(void);

/* End the simulation, or begin it again with the same words. */
_Noreturn void machine_end(int status);
_Noreturn void machine_restart(void);

/* Map a new file of the host as zeroed memory, whose accesses take no virtual time. NULL: *error says why not. */
void *machine_map_file(const char *name, size_t bytes, const char **error);

/* The port serves MACHINE_INTERRUPT or MACHINE_EXAMINE (requests.c). The machine calls this on the processor that was
 * interrupted, on a stack for interrupts; afterwards the processor goes on where it was. */
struct machine_interruption {
	bool examine;
	uintptr_t instruction, stack_pointer, frame_pointer; /* where it was */
};
void machine_serve(const struct machine_interruption *interruption);

#endif
