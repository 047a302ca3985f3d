/*
 * Deadlines on processors that do not come to the scheduler: of the processors that have nothing to do one
 * watches the others', and has a processor interrupted (arch_processor_interrupt()) whose earliest deadline has
 * passed TIMER_LATE ago and is still there. So a busy processor has no part in it but to say, in a word of its
 * own, `watched`, what its earliest deadline is; and no other idle processor wakes up for it.
 *
 *     nobody watches --timer_watch: one that is about to halt--> it does
 *     it does --timer_watch_busy: it has found a task, and another is woken to watch--> nobody watches
 *
 * Whoever watches says until when it halts, and then reads what is watched; whoever has an earlier deadline
 * stores that, and then reads until when. All four are sequentially consistent, so one of the two sees the other:
 * then the watcher, or an idle processor where nobody watches, is woken. It is the same with who watches: one
 * that comes to halt has announced itself before it finds that another does, and that one looks for idle
 * processors after it has given the watch up.
 *
 * | operation        | progress  | takes effect                       |
 * |------------------|-----------|------------------------------------|
 * | timer_watch_set  | lock-free | at its exchange, or store          |
 * | timer_watch_busy | lock-free | at the exchange of who watches     |
 * | timer_watch      | wait-free | at its CAS; then deadline by       |
 * |                  |           | deadline                           |
 */
#ifndef SCHED_TIMER_WATCH_H
#define SCHED_TIMER_WATCH_H

#include "sched/scheduler.h"

/* The earliest deadline of this processor, which runs a task, has become another; UINT64_MAX: none is to be
 * watched. */
void timer_watch_set(struct scheduler *scheduler, uint64_t deadline);

/* Before a processor that had nothing to do runs a task, with its earliest deadline. */
void timer_watch_busy(struct scheduler *scheduler, uint64_t deadline);

/* Before a processor halts, announced: interrupt those whose deadline has long passed, unless another does that.
 * Returns when to look again; UINT64_MAX: not at all. */
uint64_t timer_watch(struct scheduler *scheduler);

void timer_watch_start(void);

#endif
