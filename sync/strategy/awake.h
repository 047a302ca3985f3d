/*
 * Waiting that adapts (lock-algorithms paper, section 6): in a queue whose strategy has `adapts`, the first task
 * chooses how those behind it wait, from what the last waits have taken.
 *
 *     first (holds) | awake: they yield  ... | suspended ...          | a task that comes: spins, yields, suspended
 *                   |<------ window -------->|
 *
 * - The next `window` tasks are kept awake. Each task that becomes the first wakes the one that has come into the
 *   window. So a task is on a processor by the time of its turn, while the others leave the processors to other work.
 *   A window of 0 is the paper's suspension.
 * - The other way, the paper's yielding alone: all are awake. Only where processors have nothing to do is it tried.
 * - The way and the window are those with which the queue moves on fastest: an entry's time, from the one before (or
 *   from when the task came, if that was later), is summed up for some entries; then another window, or the other way,
 *   is tried for as many, and kept if they took less. A trial that fails makes the next one rarer; one of the other
 *   way, in proportion to what it has cost.
 * - A task that comes while there is room in the window stays awake at once. Any other spins and yields first only if
 *   waits have lately ended so; now and then one tries.
 *
 * All of it belongs to the first task, but `room`, `stages` and `all`, which those that wait look at. These are hints:
 * nothing depends on them but time. `last` is a place behind the first, all of which stay until they are the first.
 *
 *     window level: 1 (none awake), 2 (one), 3 (two), 4 (four) ... --a better trial--> one up or down
 *     any of these --a better trial--> all awake --a trial that is no worse--> the window level before
 *
 * | operation    | together with | progress                                      | takes effect                   |
 * |--------------|---------------|-----------------------------------------------|--------------------------------|
 * | awake_arrive | everything    | wait-free                                     | at the addition to `room`      |
 * | awake_enter  | awake_arrive  | wait-free: it wakes window + 1 at most, or 16 | at each handle                 |
 */
#ifndef SYNC_STRATEGY_AWAKE_H
#define SYNC_STRATEGY_AWAKE_H

#include "heddle/mcs_lock.h"
#include "sync/strategy/backoff.h"

/* By a task that has come, before others know its place: whether it stays awake; and leave out the stages that do not
 * pay. */
void awake_arrive(struct mcs_queue *queue, struct mcs_place *place, struct backoff *backoff);

/* By the task that has just become the first, and had `place`, which is about to go: what its wait tells, and who is
 * awake from now on. `arrived`: clock. */
void awake_enter(struct mcs_queue *queue, struct mcs_place *place, uint64_t arrived,
                 const struct backoff *backoff);

#endif
