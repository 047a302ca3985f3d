/*
 * Instructions that a processor need not have as it says. Only once the processor has its interrupt table: what is not
 * there faults.
 */
#ifndef ARCH_BARE_ATTEMPT_H
#define ARCH_BARE_ATTEMPT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* Read or write a model-specific register. False: it is not there, or does not take the value. */
bool msr_try_read(uint32_t number, uint64_t *value);
bool msr_try_write(uint32_t number, uint64_t value);

/* Wait as idle_monitor() does until the word is something else, while it is written to. False: this processor
 * faults. */
bool monitor_try(_Atomic uint32_t *word);

#endif
