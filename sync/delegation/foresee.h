/*
 * Fetching ahead what the next sections need: the way from one section to the next bounds how many a lock carries out.
 * Messages were written on other processors, and the tasks that wait ran there, so their cache lines come from there;
 * and where the next line lies is known only when the last has come. So there are three steps, each while the holder
 * carries out a section:
 *
 *     third in the queue:  its slot
 *     second in the queue: what its task waits with, if one does, which the slot tells
 *     first in the queue:  the lines of that task and its message, which are told there
 *
 * Where no task waits, a section needs its slot alone. The holder does not look at the tail, which all delegators
 * write: the slots themselves tell. It reads what is in one only when that may be carried out; until then its delegator
 * writes it.
 */
#ifndef SYNC_DELEGATION_FORESEE_H
#define SYNC_DELEGATION_FORESEE_H

#include "sched/foresee.h"
#include "sync/delegation/delegation.h"

/* Behind a section for which no task waits. */
FORESEE_INLINE void foresee_slot(const struct qd_lock *lock)
{
	foresee((uintptr_t)qd_slot_at(lock, lock->next + 2));
}

/* What end_wait() touches, and the section. */
FORESEE_INLINE void foresee_waiting(const struct qd_waiting *waiting)
{
	foresee((uintptr_t)&waiting->task->locks.delegated);
	foresee((uintptr_t)&waiting->task->wait);
	foresee((uintptr_t)&waiting->task->ready_next);
	foresee((uintptr_t)waiting->message);
}

/* The slot behind that one, whose number is *number; NULL: it may not be carried out yet. */
static inline const struct qd_slot *qd_ready_behind(const struct qd_lock *lock, const struct qd_slot *slot,
                                                    uint64_t *number)
{
	*number += slot->slots;
	const struct qd_slot *behind = qd_slot_at(lock, *number);
	return qd_ready(behind) ? behind : NULL;
}

/* Behind any section. */
FORESEE_INLINE void foresee_sections(const struct qd_lock *lock, const struct qd_slot *slot)
{
	uint64_t number = lock->next;
	const struct qd_slot *first = qd_ready_behind(lock, slot, &number);
	if (!first)
		return;
	if (first->waiting)
		foresee_waiting(first->waiting);
	const struct qd_slot *second = qd_ready_behind(lock, first, &number);
	if (!second)
		return;
	if (second->waiting)
		foresee((uintptr_t)second->waiting);
	foresee((uintptr_t)qd_slot_at(lock, number + second->slots));
}

#endif
