#include "user/test/acpi_table.h"

#include <string.h>

#define CUT_MAXIMUM 2048

static uint8_t memory[ACPI_MEMORY_SIZE];
static uint8_t cut[CUT_MAXIMUM];
static size_t memory_used;

static const uint8_t *memory_read(void *owner, uint64_t address, size_t bytes)
{
	(void)owner;
	if (address < ACPI_MEMORY_BASE || address - ACPI_MEMORY_BASE > ACPI_MEMORY_SIZE ||
	    bytes > ACPI_MEMORY_SIZE - (address - ACPI_MEMORY_BASE))
		return NULL;
	return memory + (address - ACPI_MEMORY_BASE);
}

const struct acpi_memory acpi_memory = {memory_read, NULL};

void acpi_memory_clear(void)
{
	memset(memory, 0, sizeof(memory));
	memory_used = 0;
}

void table_put(struct table_builder *table, size_t offset, uint64_t number, unsigned bytes)
{
	for (unsigned i = 0; i < bytes; i++)
		table->bytes[offset + i] = (uint8_t)(number >> 8 * i);
}

void table_add(struct table_builder *table, uint64_t number, unsigned bytes)
{
	table_put(table, table->length, number, bytes);
	table->length += bytes;
}

void table_add_zeros(struct table_builder *table, size_t bytes)
{
	memset(table->bytes + table->length, 0, bytes);
	table->length += bytes;
}

struct table_builder table_begin(const char *signature, unsigned revision)
{
	struct table_builder table = {memory + memory_used, 0};
	memcpy(table.bytes, signature, 4);
	table.length = 4;
	table_add_zeros(&table, ACPI_HEADER_SIZE - 4);
	table_put(&table, 8, revision, 1);
	return table;
}

void table_sum(uint8_t *bytes, size_t length, size_t place)
{
	uint8_t sum = 0;
	bytes[place] = 0;
	for (size_t i = 0; i < length; i++)
		sum = (uint8_t)(sum + bytes[i]);
	bytes[place] = (uint8_t)(0 - sum);
}

uint64_t table_end(struct table_builder *table)
{
	table_put(table, 4, table->length, 4);
	table_sum(table->bytes, table->length, 9);
	memory_used = (size_t)(table->bytes - memory) + table->length;
	return ACPI_MEMORY_BASE + (uint64_t)(table->bytes - memory);
}

struct acpi_table table_whole(const struct table_builder *table)
{
	return (struct acpi_table){table->bytes, table->length, false};
}

struct acpi_table table_cut(const struct table_builder *table, size_t length)
{
	memcpy(cut + CUT_MAXIMUM - length, table->bytes, length);
	return (struct acpi_table){cut + CUT_MAXIMUM - length, length, false};
}
