/*
 * What a reader-writer lock protects in tests: it detects which other tasks are inside.
 */
#ifndef USER_TEST_EXCLUSION_H
#define USER_TEST_EXCLUSION_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "heddle/task.h"

/* Only the lock protects `value`: how often it was written. */
struct exclusion {
	uint64_t value;
	_Atomic unsigned readers, writers, wrong;
};

/* With the lock held. `long_one`: let other tasks run meanwhile. */
HEDDLE_MAY_SWITCH static inline void exclusion_visit(struct exclusion *exclusion, bool writes, bool long_one)
{
	uint64_t seen = exclusion->value;
	atomic_fetch_add_explicit(writes ? &exclusion->writers : &exclusion->readers, 1, memory_order_relaxed);
	if (long_one)
		task_yield();
	unsigned readers = atomic_load_explicit(&exclusion->readers, memory_order_relaxed);
	unsigned writers = atomic_load_explicit(&exclusion->writers, memory_order_relaxed);
	if (writes)
		exclusion->value = seen + 1;
	if (writers != writes || (writes && readers) || exclusion->value != seen + writes)
		atomic_fetch_add_explicit(&exclusion->wrong, 1, memory_order_relaxed);
	atomic_fetch_sub_explicit(writes ? &exclusion->writers : &exclusion->readers, 1, memory_order_relaxed);
}

#endif
