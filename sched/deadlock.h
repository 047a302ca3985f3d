/*
 * Nothing ready and nobody to wake anybody: every processor has announced itself idle, has then looked
 * everywhere once more and found nothing, nobody has claimed one since, nobody sleeps, and no source outside
 * can hand in work.
 *
 * `quiet` counts processors past their last look, and how often one has left them again. A processor leaves
 * before it withdraws its announcement. So when all are quiet, all else was looked at after that, and still
 * nobody has left, then all of it held at one moment, and only a processor that runs a task could make
 * another ready.
 */
#ifndef SCHED_DEADLOCK_H
#define SCHED_DEADLOCK_H

/* This processor is announced and found nothing. The last one to come reports a deadlock, if it is one: each
 * task, its state and what it waits for, with log=debug also where. Then the machine ends. */
void deadlock_enter_quiet(void);

/* This processor is up again; before idle_withdraw(). */
void deadlock_leave_quiet(void);

void deadlock_start(void);

#endif
