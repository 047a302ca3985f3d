/*
 * Which processors and nodes there are: what the firmware lists, and how this processor says that ids are
 * made up.
 */
#include "arch/x86_64/apic.h"
#include "arch/x86_64/device_interrupts.h"
#include "arch/x86_64/firmware.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

#define CPUID_LEAF_LEVELS          0x0b
#define CPUID_LEAF_LEVELS_EXTENDED 0x1f
#define CPUID_LEAF_SIZES           0x80000008
#define LEVELS_MAXIMUM             8

enum level_type { LEVEL_NONE = 0, LEVEL_THREAD = 1 };

static struct acpi_processors listed;
static struct acpi_affinity affinity;

/* Each level says by how many bits to shift an id to get that of the next level; the last is the socket. */
static bool layout_from_levels(uint32_t leaf, struct acpi_id_layout *layout)
{
	if (cpuid_maximum(0) < leaf)
		return false;
	*layout = (struct acpi_id_layout){0, 0};
	bool found = false;
	for (uint32_t level = 0; level < LEVELS_MAXIMUM; level++) {
		struct cpuid_result result = cpuid(leaf, level);
		uint32_t type = result.ecx >> 8 & 0xff, shift = result.eax & 31;
		if (type == LEVEL_NONE || result.ebx == 0)
			break;
		if (type == LEVEL_THREAD)
			layout->core_shift = shift;
		layout->socket_shift = shift;
		found = true;
	}
	return found;
}

/* Without the list of levels: how many bits of an id there are below the socket, no threads told apart. */
static struct acpi_id_layout layout_from_sizes(void)
{
	struct acpi_id_layout layout = {0, 0};
	if (cpuid_maximum(0x80000000) >= CPUID_LEAF_SIZES)
		layout.socket_shift = cpuid(CPUID_LEAF_SIZES, 0).ecx >> 12 & 15;
	uint32_t ids = cpuid(1, 0).ebx >> 16 & 0xff;
	if (layout.socket_shift == 0)
		while (1u << layout.socket_shift < ids)
			layout.socket_shift++;
	return layout;
}

static struct acpi_id_layout layout_find(void)
{
	struct acpi_id_layout layout;
	if (layout_from_levels(CPUID_LEAF_LEVELS_EXTENDED, &layout) ||
	    layout_from_levels(CPUID_LEAF_LEVELS, &layout))
		return layout;
	return layout_from_sizes();
}

static void processors_list(void)
{
	struct acpi_table table;
	const char *error = "is not usable";
	if (firmware_table_find("APIC", 0, &table))
		error = acpi_processors_parse(&table, &listed);
	if (error != NULL) {
		log_warning("ACPI: the table APIC (MADT) %s; going on with one processor", error);
		listed.count = listed.router_count = 0;
		listed.controller_address = 0;
	}
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
	if (error == NULL)
		return &affinity;
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
	firmware_start(boot);
	processors_list();
	/* Sources before sinks: an interrupt that is under way to the APIC when its line is masked may come
	 * nevertheless, with no vector. */
	device_interrupts_mask(&listed);
	apic_start(listed.controller_address, wide_ids_listed());
	if (!apic_is_wide())
		wide_ids_drop();

	struct acpi_distances distances;
	const char *left_out = acpi_topology_build(&listed, affinity_find(), distances_find(&distances),
	                                           apic_id(), layout_find(), result);
	if (left_out != NULL)
		log_warning("ACPI: the table SRAT %s", left_out);
}
