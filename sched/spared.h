/*
 * Sparing processors whose tasks are short. To take tasks from another processor costs both more than a short task
 * does, and a task that waits for the end of one of these moves along with it. So a processor that was soon done with
 * what it took spares the one that had it, and itself, and for a while all others do: they take nothing that it shares
 * when they begin to look for work, and while they linger. Before a processor halts, it takes whatever there is. So a
 * task waits for another processor by no more than that longer (the word linger).
 *
 *     processor: open --what was taken from it, or by it, was soon done--> spared --SPARED_TIME--> open
 *
 * All of this only says where to look, so it is relaxed.
 *
 * | operation    | progress  | takes effect  |
 * |--------------|-----------|---------------|
 * | spared_take  | wait-free | owner only    |
 * | spared_judge | wait-free | at its stores |
 * | spared_is    | wait-free | at its load   |
 */
#ifndef SCHED_SPARED_H
#define SCHED_SPARED_H

#include <stdbool.h>
#include <stdint.h>

struct scheduler;

/* The processor has taken `count` tasks from `owner`. */
void spared_take(struct scheduler *scheduler, struct scheduler *owner, uint64_t count);

/* The processor has nothing to do: were the tasks that it took last soon done? It begins to spare others. */
void spared_judge(struct scheduler *scheduler);

/* Whether to take nothing from `owner` now. */
bool spared_is(const struct scheduler *scheduler, const struct scheduler *owner);

#endif
