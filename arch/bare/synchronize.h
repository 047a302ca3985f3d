/*
 * One time on all processors: each time-stamp counter is compared with the boot processor's, and corrected if it
 * differs.
 *
 * First, all processors that come up check at the same time whether any of them sees a time in the future. Only if
 * one does are they compared in pairs: the boot processor asks, the other answers, through two words:
 *
 *     question: n - 1 --the boot processor; the lowest bits say what it wants--> n
 *     answer:   n - 1 --the other processor, after it has seen question n and read its counter--> n
 *
 * The counter in the answer was read between the question and the sight of the answer: the comparison is exact to
 * half of that time. The shortest of many decides.
 */
#ifndef ARCH_BARE_SYNCHRONIZE_H
#define ARCH_BARE_SYNCHRONIZE_H

#include <stdint.h>

#include "kernel/processor.h"

/* Compare this processor's counter with those of all processors that call this at the same time; the boot processor
 * does so while it waits for the others. Any processor, wait-free. */
void synchronize_look(void);

/* On a processor that was woken while it waits for its release: answer the boot processor if it asks this one.
 * Bounded. */
void synchronize_answer(const struct processor *self);

/* On the boot processor, once all others wait for their release: correct counters, if one was seen that needs it. A
 * counter is moved if its processor can do that; else its block gets an offset (struct processor, clock_offset).
 * waiting(i) is the block that processor i uses meanwhile. Bounded. */
void synchronize_all(struct processor *(*waiting)(unsigned index));

/* By how many nanoseconds times taken on different processors may be wrong, as far as was seen. */
uint64_t synchronize_error(void);

/* How counters were corrected, for the log. */
const char *synchronize_means(void);

#endif
