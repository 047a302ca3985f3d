/*
 * sched=global: one lock-free queue a priority for all processors (scheduler paper, section 4.4). A ready queue of
 * one's own is reached by the put and the take as well (ready_added.h); then these queues stay empty.
 *
 * | operation           | progress  | takes effect                                   |
 * |---------------------|-----------|------------------------------------------------|
 * | ready_global_put    | lock-free | where queue_enqueue does                       |
 * | ready_global_take   | lock-free | where queue_dequeue does; nothing: a hint      |
 * | ready_global_search | lock-free | where queue_dequeue does; nothing: queue by    |
 * |                     |           | queue                                          |
 * | ready_global_waits  | lock-free | a hint                                         |
 */
#ifndef SCHED_READY_GLOBAL_H
#define SCHED_READY_GLOBAL_H

#include <stdbool.h>
#include <stdint.h>

struct task;

/* Boot processor, before any other. */
void ready_global_create(void);

void ready_global_put(struct task *task);

/* Bit p: a task of priority p was there at some time. */
uint32_t ready_global_levels(void);

/* The oldest task of a priority; NULL: there seems to be none. */
struct task *ready_global_take(unsigned level);

/* The oldest task of the highest priority that has one; NULL: each queue was empty when it was asked. */
struct task *ready_global_search(void);

/* Whether any task seems to wait. */
bool ready_global_waits(void);

#endif
