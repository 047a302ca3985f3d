/*
 * The tasks of the storm that are not workers. Hunters resume workers, and cancel every second worker, whether it
 * waits or not; they leave the rest alone, so that a lost wake-up is not repaired. The hog takes all memory and frees
 * it.
 */
#include "user/test/hoard.h"
#include "user/test/storm.h"

#define HUNTERS    2
#define HOG        HUNTERS /* its number */
#define HUNT_PAUSE 300000  /* nanoseconds, at most */
#define HOG_HOLDS  500000
#define HOG_PAUSE  5000000

static struct storm_task others[HUNTERS + 1];
static unsigned count;

/* Without memory for the wait it polls the clock. */
static void pause(struct storm_task *self, uint64_t nanoseconds)
{
	uint64_t end = heddle_clock() + storm_draw(self, (uint32_t)nanoseconds);
	while (heddle_clock() < end)
		if (STORM_CALL(self, task_sleep_until(end)) == HEDDLE_NO_MEMORY)
			task_yield();
}

static intptr_t hunt(void *argument)
{
	struct storm_task *self = argument;
	/* acquire: the worker has ended, and our call does not make it ready. */
	while (atomic_load_explicit(&storm.working, memory_order_acquire) > 0) {
		unsigned number = storm_draw(self, storm.workers);
		storm_rest_resume();
		STORM_OK(task_cancel(storm.worker[number & ~1u].task));
		atomic_fetch_add_explicit(&storm.cancels, 1, memory_order_relaxed);
		if (storm_draw(self, 4) == 0)
			pause(self, HUNT_PAUSE);
	}
	return 0;
}

static intptr_t hog(void *argument)
{
	struct storm_task *self = argument;
	while (!atomic_load_explicit(&storm.over, memory_order_relaxed)) {
		struct hoard hoard;
		hoard_fill(&hoard);
		pause(self, HOG_HOLDS);
		hoard_empty(&hoard);
		STORM_CHECK(hoard.damaged == 0);
		atomic_fetch_add_explicit(&storm.shortages, 1, memory_order_relaxed);
		pause(self, HOG_PAUSE);
	}
	return 0;
}

bool storm_hunters_begin(void)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.stack = HEDDLE_TASK_STACK_WHOLE;
	options.priority = HEDDLE_PRIORITY_HIGH;
	unsigned wanted = storm.hogs ? HUNTERS + 1 : HUNTERS;
	for (count = 0; count < wanted; count++) {
		struct storm_task *self = &others[count];
		storm_task_begin(self, STORM_WORKERS_MAXIMUM + count);
		options.name = count == HOG ? "hog" : "hunter";
		if (task_create(&self->task, count == HOG ? hog : hunt, self, &options) != HEDDLE_OK)
			return false;
	}
	return true;
}

void storm_hunters_end(void)
{
	for (unsigned i = 0; i < count; i++)
		STORM_OK(task_join(others[i].task, NULL));
}
