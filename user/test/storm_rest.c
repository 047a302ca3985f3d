/*
 * Turns of the storm: sleeping, and waiting in task_suspend() until another task resumes it.
 */
#include "user/test/storm.h"

#define SLEPT (STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_CANCELLED) | STORM_BIT(HEDDLE_NO_MEMORY))

static void sleep(struct storm_task *self)
{
	uint64_t deadline = storm_deadline(self);
	if (deadline == HEDDLE_NO_DEADLINE)
		deadline = heddle_clock() + storm_draw(self, 100000);
	if (STORM_GIVES(STORM_CALL(self, task_sleep_until(deadline)), SLEPT))
		STORM_CHECK(heddle_clock() >= deadline);
}

/* There is one resume for each time. An early one is kept, and a cancellation does not use it up. */
static void be_suspended(struct storm_task *self)
{
	enum heddle_error error;
	/* release: pairs with storm_rest_resume(). */
	atomic_store_explicit(&self->wants_resume, true, memory_order_release);
	do
		STORM_GIVES(error = STORM_CALL(self, task_suspend()),
		            STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_CANCELLED));
	while (error == HEDDLE_CANCELLED);
	STORM_CHECK(!atomic_load_explicit(&self->wants_resume, memory_order_relaxed));
}

static void resume(struct storm_task *other)
{
	if (atomic_load_explicit(&other->wants_resume, memory_order_relaxed) &&
	    atomic_exchange_explicit(&other->wants_resume, false, memory_order_acq_rel))
		task_resume(other->task);
}

void storm_rest_resume(void)
{
	for (unsigned i = 0; i < storm.workers; i++)
		resume(&storm.worker[i]);
}

static void turn(struct storm_task *self)
{
	switch (storm_draw(self, 4)) {
	case 0:
		sleep(self);
		break;
	case 1:
		be_suspended(self);
		break;
	case 2:
		task_yield();
		break;
	case 3:
		storm_rest_resume();
		break;
	}
}

const struct storm_kind storm_rest = {
    .name = "rest", .weight = 4, .turn = turn, .release = storm_rest_resume};
