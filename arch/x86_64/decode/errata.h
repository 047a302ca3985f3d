/*
 * Processors that do not do what they claim: from Intel's specification updates, as Linux lists them (apic.c,
 * intel.c).
 */
#ifndef ARCH_X86_64_DECODE_ERRATA_H
#define ARCH_X86_64_DECODE_ERRATA_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/x86_64/decode/identity.h"

/* Whether the APIC timer interrupts when the time-stamp counter reaches its deadline: on some processors that takes a
 * microcode update. */
bool errata_deadline_is_sound(const struct signature *signature, uint32_t microcode);

/* Whether a write to a monitored line always ends the wait. */
bool errata_monitor_is_sound(const struct signature *signature);

#endif
