/*
 * A ready queue of one's own for all processors, in a file outside the tree (writing-a-scheduler.md). sched=NAME
 * chooses it, and it then takes the place of sched=global's: ready_global.h says what its functions promise.
 *
 *     HEDDLE_READY_QUEUE(mine, mine_create, mine_put, mine_take, mine_search, mine_waits);
 *
 * To the scheduler it is sched=global, whose own queues stay empty: so that policy pays nothing for this one.
 */
#ifndef SCHED_READY_ADDED_H
#define SCHED_READY_ADDED_H

#include "kernel/registered.h"
#include "sched/scheduler.h"

struct ready_queue {
	struct registered registered;
	void (*create)(void);
	void (*put)(struct task *task);
	struct task *(*take)(unsigned level);
	struct task *(*search)(void);
	bool (*waits)(void);
};

#define HEDDLE_READY_QUEUE(identifier, ...)                                                  \
	static const struct ready_queue ready_queue_##identifier = {{#identifier}, __VA_ARGS__}; \
	static const struct registered *const ready_queue_entry_##identifier                     \
	    __attribute__((used, section("heddle_ready_queues"))) = &ready_queue_##identifier.registered

/* The one that was chosen; NULL: none. Constant after the boot. */
extern const struct ready_queue *ready_added;

/* Choose it, and make its queues. Boot processor. */
void ready_added_start(void);

/* Its functions, called on the processor's stack. */
void ready_added_put(struct task *task);
struct task *ready_added_take(unsigned level);
struct task *ready_added_search(void);
bool ready_added_waits(void);

#endif
