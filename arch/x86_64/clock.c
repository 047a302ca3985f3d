/*
 * Time: nanoseconds from the time-stamp counter, whose frequency is measured at boot.
 *
 * A fixed-point factor with 32 fractional bits turns cycles into nanoseconds: one multiplication whose
 * product of 128 bits cannot overflow, and a relative error below 10^-8.
 */
#include <stdatomic.h>

#include "arch/x86_64/apic.h"
#include "arch/x86_64/clock.h"
#include "arch/x86_64/counter.h"
#include "arch/x86_64/instructions.h"
#include "arch/x86_64/machine.h"
#include "kernel/console.h"

#define NANOSECONDS_A_SECOND  1000000000ull
#define FRACTION_BITS         32
#define FREQUENCY_MINIMUM     100000000ull
#define FREQUENCY_MAXIMUM     10000000000ull
#define FREQUENCY_ASSUMED     2000000000ull
#define MEASURE_DIVISOR       32  /* of a second: 31 ms, less than the interval timer's turn of 55 ms */
#define TIMER_MEASURE_DIVISOR 100 /* of a second */
#define TIMER_COUNTS_MAXIMUM  100000000ull /* in that time, or 10 GHz: so that products fit 64 bits */
#define SKEW_SAMPLES          64
#define CPUID_LEAF_FREQUENCY  0x15

static uint64_t frequency; /* of the time-stamp counter */
static uint64_t start_cycles;
static uint64_t nanoseconds_a_cycle, cycles_a_nanosecond; /* fixed point; 0 until the clock runs */
static uint64_t timer_frequency;                          /* of the APIC timer */

static uint64_t fixed_multiply(uint64_t value, uint64_t factor)
{
	return (uint64_t)((unsigned __int128)value * factor >> FRACTION_BITS);
}

uint64_t arch_clock(void)
{
	return fixed_multiply(arch_cycles() - start_cycles, nanoseconds_a_cycle);
}

uint64_t clock_cycles_at(uint64_t nanoseconds)
{
	return start_cycles + fixed_multiply(nanoseconds, cycles_a_nanosecond);
}

uint32_t clock_timer_count(uint64_t nanoseconds)
{
	if (timer_frequency == 0)
		return 0;
	uint64_t count = nanoseconds * timer_frequency / NANOSECONDS_A_SECOND + 1;
	return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* ----------------------------------------------------------------------------------------- frequency -- */

static bool is_plausible(uint64_t cycles_a_second)
{
	return cycles_a_second >= FREQUENCY_MINIMUM && cycles_a_second <= FREQUENCY_MAXIMUM;
}

static uint64_t frequency_measure(const struct counter *counter)
{
	struct counter_mark start = counter_mark(counter), end;
	if (!counter_wait(counter, start, counter->frequency / MEASURE_DIVISOR, &end))
		return 0;
	uint64_t ticks = (end.count - start.count) & counter->mask;
	/* At most 2^33 (counter_wait) times 10^9 (counter_find): it fits. */
	return (end.cycles - start.cycles) * counter->frequency / ticks;
}

/* What the processor says itself: crystal frequency * numerator / denominator; 0 where it does not say. */
static uint64_t frequency_stated(void)
{
	if (cpuid_maximum(0) < CPUID_LEAF_FREQUENCY)
		return 0;
	struct cpuid_result ratio = cpuid(CPUID_LEAF_FREQUENCY, 0);
	uint64_t stated = ratio.eax == 0 ? 0 : (uint64_t)ratio.ecx * ratio.ebx / ratio.eax;
	return is_plausible(stated) ? stated : 0;
}

/* A statement that a measurement bears out to one in 256 is the more exact of the two. */
static uint64_t frequency_find(const char **source)
{
	uint64_t stated = frequency_stated();
	struct counter counter;
	for (unsigned number = 0; number < COUNTERS; number++) {
		if (!counter_find(number, &counter))
			continue;
		uint64_t measured = frequency_measure(&counter);
		if (!is_plausible(measured)) {
			log_warning(
			    "clock: measured by %s the time-stamp counter would run at %lu Hz; trying another way",
			    counter.name, (unsigned long)measured);
			continue;
		}
		uint64_t difference = stated > measured ? stated - measured : measured - stated;
		bool confirmed = difference <= measured / 256;
		*source = confirmed ? "as the processor says" : counter.name;
		return confirmed ? stated : measured;
	}
	if (stated != 0) {
		*source = "as the processor says, unchecked";
		return stated;
	}
	log_warning("clock: no timer to measure by; times are a guess");
	*source = "assumed";
	return FREQUENCY_ASSUMED;
}

/* It counts down. */
static uint64_t timer_read(void)
{
	return 0 - (uint64_t)apic_timer_count();
}

static void timer_measure(void)
{
	struct counter timer = {"the APIC timer", 0, UINT32_MAX, timer_read};
	apic_timer_set(UINT32_MAX);
	struct counter_mark start = counter_mark(&timer), end;
	uint64_t wait = frequency / TIMER_MEASURE_DIVISOR;
	while (arch_cycles() - start.cycles < wait)
		arch_pause();
	end = counter_mark(&timer);
	apic_timer_set(0);
	uint64_t counts = (end.count - start.count) & timer.mask;
	if (counts == 0 || counts > TIMER_COUNTS_MAXIMUM)
		log_warning(
		    "clock: the APIC timer does not run as it should; processors that wait for a time will poll");
	else
		timer_frequency = counts * frequency / (end.cycles - start.cycles);
}

void arch_clock_start(const struct boot_information *boot)
{
	(void)boot; /* the firmware's tables were found in it by arch_topology_discover() */
	const char *source;
	frequency = frequency_find(&source);
	start_cycles = arch_cycles();
	cycles_a_nanosecond = (frequency << FRACTION_BITS) / NANOSECONDS_A_SECOND;
	nanoseconds_a_cycle = (NANOSECONDS_A_SECOND << FRACTION_BITS) / frequency;
	if (!apic_timer_has_deadline())
		timer_measure();
	log_info("clock: time-stamp counter at %lu.%03lu MHz, %s", (unsigned long)(frequency / 1000000),
	         (unsigned long)(frequency / 1000 % 1000), source);
}

/* ---------------------------------------------------------------------------------------------- skew -- */

static _Alignas(CACHE_LINE) _Atomic uint64_t latest_cycles; /* the latest that any processor has seen */
static _Alignas(CACHE_LINE) _Atomic uint64_t largest_skew;  /* in cycles */

static void maximum_update(_Atomic uint64_t *maximum, uint64_t value)
{
	uint64_t old = atomic_load_explicit(maximum, memory_order_relaxed);
	/* old -> value, while value is larger. */
	while (old < value && !atomic_compare_exchange_weak_explicit(maximum, &old, value, memory_order_relaxed,
	                                                             memory_order_relaxed))
		;
}

void clock_skew_check(void)
{
	for (unsigned i = 0; i < SKEW_SAMPLES; i++) {
		uint64_t latest = atomic_load_explicit(&latest_cycles, memory_order_relaxed);
		uint64_t now =
		    cycles_ordered(); /* after the load: another's time that is later than this is of the future */
		if (latest > now)
			maximum_update(&largest_skew, latest - now);
		maximum_update(&latest_cycles, now);
	}
}

uint64_t clock_skew(void)
{
	uint64_t cycles = atomic_load_explicit(&largest_skew, memory_order_relaxed);
	return fixed_multiply(cycles, nanoseconds_a_cycle);
}
