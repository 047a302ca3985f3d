/*
 * The machine that is explored: virtual processors with store buffers (x86-TSO) over the variables of the
 * case.
 *
 *     processor --plain store--> its store buffer, a FIFO --drain, at any later time--> memory
 *
 * A processor runs until it is about to do something that others can see: a load, a locked instruction, a
 * fence. That is its request. machine_step() carries the request out and lets the processor run to its next
 * one; all in between is its own affair. What a state consists of is copied out and back by machine_save()
 * and machine_restore().
 */
#ifndef VERIFY_MACHINE_H
#define VERIFY_MACHINE_H

#include "explorer.h"

#define MACHINE_BUFFER 8

enum machine_action { MACHINE_STEP, MACHINE_DRAIN, MACHINE_ACTIONS };

/* Load nothing, run all processors to their first requests. */
void machine_start(const struct explore_case *);

/* Whether the action is possible now. */
bool machine_can(unsigned processor, enum machine_action action);
void machine_do(unsigned processor, enum machine_action action);

/* NULL, or what went wrong in the last action. */
const char *machine_violation(void);

/* Two processors about to access the same watched bytes, one of them writing: NULL or a sentence. */
const char *machine_race(void);

/*
 * A word that only one processor ever accesses is private: its accesses are no steps, since nobody can tell
 * when they happen. Which words are private is found out by trying: each is until another processor comes to
 * it. Whatever was explored before that has to be explored again: machine_learned() tells whether there was
 * such a word since the last call. machine_forget() makes all private again.
 */
bool machine_learned(void);
void machine_forget(void);

size_t machine_size(void); /* of a snapshot of the state that it is in */
void machine_save(unsigned char *snapshot);
void machine_restore(const unsigned char *snapshot);
uint64_t machine_hash(void);

/* Print each action as it is done. */
void machine_print(bool on);

#endif
