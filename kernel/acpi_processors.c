/*
 * MADT: the processors and their interrupt controllers (ACPI 6.4, section 5.2.12).
 */
#include "kernel/acpi.h"

#define ENTRIES_OFFSET 44

enum entry_type {
	ENTRY_PROCESSOR = 0,
	ENTRY_ROUTER = 1,
	ENTRY_CONTROLLER_ADDRESS = 5,
	ENTRY_PROCESSOR_WIDE = 9,
};

#define FLAG_ENABLED 1u /* else the processor is absent, or may be plugged in later */

/* The table may list a processor twice, with a narrow and with a wide id. */
static void acpi_processors_processor_add(struct acpi_processors *list, uint32_t hardware_id)
{
	for (unsigned i = 0; i < list->count; i++)
		if (list->hardware_id[i] == hardware_id)
			return;
	if (list->count == PROCESSORS_MAXIMUM)
		list->left_out++;
	else
		list->hardware_id[list->count++] = hardware_id;
}

static void acpi_processors_entry_parse(const struct acpi_table *entry, struct acpi_processors *list)
{
	static const uint8_t lengths[] = {[ENTRY_PROCESSOR] = 8,
	                                  [ENTRY_ROUTER] = 12,
	                                  [ENTRY_CONTROLLER_ADDRESS] = 12,
	                                  [ENTRY_PROCESSOR_WIDE] = 16};
	unsigned type = entry->bytes[0];
	if (type < sizeof(lengths) && entry->length < lengths[type]) {
		list->damaged++;
		return;
	}
	switch (type) {
	case ENTRY_PROCESSOR:
		if ((acpi_number(entry, 4, 4) & FLAG_ENABLED) && acpi_number(entry, 3, 1) != UINT8_MAX)
			acpi_processors_processor_add(list, (uint32_t)acpi_number(entry, 3, 1));
		break;
	case ENTRY_PROCESSOR_WIDE:
		if ((acpi_number(entry, 8, 4) & FLAG_ENABLED) && acpi_number(entry, 4, 4) != UINT32_MAX)
			acpi_processors_processor_add(list, (uint32_t)acpi_number(entry, 4, 4));
		break;
	case ENTRY_ROUTER:
		if (list->router_count < ACPI_ROUTERS_MAXIMUM)
			list->router_address[list->router_count++] = acpi_number(entry, 4, 4);
		break;
	case ENTRY_CONTROLLER_ADDRESS:
		list->controller_address = acpi_number(entry, 4, 8);
		break;
	}
}

const char *acpi_processors_parse(const struct acpi_table *table, struct acpi_processors *list)
{
	if (table->length < ENTRIES_OFFSET)
		return "is too short";
	list->controller_address = acpi_number(table, 36, 4);
	list->count = list->left_out = list->damaged = list->router_count = 0;

	struct acpi_table entry;
	size_t offset = ENTRIES_OFFSET;
	while (acpi_entry_next(table, &offset, &entry))
		acpi_processors_entry_parse(&entry, list);
	if (offset != table->length)
		list->damaged++;
	return list->count == 0 ? "lists no processor" : NULL;
}
