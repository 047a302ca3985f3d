/*
 * One time on all processors: the time-stamp counter of each is compared with that of the boot processor, and corrected
 * where it differs.
 *
 * At first all that come up look, at the same time, whether anybody sees a time of the future. Only if one does are
 * they compared in pairs: the boot processor asks, the other answers, by two words:
 *
 *     question: n - 1 --the boot processor: what it wants is in the lowest bits--> n
 *     answer:   n - 1 --the other processor, after it has seen question n and read its counter--> n
 *
 * The counter that comes with the answer was read between the question and the sight of the answer: half of that time
 * is how far the comparison may be wrong. The shortest of many decides.
 */
#ifndef ARCH_BARE_SYNCHRONIZE_H
#define ARCH_BARE_SYNCHRONIZE_H

#include <stdint.h>

#include "kernel/processor.h"

/* Compare this processor's counter with those of all processors that call this at the same time; the boot
 * processor does so while it waits for others. Any processor, wait-free. */
void synchronize_look(void);

/* On a processor that has been woken while it waits for its release: answer the boot processor, if that asks this one.
 * Bounded. */
void synchronize_answer(const struct processor *self);

/* On the boot processor, once all others wait for their release: correct counters, if one was seen that needs it. A
 * counter is moved where its processor can do that; else its block gets an offset (struct processor, clock_offset).
 * waiting(i) gives the block that processor i has meanwhile. Bounded. */
void synchronize_all(struct processor *(*waiting)(unsigned index));

/* By how much times taken on different processors may be wrong, in nanoseconds, as far as it was seen. */
uint64_t synchronize_error(void);

/* How counters were corrected, for the log: "not at all". */
const char *synchronize_means(void);

#endif
