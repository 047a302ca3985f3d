#include "sched/spared.h"

#include "sched/scheduler.h"

#define SPARED_SHORT 300   /* ns a task: to take it takes longer */
#define SPARED_TIME  50000 /* ns */

void spared_take(struct scheduler *scheduler, struct scheduler *owner, uint64_t count)
{
	scheduler->haul = (struct haul){owner, arch_clock(), count};
}

static void spare(struct scheduler *owner, uint64_t until)
{
	atomic_store_explicit(&owner->spared_until, until, memory_order_relaxed);
}

void spared_judge(struct scheduler *scheduler)
{
	struct haul haul = scheduler->haul;
	scheduler->haul.owner = NULL;
	scheduler->spares = true;
	if (!haul.owner)
		return;
	uint64_t now = arch_clock();
	if (now - haul.taken_at < SPARED_SHORT * haul.count) {
		spare(haul.owner, now + SPARED_TIME);
		spare(scheduler, now + SPARED_TIME);
	}
}

bool spared_is(const struct scheduler *scheduler, const struct scheduler *owner)
{
	if (!scheduler->spares)
		return false;
	uint64_t until = atomic_load_explicit(&owner->spared_until, memory_order_relaxed);
	return until && arch_clock() < until;
}
