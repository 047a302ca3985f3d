/*
 * Nothing ready anywhere: every processor has announced itself idle, has then looked everywhere once more and
 * found nothing, and nobody has claimed one since. Then the machine stops, if scheduler_stop() was called; or,
 * if nobody sleeps and no source outside can hand in work, it is a deadlock, which is reported.
 *
 *     busy --quiet_enter: announced, nothing found--> quiet --quiet_leave--> busy
 *     all quiet and announced, scheduler_stopping --quiet_enter of the last--> over, for good
 *
 * One word counts processors past their last look, and how often one has left them again. A processor leaves
 * before it withdraws its announcement. So when all are quiet, all else was looked at after that, and still
 * nobody has left, then all of it held at one moment, and only a processor that runs a task could make
 * another ready. The machine is over by a compare-and-exchange of that word: whoever leaves, because a
 * deadline has come, is seen by it, or sees that it is over and begins nothing any more.
 *
 * | operation     | progress  | takes effect                          |
 * |---------------|-----------|---------------------------------------|
 * | quiet_enter   | wait-free | at its fetch-add; the end: at its CAS |
 * | quiet_leave   | wait-free | at its fetch-add                      |
 * | quiet_is_over | wait-free | at its load                           |
 */
#ifndef SCHED_QUIET_H
#define SCHED_QUIET_H

#include <stdbool.h>

/* This processor is announced and found nothing. The last one to come ends the machine where that stops, and has
 * all others woken; or reports a deadlock, if it is one: each task, its state and what it waits for, with
 * log=debug also where. Then the program ends. */
void quiet_enter(void);

/* This processor is up again; before idle_withdraw(). */
void quiet_leave(void);

/* Whether the machine has ended. By a processor that has left: if not, it has not and does not until that comes
 * again. */
bool quiet_is_over(void);

void quiet_start(void);

#endif
