/*
 * The clock's inside: converting between nanoseconds and cycles of the time-stamp counter, and checking that
 * counter between processors.
 */
#ifndef ARCH_X86_64_CLOCK_H
#define ARCH_X86_64_CLOCK_H

#include <stdint.h>

/* What the time-stamp counter will be when arch_clock() is `nanoseconds`. */
uint64_t clock_cycles_at(uint64_t nanoseconds);

/* Counts of the APIC timer that take `nanoseconds`, rounded up, at most UINT32_MAX; 0: the timer does not
 * run. */
uint32_t clock_timer_count(uint64_t nanoseconds);

/* Compare this processor's counter with those of all processors that call this at the same time; the boot
 * processor does so while it waits for others. Any processor, wait-free. */
void clock_skew_check(void);

/* The largest difference that was seen, in nanoseconds; 0: nobody ever saw a time of the future. */
uint64_t clock_skew(void);

#endif
