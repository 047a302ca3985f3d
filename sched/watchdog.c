#include "sched/watchdog.h"

#include "kernel/console.h"
#include "sched/attention.h"
#include "sched/idle.h"
#include "sched/scheduler.h"

#define LOOKS       4 /* within the allowed time: a report comes at most a quarter late */
#define NANOSECONDS UINT64_C(1000000000)

/* When the next look is due; UINT64_MAX: never, or a processor is looking. */
static _Atomic uint64_t due;

/* As seen at the last looks; belongs to the processor that took `due`. */
static struct {
	uint64_t progress, since;
	bool reported;
} seen[PROCESSORS_MAXIMUM];

static uint64_t limit(void)
{
	return command_line.watchdog * NANOSECONDS;
}

void watchdog_start(void)
{
	for (unsigned index = 0; index < processor_count; index++) {
		seen[index].progress = 0;
		seen[index].since = arch_clock();
		seen[index].reported = false;
	}
	attention_start();
	atomic_store_explicit(&due, command_line.watchdog ? arch_clock() + limit() / LOOKS : UINT64_MAX,
	                      memory_order_relaxed);
}

uint64_t watchdog_next(void)
{
	uint64_t own = atomic_load_explicit(&due, memory_order_relaxed), other = attention_next();
	return own < other ? own : other;
}

static void watchdog_look_at(unsigned index, uint64_t now)
{
	struct scheduler_counters *counters = &processors[index].scheduler->counters;
	/* A task that reaches its checks would switch if another were ready. */
	uint64_t progress = atomic_load_explicit(&counters->switches, memory_order_relaxed) +
	                    atomic_load_explicit(&counters->checks, memory_order_relaxed);
	if (idle_is(index) || progress != seen[index].progress) {
		seen[index].progress = progress;
		seen[index].since = now;
		seen[index].reported = false;
	} else if (now - seen[index].since >= limit() && !seen[index].reported) {
		seen[index].reported = true;
		log_warning("watchdog: processor %u has not switched for %lu s; where it is follows", index,
		            (unsigned long)((now - seen[index].since) / NANOSECONDS));
		arch_processor_examine(&processors[index]);
	}
}

static void look_at_all(void *unused)
{
	(void)unused;
	uint64_t now = arch_clock();
	attention_look(now);
	uint64_t expected = atomic_load_explicit(&due, memory_order_relaxed);
	/* due -> never; acquire: `seen`, from the store below by the last looker. */
	if (now < expected || !atomic_compare_exchange_strong_explicit(
	                          &due, &expected, UINT64_MAX, memory_order_acquire, memory_order_relaxed))
		return;
	for (unsigned index = 0; index < processor_count; index++)
		if (index != processor_current()->index)
			watchdog_look_at(index, now);
	/* never -> the next time; release: pairs with the CAS above. */
	atomic_store_explicit(&due, now + limit() / LOOKS, memory_order_release);
}

void watchdog_look(void)
{
	arch_call_on_processor_stack(look_at_all, NULL);
}
