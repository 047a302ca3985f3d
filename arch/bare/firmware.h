/*
 * The firmware's tables on this machine, where physical addresses can be read directly. Boot processor only.
 */
#ifndef ARCH_BARE_FIRMWARE_H
#define ARCH_BARE_FIRMWARE_H

#include "kernel/acpi.h"

struct boot_information;

/* Look for the list of tables; logs what is wrong if there is none. */
void firmware_start(const struct boot_information *boot);

/* A table by its signature. False: there is none, or it cannot be read, which is logged; a wrong checksum is logged,
 * too. */
bool firmware_table_find(const char *signature, unsigned instance, struct acpi_table *table);

/* A table that another one points to; `name` for the log. */
bool firmware_table_read(uint64_t address, const char *name, struct acpi_table *table);

/* Write to a register that the firmware describes. False: there is none, or it cannot be reached. */
bool firmware_register_write(const struct acpi_register *described, uint8_t value);

#endif
