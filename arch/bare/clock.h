/*
 * Inside the clock: converting between nanoseconds and cycles of the time-stamp counter.
 */
#ifndef ARCH_BARE_CLOCK_H
#define ARCH_BARE_CLOCK_H

#include <stdint.h>

#include "arch/bare/frequency.h"

/* The running processor's time-stamp counter when arch_clock() will be `nanoseconds`. */
uint64_t clock_cycles_at(uint64_t nanoseconds);

/* Convert cycles to nanoseconds, and the reverse. */
uint64_t clock_nanoseconds(uint64_t cycles);
uint64_t clock_cycles(uint64_t nanoseconds);

/* How many counts of the APIC timer take `nanoseconds`, rounded up, at most UINT32_MAX; 0: the timer does not run. */
uint32_t clock_timer_count(uint64_t nanoseconds);

/* What is known of the counter's frequency; only once the clock runs. */
const struct frequency *clock_frequency(void);

#endif
