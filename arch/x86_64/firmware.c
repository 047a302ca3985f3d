/*
 * Access to the firmware's tables.
 */
#include "arch/x86_64/firmware.h"
#include "arch/x86_64/machine.h"
#include "kernel/boot_information.h"
#include "kernel/console.h"

static const uint8_t *physical_read(void *owner, uint64_t address, size_t bytes)
{
	(void)owner;
	return paging_covers(address, bytes) ? (const uint8_t *)address : NULL;
}

static const struct acpi_memory physical_memory = {physical_read, NULL};
static struct acpi_root root; /* empty without tables */

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
		root = (struct acpi_root){{NULL, 0}, 0};
	}
}

bool firmware_table_find(const char *signature, unsigned instance, struct acpi_table *table)
{
	const char *error = acpi_table_find(&root, &physical_memory, signature, instance, table);
	if (error != NULL)
		log_warning("ACPI: the table %s %s; going on without it", signature, error);
	return error == NULL && table->length != 0;
}

bool firmware_table_read(uint64_t address, const char *name, struct acpi_table *table)
{
	const char *error = acpi_table_read(address, &physical_memory, table);
	if (error != NULL)
		log_warning("ACPI: the table %s %s; going on without it", name, error);
	return error == NULL;
}
