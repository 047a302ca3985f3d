#include "sched/statistics.h"

#include "kernel/console.h"
#include "kernel/format.h"
#include "sched/scheduler.h"

struct totals {
	unsigned long switches, implicit, taken, wakes, idle, idles, scans;
};

static unsigned long value(const _Atomic uint64_t *counter)
{
	return atomic_load_explicit(counter, memory_order_relaxed);
}

static void report(const char *who, const struct totals *totals)
{
	log_info("%s: %lu switches, %lu of them implicit, %lu tasks taken, %lu wake-ups sent, idle %lu times for "
	         "%lu us, %lu hazard scans",
	         who, totals->switches, totals->implicit, totals->taken, totals->wakes, totals->idles,
	         totals->idle / 1000, totals->scans);
}

void statistics_report(void)
{
	struct totals all = {0};
	for (unsigned index = 0; index < processor_count; index++) {
		const struct scheduler_counters *counters = &processors[index].scheduler->counters;
		struct totals own = {value(&counters->switches), value(&counters->implicit), value(&counters->taken),
		                     value(&counters->wakes),    value(&counters->idle),     value(&counters->idles),
		                     queue_scan_count(index)};
		char who[24];
		format_text(who, sizeof(who), "processor %u", index);
		report(who, &own);
		console_flush();
		all = (struct totals){all.switches + own.switches, all.implicit + own.implicit, all.taken + own.taken,
		                      all.wakes + own.wakes,       all.idle + own.idle,         all.idles + own.idles,
		                      all.scans + own.scans};
	}
	report("all processors", &all);
}
