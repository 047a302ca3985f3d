/*
 * What all turns of the storm use: decisions, and checks.
 */
#include <string.h>

#include "kernel/console.h"
#include "user/test/storm.h"

#define STACK        ((size_t)131072)
#define DEATHS_APART UINT64_C(100000000) /* nanoseconds */
#define WRONG_LINES  10                  /* of the log */

void storm_task_begin(struct storm_task *self, unsigned number)
{
	memset(self, 0, sizeof(*self));
	self->number = number;
	self->random = (storm.seed + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ number * UINT64_C(0xd1b54a32d192ed03);
	for (unsigned i = 0; i < 4; i++)
		storm_draw(self, 1);
}

/* ----------------------------------------------------------------------------------------- decisions -- */

uint64_t storm_deadline(struct storm_task *self)
{
	switch (storm_draw(self, 8)) {
	case 0:
		return 0;
	case 1:
		return heddle_clock();
	case 2:
		return heddle_clock() + storm_draw(self, 500);
	case 3:
		return heddle_clock() + storm_draw(self, 20000);
	case 4:
		return heddle_clock() + storm_draw(self, 3000000);
	default:
		return HEDDLE_NO_DEADLINE;
	}
}

enum heddle_priority storm_priority(struct storm_task *self)
{
	return HEDDLE_PRIORITY_IDLE + (int)storm_draw(self, HEDDLE_PRIORITIES);
}

struct task_options storm_options(struct storm_task *self, const char *name)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = name;
	/* One that grows ends where there is no memory for its stack. */
	options.stack = storm.hogs ? HEDDLE_TASK_STACK_WHOLE : HEDDLE_TASK_GROWS;
	options.stack_size = options.stack == HEDDLE_TASK_STACK_GROWS ? HEDDLE_TASK_STACK_GROWTH : STACK;
	options.priority = storm_draw(self, 2) ? HEDDLE_PRIORITY_NORMAL : storm_priority(self);
	options.bound = storm_draw(self, 4) == 0;
	if (options.bound)
		options.processor = (int)storm_draw(self, heddle_processors());
	if (storm_draw(self, 4) == 0)
		options.quantum = 1 + storm_draw(self, storm_draw(self, 2) ? 10 : 100000);
	return options;
}

/* Usually for a short while. */
static void compute(struct storm_task *self)
{
	uint32_t turns = storm_draw(self, storm_draw(self, 16) ? 300 : 30000);
	for (volatile uint32_t i = 0; i < turns; i++)
		;
}

void storm_dawdle(struct storm_task *self)
{
	switch (storm_draw(self, 8)) {
	case 0:
		task_yield();
		break;
	case 1:
		STORM_CALL(self, task_sleep_until(heddle_clock() + storm_draw(self, 20000)));
		break;
	case 2:
	case 3:
		compute(self);
		break;
	case 4:
		storm_change.turn(self);
		break;
	}
}

/* The fault is on purpose, so no sanitizer may report it first. */
__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) void storm_fault(void)
{
	volatile uintptr_t address = 16;
	*(volatile uint32_t *)address = 1;
}

bool storm_may_die(void)
{
	uint64_t now = heddle_clock(), next = atomic_load_explicit(&storm.next_death, memory_order_relaxed);
	if (now < next || !atomic_compare_exchange_strong_explicit(&storm.next_death, &next, now + DEATHS_APART,
	                                                           memory_order_relaxed, memory_order_relaxed))
		return false;
	atomic_fetch_add_explicit(&storm.deaths, 1, memory_order_relaxed);
	return true;
}

/* -------------------------------------------------------------------------------------------- checks -- */

bool storm_wrong(const char *file, int line, const char *what, const char *found)
{
	struct task *task = task_current();
	if (atomic_fetch_add_explicit(&storm.wrong, 1, memory_order_relaxed) < WRONG_LINES)
		log_error("storm: %s:%d: in task %s at %p: not as promised: %s%s%s", file, line, task_name(task),
		          (void *)task, what, found ? ": " : "", found ? found : "");
	atomic_store_explicit(&storm.over, true, memory_order_relaxed);
	return false;
}

bool storm_gave(const char *file, int line, const char *call, enum heddle_error error, uint32_t allowed)
{
	if (!(allowed & STORM_BIT(error)))
		storm_wrong(file, line, call, heddle_error_text(error));
	return error == HEDDLE_OK;
}

void storm_begin(struct storm_task *self, const char *call)
{
	atomic_store_explicit(&self->since, heddle_clock(), memory_order_relaxed);
	/* release: the time; pairs with the watch. */
	atomic_store_explicit(&self->doing, call, memory_order_release);
}

enum heddle_error storm_end(struct storm_task *self, enum heddle_error error)
{
	uint64_t took = heddle_clock() - atomic_load_explicit(&self->since, memory_order_relaxed);
	uint64_t longest = atomic_load_explicit(&storm.longest, memory_order_relaxed);
	atomic_store_explicit(&self->doing, NULL, memory_order_relaxed);
	if (took > longest)
		atomic_store_explicit(&storm.longest, took, memory_order_relaxed);
	return error;
}
