/*
 * SRAT and SLIT: which processor and memory belong to which proximity domain, and how far apart domains are (ACPI
 * 6.4, sections 5.2.16 and 5.2.17).
 */
#include "kernel/acpi.h"

#define AFFINITY_ENTRIES_OFFSET 48
#define DISTANCES_OFFSET        44
#define DISTANCE_LOCAL          10

enum entry_type { ENTRY_PROCESSOR = 0, ENTRY_MEMORY = 1, ENTRY_PROCESSOR_WIDE = 2 };

#define FLAG_ENABLED      1u
#define FLAG_NON_VOLATILE 4u

static void acpi_affinity_processor_add(struct acpi_affinity *affinity, uint64_t hardware_id, uint64_t domain)
{
	if (affinity->processor_count == PROCESSORS_MAXIMUM) {
		affinity->left_out++;
		return;
	}
	unsigned i = affinity->processor_count++;
	affinity->processor[i].hardware_id = (uint32_t)hardware_id;
	affinity->processor[i].domain = (uint32_t)domain;
}

static void memory_add(struct acpi_affinity *affinity, const struct acpi_table *entry)
{
	uint64_t base = acpi_number(entry, 8, 8), length = acpi_number(entry, 16, 8),
	         flags = acpi_number(entry, 28, 4);
	if (!(flags & FLAG_ENABLED) || (flags & FLAG_NON_VOLATILE) || length == 0 || base + length < base)
		return;
	if (affinity->range_count == NODE_RANGES_MAXIMUM) {
		affinity->left_out++;
		return;
	}
	unsigned i = affinity->range_count++;
	affinity->range[i].base = base;
	affinity->range[i].length = length;
	affinity->range[i].domain = (uint32_t)acpi_number(entry, 2, 4);
}

/* Before revision 2 a domain had 8 bits, and firmware did not clear the other 24. */
static uint64_t narrow_entry_domain(const struct acpi_table *entry, unsigned revision)
{
	uint64_t low = acpi_number(entry, 2, 1);
	return revision < 2 ? low : acpi_number(entry, 9, 3) << 8 | low;
}

static void acpi_affinity_entry_parse(const struct acpi_table *entry, unsigned revision,
                                      struct acpi_affinity *affinity)
{
	static const uint8_t lengths[] = {
	    [ENTRY_PROCESSOR] = 16, [ENTRY_MEMORY] = 40, [ENTRY_PROCESSOR_WIDE] = 24};
	unsigned type = entry->bytes[0];
	if (type < sizeof(lengths) && entry->length < lengths[type]) {
		affinity->damaged++;
		return;
	}
	switch (type) {
	case ENTRY_PROCESSOR:
		if (acpi_number(entry, 4, 4) & FLAG_ENABLED)
			acpi_affinity_processor_add(affinity, acpi_number(entry, 3, 1),
			                            narrow_entry_domain(entry, revision));
		break;
	case ENTRY_PROCESSOR_WIDE:
		if (acpi_number(entry, 12, 4) & FLAG_ENABLED)
			acpi_affinity_processor_add(affinity, acpi_number(entry, 8, 4), acpi_number(entry, 4, 4));
		break;
	case ENTRY_MEMORY:
		memory_add(affinity, entry);
		break;
	}
}

const char *acpi_affinity_parse(const struct acpi_table *table, struct acpi_affinity *affinity)
{
	if (table->length < AFFINITY_ENTRIES_OFFSET)
		return "is too short";
	affinity->processor_count = affinity->range_count = affinity->left_out = affinity->damaged = 0;

	struct acpi_table entry;
	size_t offset = AFFINITY_ENTRIES_OFFSET;
	while (acpi_entry_next(table, &offset, &entry))
		acpi_affinity_entry_parse(&entry, (unsigned)acpi_number(table, 8, 1), affinity);
	if (offset != table->length)
		affinity->damaged++;
	return NULL;
}

const char *acpi_distances_parse(const struct acpi_table *table, struct acpi_distances *distances)
{
	if (table->length < DISTANCES_OFFSET)
		return "is too short";
	uint64_t count = acpi_number(table, 36, 8);
	/* The first comparison keeps the square from overflowing. */
	if (count == 0 || count > table->length || count * count > table->length - DISTANCES_OFFSET)
		return "is too short for its number of domains";

	const uint8_t *matrix = table->bytes + DISTANCES_OFFSET;
	for (uint64_t from = 0; from < count; from++)
		for (uint64_t to = 0; to < count; to++) {
			uint8_t distance = matrix[from * count + to];
			if (from == to ? distance != DISTANCE_LOCAL : distance <= DISTANCE_LOCAL)
				return "has impossible distances";
		}
	*distances = (struct acpi_distances){(unsigned)count, matrix};
	return NULL;
}
