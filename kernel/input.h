/*
 * Typed bytes, until a task takes them: a ring filled from arch_input_read(). Any processor may look for bytes, one
 * at a time; one task takes them. The key control and \ does not go into the ring: it asks for a report.
 *
 *     a slot: free --input_poll--> a byte --input_take--> free
 *     `polling`: false --a processor--> true --the same--> false
 *
 * | operation  | together with          | progress  | takes effect                          |
 * |------------|------------------------|-----------|---------------------------------------|
 * | input_poll | everything             | wait-free | at the exchange; while another polls, |
 * |            |                        |           | it does nothing                       |
 * | input_take | input_poll; one a time | wait-free | at the store of `taken`               |
 */
#ifndef KERNEL_INPUT_H
#define KERNEL_INPUT_H

#include <stdbool.h>

/* Look for bytes that came in. Returns whether a report is asked for. On any processor's own stack. */
bool input_poll(void);

/* The next byte, ARCH_INPUT_NONE or ARCH_INPUT_END. */
int input_take(void);

#endif
