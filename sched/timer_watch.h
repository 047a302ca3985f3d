/*
 * Deadlines on processors that do not come to the scheduler. One of the idle processors watches the deadlines of the
 * others. If a processor's earliest deadline passed TIMER_LATE ago and is still there, it interrupts that processor
 * (arch_processor_interrupt()). A busy processor only publishes its earliest deadline, in a word of its own,
 * `watched`; and no other idle processor wakes up for it.
 *
 *     no watcher --timer_watch: a processor is about to halt--> it is the watcher
 *     a watcher --timer_watch_busy: it has found a task, and wakes another processor to watch--> no watcher
 *
 * The watcher publishes until when it halts, and then reads what is watched. A processor with an earlier deadline
 * publishes that, and then reads until when the watcher halts. All four are sequentially consistent, so one of the
 * two sees the other. Then the watcher is woken, or, if none watches, an idle processor. The watch itself changes
 * hands in the same way: a processor that is about to halt announces itself before it looks for a watcher, and a
 * watcher looks for idle processors after it has given the watch up.
 *
 * | operation        | progress  | takes effect                       |
 * |------------------|-----------|------------------------------------|
 * | timer_watch_set  | lock-free | at its exchange, or store          |
 * | timer_watch_busy | lock-free | at the exchange of the watcher     |
 * | timer_watch      | wait-free | at its CAS; then deadline by       |
 * |                  |           | deadline                           |
 */
#ifndef SCHED_TIMER_WATCH_H
#define SCHED_TIMER_WATCH_H

#include "sched/scheduler.h"

/* The earliest deadline of this processor, which runs a task, has changed; UINT64_MAX: none is to be watched. */
void timer_watch_set(struct scheduler *scheduler, uint64_t deadline);

/* Called before a processor that had nothing to do runs a task, with the processor's earliest deadline. */
void timer_watch_busy(struct scheduler *scheduler, uint64_t deadline);

/* Called before a processor halts, when it is announced: interrupt the processors whose deadline passed long ago,
 * unless another one watches. Returns when to look again; UINT64_MAX: not at all. */
uint64_t timer_watch(struct scheduler *scheduler);

void timer_watch_start(void);

#endif
