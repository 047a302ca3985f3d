/*
 * The explored machine: virtual processors with store buffers (x86-TSO) over the variables of the case.
 *
 *     processor --plain store--> its store buffer, a FIFO --drain, at any later time--> memory
 *
 * A processor runs until its next action that others can see: a load, a locked instruction, a fence. That is its
 * request. machine_step() carries out the request and lets the processor run to its next one; what happens in between
 * is private. machine_save() and machine_restore() lead back to a state on the path.
 */
#ifndef VERIFY_MACHINE_H
#define VERIFY_MACHINE_H

#include "explorer.h"

#define MACHINE_BUFFER 8

enum machine_action { MACHINE_STEP, MACHINE_DRAIN, MACHINE_ACTIONS };

/* Load the initial memory, and run all processors to their first requests. */
void machine_start(const struct explore_case *);

/* Whether the action is possible now. */
bool machine_can(unsigned processor, enum machine_action action);
void machine_do(unsigned processor, enum machine_action action);

/* NULL, or what went wrong in the last action. */
const char *machine_violation(void);

/* Two processors are about to access the same watched bytes, one of them for writing: a sentence, or NULL. */
const char *machine_race(void);

/*
 * A word that only one processor ever accesses is private: its accesses are not steps, because their time cannot be
 * observed. Words are assumed to be private until another processor accesses them. Everything explored before that
 * must be explored again: machine_learned() tells whether there was such a word since its last call. machine_forget()
 * makes all words private again.
 */
bool machine_learned(void);
void machine_forget(void);

/* The state's hash; the state must be hashed before it is saved, or another restored. */
uint64_t machine_hash(void);
/* What is not of the machine has written into its memory, unseen: the next hash compares everything. */
void machine_written(void);

/* memory.c: these bytes may have changed; any others have not. */
void memory_written(const void *address, size_t size);

/* A state on the path, to which the machine can return: by undoing what it has changed since. Saving puts it into a
 * former snapshot that is no longer needed, or (NULL) into a new one. */
struct snapshot;
struct snapshot *machine_save(struct snapshot *former);
void machine_restore(const struct snapshot *snapshot);

/* Print each action when it is done. */
void machine_print(bool on);

#endif
