/*
 * Turns: processors execute one after the other, some instructions each, as if all ran at the same speed.
 *
 * QEMU runs a processor for as long as the host's scheduler lets it, milliseconds, or 100 ms where one thread
 * runs all: thousands of critical sections, without anybody coming to meet them. Nothing of how they share
 * could be seen so. A halted processor has no turn.
 *
 * | operation    | progress                                                         |
 * |--------------|------------------------------------------------------------------|
 * | turns_spend  | waits for the turn, at most WAIT_MAXIMUM; then it takes it       |
 * | all others   | under a mutex that is held for a few instructions                |
 */
#ifndef COHERENCE_TURNS_H
#define COHERENCE_TURNS_H

#include <stdint.h>

/* So many processors, with turns of `length` instructions on average; 0: there are none. */
void turns_create(unsigned processors, unsigned length);

/* From now on there are turns, and that processor has the first one; or no more. */
void turns_begin(unsigned processor);
void turns_end(void);

/* The processor is about to execute so many instructions: returns when it has the turn. */
void turns_spend(unsigned processor, unsigned instructions);

/* It has nothing to execute, and goes on. Never waits: QEMU's own lock is held. */
void turns_halt(unsigned processor);
void turns_go_on(unsigned processor);

/* The instructions that a processor would have executed that was never halted: what has taken the place of time. */
uint64_t turns_elapsed(void);

/* How many turns there were, and how many were taken because nobody passed them on for too long: what was
 * executed then may have overlapped. */
uint64_t turns_count(void);
uint64_t turns_taken(void);

#endif
