/*
 * Nothing is ready anywhere: every processor has announced itself idle, has then looked everywhere once more and
 * found nothing, and none was claimed since. Then the machine stops, if scheduler_stop() was called. If it was not,
 * no task sleeps, and no source outside can submit work, it is a deadlock, which is reported.
 *
 *     busy --quiet_enter: announced, nothing found--> quiet --quiet_leave--> busy
 *     all quiet and announced, scheduler_stopping --quiet_enter of the last--> over, for good
 *
 * One word counts the processors that are past their last look, and how often one of them has left again. A processor
 * leaves before it withdraws its announcement. Suppose that all are quiet, that everything else was looked at after
 * that, and that still none has left. Then all of it held at one moment, and only a processor that runs a task could
 * make another one ready. A compare-and-exchange of that word ends the machine: a processor that leaves because a
 * deadline has come makes it fail, or sees that the machine is over and begins nothing.
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

/* This processor is announced and has found nothing. The last one to come ends the machine if it stops, and has all
 * others woken. If it is a deadlock, it reports that: each task, its state and what it waits for, with log=debug also
 * where. Then the program ends. */
void quiet_enter(void);

/* This processor is up again; before idle_withdraw(). */
void quiet_leave(void);

/* Whether the machine has ended. Called by a processor that has left: if it has not ended, it does not end until this
 * processor is quiet again. */
bool quiet_is_over(void);

void quiet_start(void);

#endif
