/*
 * CC-Synch: a queue of critical sections, which one of the waiting tasks carries out for the others (Fatourou and
 * Kallimanis, "Revisiting the Combining Synchronization Technique", PPoPP 2012). The first task in the queue
 * combines: it runs its own section and those behind it, CCSYNCH_HELP in all, and lets the next one combine. Each
 * task waits until its own section has been run.
 *
 * Each user brings a node and leaves with another one, the one that stood before it in the queue. So all nodes must
 * stay in place as long as any task uses the lock.
 *
 *     node: UNANSWERED --the combiner has run its section--> DONE
 *           UNANSWERED --the combiner stops before it--> COMBINE
 *
 * | operation        | progress                               | takes effect           |
 * |------------------|----------------------------------------|------------------------|
 * | ccsynch_lock_run | first in, first out; the combiner runs | when the combiner runs |
 * |                  | at most CCSYNCH_HELP sections          | the section            |
 */
#ifndef SYNC_BASELINE_CCSYNCH_LOCK_H
#define SYNC_BASELINE_CCSYNCH_LOCK_H

#include "sync/baseline/answer.h"

#define CCSYNCH_HELP 64

struct ccsynch_node {
	HEDDLE_ATOMIC(struct ccsynch_node *) next; /* NULL: no task has come for this node yet */
	struct answer answer;
	void (*section)(void *argument);
	void *argument;
} __attribute__((aligned(64)));

struct ccsynch_lock {
	HEDDLE_ATOMIC(struct ccsynch_node *) newest;
};

/* Make the lock, with a node for the queue's end. Before its first use. */
void ccsynch_lock_create(struct ccsynch_lock *lock, struct ccsynch_node *node);

/* Run section(argument), alone, here or in another task, uncooperatively; returns when it was run. *mine is the
 * caller's node; the call replaces it by another. HEDDLE_OK. */
HEDDLE_MAY_SWITCH enum heddle_error ccsynch_lock_run(struct ccsynch_lock *lock, struct ccsynch_node **mine,
                                                     void (*section)(void *argument), void *argument);

#endif
