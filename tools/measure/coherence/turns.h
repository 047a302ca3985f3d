/*
 * Turns: processors execute one after the other, some instructions each, as if all ran at the same speed.
 *
 * QEMU runs a processor for as long as the host's scheduler lets it, for milliseconds, or for 100 ms if one thread
 * runs all processors: thousands of critical sections without contention. Sharing could not be observed that way. A
 * halted processor has no turn.
 *
 * | operation    | progress                                                         |
 * |--------------|------------------------------------------------------------------|
 * | turns_spend  | waits for the turn, at most WAIT_MAXIMUM; then it takes it       |
 * | all others   | under a mutex that is held for a few instructions                |
 */
#ifndef COHERENCE_TURNS_H
#define COHERENCE_TURNS_H

#include <stdint.h>

/* Create turns for that many processors, of `length` instructions on average; 0: no turns. */
void turns_create(unsigned processors, unsigned length);

/* Start the turns, with the first one for that processor; or end them. */
void turns_begin(unsigned processor);
void turns_end(void);

/* The processor is about to execute that many instructions: returns when it has the turn. */
void turns_spend(unsigned processor, unsigned instructions);

/* The processor has nothing to execute; or it goes on. These never wait: QEMU's own lock is held. */
void turns_halt(unsigned processor);
void turns_go_on(unsigned processor);

/* The instructions that a processor would have executed that never halted: a measure in place of time. */
uint64_t turns_elapsed(void);

/* How many turns there were, and how many were taken because they were not passed on for too long: what was executed
 * then may have overlapped. */
uint64_t turns_count(void);
uint64_t turns_taken(void);

#endif
