/*
 * Heddle polls its devices: what the firmware left switched on must not interrupt an idle processor.
 */
#ifndef ARCH_BARE_DEVICE_INTERRUPTS_H
#define ARCH_BARE_DEVICE_INTERRUPTS_H

#include "kernel/acpi.h"

/* Mask every input of the old interrupt controllers and of those that the firmware lists. Boot processor, once. */
void device_interrupts_mask(const struct acpi_processors *listed);

#endif
