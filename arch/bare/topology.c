/*
 * Which processors and nodes there are: what the firmware lists, and how ids are composed according to the boot
 * processor; the others report theirs when they arrive (processors.c).
 */
#include "arch/bare/apic.h"
#include "arch/bare/device_interrupts.h"
#include "arch/bare/firmware.h"
#include "arch/x86_64/decode/topology.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

static struct acpi_processors listed;
static struct acpi_affinity affinity;

static void topology_processors_list(void)
{
	struct acpi_table table;
	const char *error = "is not usable";
	if (firmware_table_find("APIC", 0, &table))
		error = acpi_processors_parse(&table, &listed);
	if (error != NULL) {
		log_warning("ACPI: the table APIC (MADT) %s; going on with one processor", error);
		listed.count = listed.router_count = listed.damaged = 0;
		listed.controller_address = 0;
	}
	if (listed.damaged != 0)
		log_warning("ACPI: the table APIC (MADT) has %u damaged entries; they are left out", listed.damaged);
	if (listed.left_out != 0)
		log_warning("%u processors more than the %u that Heddle can use; they are left out", listed.left_out,
		            PROCESSORS_MAXIMUM);
}

static bool wide_ids_listed(void)
{
	for (unsigned i = 0; i < listed.count; i++)
		if (listed.hardware_id[i] > APIC_NARROW_ID_MAXIMUM)
			return true;
	return false;
}

/* Without x2APIC nothing can be sent to a processor with a wide id. */
static void wide_ids_drop(void)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < listed.count; i++)
		if (listed.hardware_id[i] <= APIC_NARROW_ID_MAXIMUM)
			listed.hardware_id[kept++] = listed.hardware_id[i];
	if (kept < listed.count)
		log_warning(
		    "%u processors have ids above %u, for which this processor would need x2APIC; they are left out",
		    listed.count - kept, APIC_NARROW_ID_MAXIMUM);
	listed.count = kept;
}

static const struct acpi_affinity *affinity_find(void)
{
	struct acpi_table table;
	if (!firmware_table_find("SRAT", 0, &table))
		return NULL;
	const char *error = acpi_affinity_parse(&table, &affinity);
	if (error == NULL) {
		if (affinity.damaged != 0)
			log_warning("ACPI: the table SRAT has %u damaged entries; they are left out", affinity.damaged);
		return &affinity;
	}
	log_warning("ACPI: the table SRAT %s; going on with one node", error);
	return NULL;
}

static const struct acpi_distances *distances_find(struct acpi_distances *distances)
{
	struct acpi_table table;
	if (!firmware_table_find("SLIT", 0, &table))
		return NULL;
	const char *error = acpi_distances_parse(&table, distances);
	if (error == NULL)
		return distances;
	log_warning("ACPI: the table SLIT %s; taking all nodes for equally far", error);
	return NULL;
}

void arch_topology_discover(const struct boot_information *boot, struct topology *result)
{
	(void)boot;
	topology_processors_list();
	/* Mask sources before sinks: an interrupt that is on its way to the APIC when its line is masked may still come,
	 * without a vector. */
	device_interrupts_mask(&listed);
	apic_start(listed.controller_address, wide_ids_listed());
	if (!apic_is_wide())
		wide_ids_drop();

	const struct identity identity = CPUID_OF_THIS;
	const struct topology_layout layout = processor_layout(&identity);
	struct acpi_distances distances;
	const char *left_out =
	    acpi_topology_build(&listed, affinity_find(), distances_find(&distances), apic_id(), &layout, result);
	if (left_out != NULL)
		log_warning("ACPI: the table SRAT %s", left_out);
}
