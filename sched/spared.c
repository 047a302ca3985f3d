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
	const struct haul *haul = &scheduler->haul;
	uint64_t now = haul->owner ? arch_clock() : 0;
	if (haul->owner && now - haul->taken_at < SPARED_SHORT * haul->count) {
		spare(haul->owner, now + SPARED_TIME);
		spare(scheduler, now + SPARED_TIME);
	}
	scheduler->haul.owner = NULL;
	scheduler->spares = true;
}

bool spared_is(const struct scheduler *scheduler, const struct scheduler *owner)
{
	uint64_t until = atomic_load_explicit(&owner->spared_until, memory_order_relaxed);
	return scheduler->spares && until && arch_clock() < until;
}
