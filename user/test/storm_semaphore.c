/*
 * Turns of the storm: taking and returning some permits of a semaphore.
 */
#include "heddle/semaphore.h"
#include "user/test/storm.h"

#define PERMITS 5

static struct semaphore semaphore;
static _Atomic uint64_t taken;

static bool prepare(void)
{
	semaphore = (struct semaphore)HEDDLE_SEMAPHORE_INITIALIZER(PERMITS);
	taken = 0;
	return true;
}

static enum heddle_error release_uncooperatively(uint32_t count)
{
	enum heddle_error (*volatile release)(struct semaphore *, uint32_t) = semaphore_release;
	uncooperative_begin();
	enum heddle_error error = release(&semaphore, count);
	uncooperative_end();
	return error;
}

static void give_back(struct storm_task *self, uint32_t count)
{
	enum heddle_error error = HEDDLE_NO_MEMORY;
	atomic_fetch_sub_explicit(&taken, count, memory_order_relaxed);
	if (storm_draw(self, 4) == 0)
		STORM_GIVES(error = release_uncooperatively(count),
		            STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY));
	if (error != HEDDLE_OK)
		STORM_OK(STORM_CALL(self, semaphore_release(&semaphore, count)));
}

static void turn(struct storm_task *self)
{
	uint32_t count = 1 + storm_draw(self, PERMITS);
	uint64_t deadline = storm_deadline(self);
	enum heddle_error error;
	if (storm_draw(self, 4) == 0)
		STORM_GIVES(error = semaphore_try_acquire(&semaphore, count),
		            STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_BUSY));
	else
		STORM_GIVES(error = STORM_CALL(self, semaphore_acquire_until(&semaphore, count, deadline)),
		            storm_waits(deadline));
	if (error != HEDDLE_OK)
		return;
	STORM_CHECK(atomic_fetch_add_explicit(&taken, count, memory_order_relaxed) + count <= PERMITS);
	storm_dawdle(self);
	if (count > 1 && storm_draw(self, 2)) {
		give_back(self, 1);
		count--;
		storm_dawdle(self);
	}
	give_back(self, count);
}

static void finish(void)
{
	STORM_CHECK(semaphore_permits(&semaphore) == PERMITS);
	STORM_OK(semaphore_destroy(&semaphore));
}

const struct storm_kind storm_semaphore = {
    .name = "semaphore", .weight = 4, .prepare = prepare, .turn = turn, .finish = finish};
