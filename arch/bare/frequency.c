#include "arch/bare/frequency.h"

#include "arch/bare/counter.h"
#include "arch/x86_64/decode/frequency.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

#define FREQUENCY_MINIMUM 100000000ull
#define FREQUENCY_MAXIMUM 10000000000ull
#define FREQUENCY_ASSUMED 2000000000ull
#define MEASURE_DIVISOR   32 /* of a second: 31 ms; the interval timer wraps after 55 ms */

static bool is_plausible(uint64_t hertz)
{
	return hertz >= FREQUENCY_MINIMUM && hertz <= FREQUENCY_MAXIMUM;
}

static uint64_t frequency_measure(const struct counter *counter)
{
	struct counter_mark start, end;
	uint64_t ticks = counter->frequency / MEASURE_DIVISOR;
	if (ticks == 0) {
		/* Too slow to be read in between: measure from one change to the next. */
		ticks = 1;
		if (!counter_change(counter, &start) || !counter_change(counter, &end))
			return 0;
	} else {
		start = counter_mark(counter);
		if (!counter_wait(counter, start, ticks, &end))
			return 0;
		ticks = (end.count - start.count) & counter->mask;
	}
	/* At most 2^34 (counter.c) times 10^9 (counter_find): it fits. */
	return (end.cycles - start.cycles) * counter->frequency / ticks;
}

/* The frequency by the first counter in [number, end) that gives a plausible one; 0: none does. */
static uint64_t frequency_by_counters(unsigned number, unsigned end, const char **name)
{
	for (struct counter counter; number < end; number++) {
		if (!counter_find(number, &counter))
			continue;
		uint64_t measured = frequency_measure(&counter);
		*name = counter.name;
		if (is_plausible(measured))
			return measured;
		if (measured == 0)
			log_debug("clock: %s stands still; trying another way", counter.name);
		else
			log_warning(
			    "clock: measured by %s the time-stamp counter would run at %lu Hz; trying another way",
			    counter.name, (unsigned long)measured);
	}
	return 0;
}

/* If the measurement agrees with the statement to one part in 256, the statement is more exact, unless it is
 * rounded. */
static uint64_t hertz_find(const struct frequency_statement *stated, const char **found)
{
	bool said = is_plausible(stated->hertz);
	uint64_t measured = frequency_by_counters(0, COUNTERS_FAST, found);
	if (measured != 0) {
		uint64_t difference = stated->hertz > measured ? stated->hertz - measured : measured - stated->hertz;
		if (!stated->is_exact || difference > measured / 256)
			return measured;
		*found = stated->said;
		return stated->hertz;
	}
	*found = stated->said;
	if (said && stated->is_exact)
		return stated->hertz;
	measured = frequency_by_counters(COUNTERS_FAST, COUNTERS, found);
	if (measured != 0)
		return measured;
	*found = said ? stated->said : "assumed";
	if (!said)
		log_warning("clock: no timer to measure by; times are a guess");
	return said ? stated->hertz : FREQUENCY_ASSUMED;
}

struct frequency frequency_find(void)
{
	const struct identity identity = CPUID_OF_THIS;
	const struct frequency_statement stated = frequency_stated(&identity);
	struct frequency frequency = {.is_invariant = frequency_is_invariant(&identity)};
	frequency.hertz = hertz_find(&stated, &frequency.found);
	/* Hypervisors and emulators keep the counter steady. */
	if (!frequency.is_invariant && !(cpuid(1, 0).ecx & CPUID_1_ECX_HYPERVISOR))
		log_warning("clock: this processor's time-stamp counter may change its rate, or stop, to save power: "
		            "times may "
		            "be wrong; switch power saving off in the firmware's settings");
	return frequency;
}
