/*
 * Instructions that a processor may lack although it claims to have them. Only after the processor has loaded its
 * interrupt table: a missing one faults.
 */
#ifndef ARCH_BARE_ATTEMPT_H
#define ARCH_BARE_ATTEMPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Read or write a model-specific register. False: it does not exist, or does not take the value. */
bool msr_try_read(uint32_t number, uint64_t *value);
bool msr_try_write(uint32_t number, uint64_t value);

/* Wait as idle_monitor() does until the word has changed, which a write to it achieves meanwhile. False: the
 * processor faults. */
bool monitor_try(_Atomic uint32_t *word);

#endif
