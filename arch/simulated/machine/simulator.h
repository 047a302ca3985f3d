/*
 * The simulator: which virtual processor runs until when.
 *
 * The one that is furthest behind in virtual time goes on. It runs, natively, until it needs a line that it does not
 * have, asks the machine for something, or is further ahead of the next one than the window. What it needs or asks for
 * takes effect in the order of virtual time, whatever the window: then it waits until all others have come as far. So
 * the window bounds only for how long a processor may go on with lines of its own that another is about to take from
 * it.
 *
 * Nothing here depends on the host's time, threads or addresses: one machine with one seed gives one result.
 */
#ifndef MACHINE_SIMULATOR_H
#define MACHINE_SIMULATOR_H

#include "arch/simulated/machine/virtual_processor.h"

/* How far ahead, in picoseconds; and by how much what lines take is varied, either way, in 1/1024. */
extern uint64_t simulator_window, simulator_variation;

/* For a log of what the simulator itself does. */
struct simulator_counts {
	uint64_t needs;    /* lines that were waited for, or written without waiting */
	uint64_t switches; /* from one virtual processor to another */
	uint64_t calls;
};
extern struct simulator_counts simulator_counts;

/* Before the first processor: of these the variations are made. */
void simulator_seed(uint64_t seed);

/* What lines take varies a little, as on a machine: else processors that do the same stay in step for ever. */
uint64_t simulator_varied(uint64_t time);

/* What so many instructions take this processor now. */
uint64_t simulator_instructions(const struct virtual_processor *processor, uint64_t count);

/* Make a processor ready at a time; it is in no order. */
void simulator_ready(struct virtual_processor *processor, uint64_t time);

/* The next one, with its grant. */
struct virtual_processor *simulator_next(void);

/* The time of the processor that runs. */
uint64_t simulator_now(void);

/* How many instructions that has executed. */
uint64_t simulator_executed(const struct virtual_processor *processor);

/* Until the second one is called, the processor that runs goes on alone: it serves a fault. */
void simulator_alone_begin(void);
void simulator_alone_end(void);

/* Called by registers.asm: the processor was left, for a line or with an argument. Returns who goes on. */
struct virtual_processor *machine_left(struct virtual_processor *processor, uint64_t argument,
                                       uint32_t cause);

/* needs.c: what a processor needs at its time. False: it needs more still. */
bool need_meet(struct virtual_processor *processor);

/* Whether it has the one line that it needs: then it goes on without others. */
bool need_is_held(struct virtual_processor *processor);

/* It looks no further back: an atomic operation. */
void waits_forget(struct virtual_processor *processor);

/* The stores of the processor that are under way are done by then. */
static inline uint64_t stores_end(const struct virtual_processor *processor)
{
	return processor->stores_done > processor->time ? processor->stores_done : processor->time;
}

/* calls.c: carry out what the processor asks for; false: it waits. */
bool call_carry_out(struct virtual_processor *processor, uint32_t request, uint64_t argument);

/* interrupts.c: have it begin with what others have asked of it, if its time has come. */
void interrupts_deliver(struct virtual_processor *processor);

#endif
