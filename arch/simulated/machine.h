/*
 * What the port asks of the machine that is simulated, as a driver asks a device: the only way from the code that is
 * simulated to the simulator (machine/). All times are virtual.
 *
 * What is asked by machine_call() may let other processors go on before it returns, and takes what the machine's
 * profile says. The rest returns at once.
 */
#ifndef ARCH_SIMULATED_MACHINE_H
#define ARCH_SIMULATED_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct topology;
struct processor;

enum machine_request {
	MACHINE_HALT,      /* until an interrupt that MACHINE_WAKE sends, or until the argument, nanoseconds */
	MACHINE_WAKE,      /* processor `argument`: end its halt, or the next one where it is not halted */
	MACHINE_INTERRUPT, /* processor `argument`: machine_served() there, if it is in a task's own code by then */
	MACHINE_EXAMINE,   /* processor `argument`: the same wherever it is, to say where that is */
	MACHINE_RETURN,    /* of machine_serve(): go on with what was interrupted */
	MACHINE_SETTLE,    /* be busy for as long as stores take at most to be seen everywhere */
};

/* Returns 0. */
uint64_t machine_call(enum machine_request request, uint64_t argument);

/* Nanoseconds since the machine began. */
uint64_t machine_clock(void);

/* What processors and nodes there are. */
void machine_topology(struct topology *found);

/* Make processor `index` begin with entry(block) at the time of the caller plus what a wake-up takes; `block` becomes
 * what its processor's block is found by. */
void machine_start(unsigned index, void (*entry)(struct processor *), struct processor *block);

/* The stack of a processor. */
void *machine_stack(unsigned index, size_t *size);

/* What the machine is, as members of a JSON object. Returns the length. */
size_t machine_describe(char *text, size_t size);

/* From now on only this processor goes on. */
void machine_stop_others(void);

/* End the simulation; or begin it again, with the same words. */
_Noreturn void machine_end(int status);
_Noreturn void machine_restart(void);

/* Zeroed memory that is a file of the host, and to which an access takes no time; NULL: *error says why not. */
void *machine_map_file(const char *name, size_t bytes, const char **error);

/* Called by the machine on a processor that was asked for by MACHINE_INTERRUPT or MACHINE_EXAMINE, on a stack of its
 * own: the port serves that, and the processor goes on where it was. (requests.c) */
struct machine_interruption {
	bool examine;
	uintptr_t instruction, stack_pointer, frame_pointer; /* where it was */
};
void machine_serve(const struct machine_interruption *interruption);

#endif
