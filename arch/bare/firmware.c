/*
 * Access to the firmware's tables.
 */
#include "arch/bare/firmware.h"
#include "arch/bare/machine.h"
#include "arch/bare/pci.h"
#include "arch/x86_64/instructions.h"
#include "kernel/boot_information.h"
#include "kernel/console.h"

static const uint8_t *physical_read(void *owner, uint64_t address, size_t bytes)
{
	(void)owner;
	return paging_covers(address, bytes) ? (const uint8_t *)address : NULL;
}

static const struct acpi_memory physical_memory = {physical_read, NULL};
static struct acpi_root root; /* empty without tables */

static void damage_report(const char *name, const struct acpi_table *table)
{
	if (table->sum_is_wrong)
		log_warning("ACPI: the table %s has a wrong checksum; it is used anyway", name);
}

void firmware_start(const struct boot_information *boot)
{
	if (boot->rsdp == NULL) {
		log_warning("ACPI: the boot loader (%s) gave no root pointer; going on without the firmware's tables",
		            boot->loader);
		return;
	}
	const char *error = acpi_root_find(boot->rsdp, boot->rsdp_size, &physical_memory, &root);
	if (error != NULL) {
		log_warning("ACPI: the root pointer or its list of tables %s; going on without the firmware's tables",
		            error);
		root = (struct acpi_root){{NULL, 0, false}, 0, false};
	}
	if (root.sum_is_wrong)
		log_warning("ACPI: the root pointer has a wrong checksum; it is used anyway");
	damage_report("that lists the others", &root.list);
}

bool firmware_table_find(const char *signature, unsigned instance, struct acpi_table *table)
{
	const char *error = acpi_table_find(&root, &physical_memory, signature, instance, table);
	if (error != NULL)
		log_warning("ACPI: the table %s %s; going on without it", signature, error);
	else
		damage_report(signature, table);
	return error == NULL && table->length != 0;
}

bool firmware_table_read(uint64_t address, const char *name, struct acpi_table *table)
{
	const char *error = acpi_table_read(address, &physical_memory, table);
	if (error != NULL)
		log_warning("ACPI: the table %s %s; going on without it", name, error);
	else
		damage_report(name, table);
	return error == NULL;
}

/* Configuration space is written in words of 32 bits. */
static void pci_byte_write(uint64_t address, uint8_t value)
{
	const struct pci_function function = {0, address >> 32 & 0x1f, address >> 16 & 7};
	unsigned offset = address & 0xff, shift = 8 * (offset % 4);
	uint32_t word = pci_read(&function, offset);
	pci_write(&function, offset, (word & ~((uint32_t)0xff << shift)) | (uint32_t)value << shift);
}

bool firmware_register_write(const struct acpi_register *described, uint8_t value)
{
	uint64_t address = described->address;
	if (address == 0)
		return false;
	if (described->space == ACPI_SPACE_MEMORY && paging_covers(address, 1))
		*(volatile uint8_t *)address = value;
	else if (described->space == ACPI_SPACE_PORTS && address <= UINT16_MAX)
		port_write_8((uint16_t)address, value);
	else if (described->space == ACPI_SPACE_PCI)
		pci_byte_write(address, value);
	else
		return false;
	return true;
}
