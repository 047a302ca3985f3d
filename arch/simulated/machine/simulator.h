/*
 * The simulator: which virtual processor runs, and until when.
 *
 * The processor that is furthest behind in virtual time goes on. It runs natively until it needs a line that it does
 * not have, asks the machine for something, or is ahead of the next processor by more than the window. Needs and
 * requests take effect in the order of virtual time, whatever the window: the processor first waits until all others
 * have come as far. So the window bounds only for how long a processor may use its own lines after another has asked
 * for them.
 *
 * Nothing here depends on the host's time, threads or addresses: one machine with one seed gives one result.
 */
#ifndef MACHINE_SIMULATOR_H
#define MACHINE_SIMULATOR_H

#include "arch/simulated/machine/virtual_processor.h"

/* How far a processor may run ahead, in picoseconds; how much the time of a line varies, either way, in 1/1024; for how
 * long a processor stands still at most, in picoseconds (0: it never does). */
extern uint64_t simulator_window, simulator_variation, simulator_pauses;

/* What the simulator itself does, for counts.c. */
struct simulator_counts {
	uint64_t needs;    /* lines that were waited for, or written without waiting */
	uint64_t switches; /* from one virtual processor to another */
	uint64_t calls;
};
extern struct simulator_counts simulator_counts;

/* Set the seed of all variation, before the first processor runs. */
void simulator_seed(uint64_t seed);

/* Vary the time of a line a little, as on a real machine. Otherwise processors that do the same work would stay in step
 * for ever. */
uint64_t simulator_varied(uint64_t time);

/* The time that `count` instructions take this processor now. */
uint64_t simulator_instructions(const struct virtual_processor *processor, uint64_t count);

/* Make a processor ready at a time. It is not in the heap of order.h. */
void simulator_ready(struct virtual_processor *processor, uint64_t time);

/* Choose the processor that runs next, and grant it instructions. */
struct virtual_processor *simulator_next(void);

/* The time of the processor that runs. */
uint64_t simulator_now(void);

/* How many instructions the processor has executed. */
uint64_t simulator_executed(const struct virtual_processor *processor);

/* Between these two the running processor goes on alone: it handles a fault. */
void simulator_alone_begin(void);
void simulator_alone_end(void);

/* registers.asm calls this when a processor was left; `argument` is the line, or the request's argument. Returns the
 * processor that goes on. */
struct virtual_processor *machine_left(struct virtual_processor *processor, uint64_t argument,
                                       uint32_t cause);

/* needs.c: serve what the processor needs, at its time. False: it still needs more. */
bool need_meet(struct virtual_processor *processor);

/* Whether the processor has the one line that it needs, so that no other must go first. */
bool need_is_held(struct virtual_processor *processor);

/* An atomic operation: later reads cannot have begun before it. */
void waits_forget(struct virtual_processor *processor);

/* When all stores of the processor that are under way are complete. */
static inline uint64_t stores_end(const struct virtual_processor *processor)
{
	return processor->stores_done > processor->time ? processor->stores_done : processor->time;
}

/* calls.c: carry out a request of the processor; false: it waits. */
bool call_carry_out(struct virtual_processor *processor, uint32_t request, uint64_t argument);

/* interrupts.c: let the processor begin with an interruption whose time has come. */
void interrupts_deliver(struct virtual_processor *processor);

#endif
