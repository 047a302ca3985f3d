/*
 * The tables in which the firmware describes the machine (ACPI 6.4, chapters 5 and 17): bytes in, structures out.
 *
 * Nothing here trusts a table. Every length is checked before what it covers is read, no byte outside of the given
 * memory is read, and every loop ends because each turn uses up bytes. The good parts of a damaged table are used,
 * and the caller is told of the damage. These are pure functions of their input: they may be called at any time, and
 * the tests feed them arrays.
 *
 * A result of type `const char *` says what is wrong with the table, as the end of a sentence ("has a wrong
 * checksum"); NULL means that all is well. After an error the structure's contents are undefined.
 */
#ifndef KERNEL_ACPI_H
#define KERNEL_ACPI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/topology.h"

/* ------------------------------------------------------------------------------------ finding tables -- */

/* How to read memory: returns where `bytes` bytes at the physical address can be read, or NULL if they cannot be. */
struct acpi_memory {
	const uint8_t *(*read)(void *owner, uint64_t address, size_t bytes);
	void *owner;
};

/* A table, or an entry of one. length 0: there is none. */
struct acpi_table {
	const uint8_t *bytes;
	size_t length;
	bool sum_is_wrong; /* good tables have that, too: firmware is careless */
};

#define ACPI_HEADER_SIZE   36
#define ACPI_TABLE_MAXIMUM ((size_t)16 << 20) /* a longer table counts as damaged */

/* The list of all tables: XSDT, or RSDT where there is no good XSDT. A list with a wrong checksum is better than
 * none. */
struct acpi_root {
	struct acpi_table list;
	unsigned entry_size; /* bytes of an address: 8 or 4 */
	bool sum_is_wrong;   /* of the root pointer itself */
};

/* Start from the root pointer that the boot loader gave, which has `size` readable bytes. */
const char *acpi_root_find(const void *pointer, size_t size, const struct acpi_memory *memory,
                           struct acpi_root *root);

/* The table at an address. */
const char *acpi_table_read(uint64_t address, const struct acpi_memory *memory, struct acpi_table *table);

/* Table number `instance` (from 0) with this signature of four letters. NULL with table->length 0: there is no such
 * table. */
const char *acpi_table_find(const struct acpi_root *root, const struct acpi_memory *memory,
                            const char *signature, unsigned instance, struct acpi_table *table);

/* A little-endian number of 1 to 8 bytes; 0 where the table is too short. */
uint64_t acpi_number(const struct acpi_table *table, size_t offset, size_t bytes);

/* The entry at *offset, by its type and length; *offset then moves past it. False at the end, where *offset equals
 * the table's length, and at a damaged entry, where it does not. */
bool acpi_entry_next(const struct acpi_table *table, size_t *offset, struct acpi_table *entry);

/* ----------------------------------------------------------------------------------- what is in them -- */

#define ACPI_ROUTERS_MAXIMUM 64

/* MADT: the processors that may be started, each listed once, and the interrupt controllers. */
struct acpi_processors {
	uint64_t controller_address; /* of each processor's own interrupt controller */
	unsigned count;
	unsigned left_out; /* usable, but more than PROCESSORS_MAXIMUM */
	unsigned damaged;  /* entries of an impossible length; the list ends where that hides the next entry */
	uint32_t hardware_id[PROCESSORS_MAXIMUM];
	unsigned router_count; /* controllers that take the devices' interrupts */
	uint64_t router_address[ACPI_ROUTERS_MAXIMUM];
};
const char *acpi_processors_parse(const struct acpi_table *table, struct acpi_processors *list);

/* SRAT: which processor and which memory belongs to which proximity domain. */
struct acpi_affinity {
	unsigned processor_count;
	struct {
		uint32_t hardware_id, domain;
	} processor[PROCESSORS_MAXIMUM];
	unsigned range_count;
	struct {
		uint64_t base, length;
		uint32_t domain;
	} range[NODE_RANGES_MAXIMUM];
	unsigned left_out; /* entries that found no room */
	unsigned damaged;  /* as above */
};
const char *acpi_affinity_parse(const struct acpi_table *table, struct acpi_affinity *affinity);

/* SLIT: how far the domains are apart, a square matrix inside the table. */
struct acpi_distances {
	unsigned count;
	const uint8_t *matrix;
};
const char *acpi_distances_parse(const struct acpi_table *table, struct acpi_distances *distances);

/* HPET: where the event timer's registers are. */
const char *acpi_event_timer_parse(const struct acpi_table *table, uint64_t *address);

/* A register that the firmware describes, of 8 bits. */
enum acpi_space { ACPI_SPACE_MEMORY = 0, ACPI_SPACE_PORTS = 1, ACPI_SPACE_PCI = 2 };
struct acpi_register {
	uint8_t space;    /* enum acpi_space; other values occur as well */
	uint64_t address; /* 0: none; on PCI: device, function, offset, 16 bits each, from bit 32 down */
};

/* FADT: the ports for power and the power management timer; 0: there is none. */
struct acpi_power {
	struct acpi_register reset; /* writing reset_value there restarts the machine */
	uint8_t reset_value;
	bool reduced; /* the next two registers replace the control ports */
	struct acpi_register sleep_control, sleep_status;
	uint16_t control_port[2]; /* PM1a and PM1b control */
	uint16_t timer_port;
	bool timer_wide;       /* it has 32 bits, not 24 */
	uint16_t command_port; /* takes enable_value if the firmware still owns the control ports */
	uint8_t enable_value;
	uint64_t definition_address; /* of the DSDT */
};
const char *acpi_power_parse(const struct acpi_table *table, struct acpi_power *power);

/* SPCR: the serial line that the firmware uses, if it is one like a 16550. */
struct acpi_serial {
	bool in_memory; /* else at ports */
	uint64_t address;
	unsigned spacing, width; /* bytes from one register to the next, and of an access */
	unsigned rate;           /* bits a second; 0: leave it unchanged */
};
const char *acpi_serial_parse(const struct acpi_table *table, struct acpi_serial *serial);

/* The values for "off" (the package \_S5_) in a DSDT or SSDT. False: they are not there. */
bool acpi_soft_off_find(const struct acpi_table *table, uint8_t types[2]);

/* -------------------------------------------------------------------------------------- all together -- */

/* Make a topology: the running processor becomes entry 0, domains become dense nodes in ascending order. Without
 * `affinity` (NULL) there is one node; without `distances` every other node is equally far. Returns NULL, or what had
 * to be left out. */
const char *acpi_topology_build(const struct acpi_processors *list, const struct acpi_affinity *affinity,
                                const struct acpi_distances *distances, uint32_t running_hardware_id,
                                const struct topology_layout *layout, struct topology *result);

#endif
