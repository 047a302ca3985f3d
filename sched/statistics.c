#include "sched/statistics.h"

#include "kernel/console.h"
#include "kernel/format.h"
#include "sched/scheduler.h"

static uint64_t value(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static struct statistics statistics_of(unsigned index)
{
	const struct scheduler *scheduler = processors[index].scheduler;
	const struct scheduler_counters *counters = &scheduler->counters;
	return (struct statistics){.switches = scheduler_switches(scheduler),
	                           .implicit = value(&counters->implicit),
	                           .inside = value(&counters->inside),
	                           .extended = value(&counters->extended),
	                           .taken = value(&counters->taken),
	                           .wakes = value(&counters->wakes),
	                           .idle = value(&counters->idle),
	                           .idles = value(&counters->idles),
	                           .interrupts = value(&counters->interrupts),
	                           .scans = queue_scan_count(index)};
}

STACK_ENTRY(statistics_sum)
struct statistics statistics_sum(void)
{
	struct statistics sum = {0};
	for (unsigned index = 0; index < processor_count; index++) {
		struct statistics own = statistics_of(index);
		sum.switches += own.switches;
		sum.implicit += own.implicit;
		sum.inside += own.inside;
		sum.extended += own.extended;
		sum.taken += own.taken;
		sum.wakes += own.wakes;
		sum.idle += own.idle;
		sum.idles += own.idles;
		sum.interrupts += own.interrupts;
		sum.scans += own.scans;
	}
	return sum;
}

static void statistics_report_one(const char *who, const struct statistics *counted)
{
	log_info(
	    "%s: %lu switches, %lu of them implicit, %lu of these in a critical section, %lu quanta extended "
	    "in one, %lu tasks taken, %lu wake-ups sent, idle %lu times for %lu us, interrupted %lu times, %lu "
	    "hazard scans",
	    who, counted->switches, counted->implicit, counted->inside, counted->extended, counted->taken,
	    counted->wakes, counted->idles, counted->idle / 1000, counted->interrupts, counted->scans);
}

STACK_ENTRY(statistics_report)
void statistics_report(void)
{
	for (unsigned index = 0; index < processor_count; index++) {
		struct statistics own = statistics_of(index);
		char who[24];
		format_text(who, sizeof(who), "processor %u", index);
		statistics_report_one(who, &own);
		console_flush();
	}
	struct statistics all = statistics_sum();
	statistics_report_one("all processors", &all);
}
