/*
 * Time: nanoseconds from the time-stamp counter, whose frequency is measured at boot.
 *
 * A fixed-point factor with 32 fractional bits turns cycles into nanoseconds: one multiplication, whose 128-bit
 * product cannot overflow, with a relative error below 10^-8.
 */
#include "arch/bare/apic.h"
#include "arch/bare/clock.h"
#include "arch/bare/counter.h"
#include "arch/bare/machine.h"
#include "kernel/console.h"

#define NANOSECONDS_A_SECOND  1000000000ull
#define FRACTION_BITS         32
#define TIMER_MEASURE_DIVISOR 100          /* of a second */
#define TIMER_COUNTS_MAXIMUM  100000000ull /* in that time (10 GHz), so that products fit into 64 bits */

static struct frequency frequency;                        /* of the time-stamp counter */
static uint64_t start_cycles;                             /* on the boot processor */
static uint64_t nanoseconds_a_cycle, cycles_a_nanosecond; /* fixed point; 0 until the clock runs */
static uint64_t timer_frequency;                          /* of the APIC timer */

static uint64_t fixed_multiply(uint64_t value, uint64_t factor)
{
	return (uint64_t)((unsigned __int128)value * factor >> FRACTION_BITS);
}

uint64_t arch_clock(void)
{
	/* Until it is corrected, a counter may be behind the boot processor's. */
	int64_t cycles = (int64_t)(arch_cycles() - start_cycles - processor_current()->clock_offset);
	return cycles < 0 ? 0 : fixed_multiply((uint64_t)cycles, nanoseconds_a_cycle);
}

uint64_t clock_cycles_at(uint64_t nanoseconds)
{
	return start_cycles + processor_current()->clock_offset +
	       fixed_multiply(nanoseconds, cycles_a_nanosecond);
}

uint64_t clock_nanoseconds(uint64_t cycles)
{
	return fixed_multiply(cycles, nanoseconds_a_cycle);
}

uint64_t clock_cycles(uint64_t nanoseconds)
{
	return fixed_multiply(nanoseconds, cycles_a_nanosecond);
}

uint32_t clock_timer_count(uint64_t nanoseconds)
{
	if (timer_frequency == 0)
		return 0;
	uint64_t count = nanoseconds * timer_frequency / NANOSECONDS_A_SECOND + 1;
	return count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
}

/* The timer counts down. */
static uint64_t timer_read(void)
{
	return 0 - (uint64_t)apic_timer_count();
}

static void timer_measure(void)
{
	struct counter timer = {"the APIC timer", 0, UINT32_MAX, timer_read};
	apic_timer_set(UINT32_MAX);
	struct counter_mark start = counter_mark(&timer), end;
	uint64_t wait = frequency.hertz / TIMER_MEASURE_DIVISOR;
	while (arch_cycles() - start.cycles < wait)
		arch_pause();
	end = counter_mark(&timer);
	apic_timer_set(0);
	uint64_t counts = (end.count - start.count) & timer.mask;
	if (counts == 0 || counts > TIMER_COUNTS_MAXIMUM)
		log_warning(
		    "clock: the APIC timer does not run as it should; processors that wait for a time will poll");
	else
		timer_frequency = counts * frequency.hertz / (end.cycles - start.cycles);
}

void arch_clock_start(const struct boot_information *boot)
{
	(void)boot; /* arch_topology_discover() has already found the firmware's tables in it */
	frequency = frequency_find();
	start_cycles = arch_cycles();
	cycles_a_nanosecond = (frequency.hertz << FRACTION_BITS) / NANOSECONDS_A_SECOND;
	nanoseconds_a_cycle = (NANOSECONDS_A_SECOND << FRACTION_BITS) / frequency.hertz;
	if (!apic_timer_has_deadline())
		timer_measure();
	log_info("clock: time-stamp counter at %lu.%03lu MHz, %s", (unsigned long)(frequency.hertz / 1000000),
	         (unsigned long)(frequency.hertz / 1000 % 1000), frequency.found);
}

const struct frequency *clock_frequency(void)
{
	return &frequency;
}
