/*
 * Nothing ready and nobody to wake anybody: every processor has announced itself idle, has then looked
 * everywhere once more and found nothing, nobody has claimed one since, nobody sleeps, and no source outside
 * can hand in work.
 *
 * `quiet` counts processors past their last look. A processor leaves it before it withdraws its announcement;
 * so when all are quiet and all bits are set, all are past their last look at the same moment, and only a
 * processor that runs a task could make another ready.
 */
#ifndef SCHED_DEADLOCK_H
#define SCHED_DEADLOCK_H

/* This processor is announced and found nothing. The last one to come reports a deadlock, if it is one, and
 * ends the machine. */
void deadlock_enter_quiet(void);

/* This processor is up again; before idle_withdraw(). */
void deadlock_leave_quiet(void);

/* A line for every task: its state and what it waits for. */
void deadlock_report_tasks(void);

void deadlock_start(void);

#endif
