/*
 * FADT, HPET and the soft-off values: the firmware's timers and how to turn the power off or start again (ACPI 6.4,
 * sections 4.8.3.6, 4.8.3.7, 5.2.9, 7.4.2 and 20.2; HPET specification 1.0a, section 3.2.4).
 */
#include "kernel/acpi.h"

#define POWER_LENGTH_MINIMUM       116 /* of revision 1 */
#define EVENT_TIMER_LENGTH_MINIMUM 56

#define FLAG_TIMER_WIDE (1u << 8)
#define FLAG_RESET      (1u << 10)
#define FLAG_REDUCED    (1u << 20)

/* A port is given twice: as a 32-bit number and, since revision 2, as a structure that names the address space. The
 * structure counts unless it is empty. */
static uint16_t port_read(const struct acpi_table *table, size_t offset, size_t structure_offset)
{
	uint64_t port = acpi_number(table, offset, 4), structure = acpi_number(table, structure_offset + 4, 8);
	if (structure != 0)
		port = acpi_number(table, structure_offset, 1) == ACPI_SPACE_PORTS ? structure : 0;
	return port <= UINT16_MAX ? (uint16_t)port : 0;
}

static struct acpi_register acpi_power_register_read(const struct acpi_table *table, size_t offset)
{
	return (struct acpi_register){(uint8_t)acpi_number(table, offset, 1), acpi_number(table, offset + 4, 8)};
}

const char *acpi_power_parse(const struct acpi_table *table, struct acpi_power *power)
{
	if (table->length < POWER_LENGTH_MINIMUM)
		return "is too short";
	uint64_t definition = acpi_number(table, 140, 8), command_port = acpi_number(table, 48, 4),
	         flags = acpi_number(table, 112, 4);
	*power = (struct acpi_power){
	    .control_port = {port_read(table, 64, 172), port_read(table, 68, 184)},
	    .timer_port = port_read(table, 76, 208),
	    .timer_wide = (flags & FLAG_TIMER_WIDE) != 0,
	    .command_port = command_port <= UINT16_MAX ? (uint16_t)command_port : 0,
	    .enable_value = (uint8_t)acpi_number(table, 52, 1),
	    .definition_address = definition != 0 ? definition : acpi_number(table, 40, 4),
	    .reduced = (flags & FLAG_REDUCED) != 0,
	    .sleep_control = acpi_power_register_read(table, 244),
	    .sleep_status = acpi_power_register_read(table, 256),
	};
	if (flags & FLAG_RESET) {
		power->reset = acpi_power_register_read(table, 116);
		power->reset_value = (uint8_t)acpi_number(table, 128, 1);
	}
	return NULL;
}

const char *acpi_event_timer_parse(const struct acpi_table *table, uint64_t *address)
{
	if (table->length < EVENT_TIMER_LENGTH_MINIMUM)
		return "is too short";
	if (acpi_number(table, 40, 1) != ACPI_SPACE_MEMORY)
		return "does not put the timer's registers into memory";
	*address = acpi_number(table, 44, 8);
	return *address == 0 ? "gives no address" : NULL;
}

/* A constant of the table's byte code; *offset moves past it. False: it is something else, or does not fit. */
static bool constant_read(const struct acpi_table *table, size_t *offset, uint8_t *value)
{
	enum { ZERO = 0x00, ONE = 0x01, BYTE = 0x0a, WORD = 0x0b, DOUBLE_WORD = 0x0c };
	if (*offset >= table->length)
		return false;
	uint8_t operation = table->bytes[(*offset)++];
	if (operation == ZERO || operation == ONE) {
		*value = operation;
		return true;
	}
	if (operation != BYTE && operation != WORD && operation != DOUBLE_WORD)
		return false;
	size_t bytes = operation == BYTE ? 1 : operation == WORD ? 2 : 4;
	if (bytes > table->length - *offset)
		return false;
	uint64_t number = acpi_number(table, *offset, bytes);
	*offset += bytes;
	*value = (uint8_t)number;
	return number <= 7; /* the hardware's field has three bits */
}

/* Package (2 or more elements) {type a, type b, ...}: operation, length in 1 to 4 bytes, number of elements. */
static bool package_read(const struct acpi_table *table, size_t offset, uint8_t types[2])
{
	const uint8_t package = 0x12;
	if (acpi_number(table, offset, 1) != package)
		return false;
	size_t length_bytes = 1 + (acpi_number(table, offset + 1, 1) >> 6);
	if (acpi_number(table, offset + 1 + length_bytes, 1) < 2)
		return false;
	offset += 1 + length_bytes + 1;
	return constant_read(table, &offset, &types[0]) && constant_read(table, &offset, &types[1]);
}

bool acpi_soft_off_find(const struct acpi_table *table, uint8_t types[2])
{
	const uint32_t name = '_' | 'S' << 8 | '5' << 16 | '_' << 24;
	for (size_t offset = ACPI_HEADER_SIZE; offset + 4 <= table->length; offset++)
		if (acpi_number(table, offset, 4) == name && package_read(table, offset + 4, types))
			return true;
	return false;
}
