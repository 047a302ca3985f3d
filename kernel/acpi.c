/*
 * Finding ACPI tables: root pointer, list of tables, table.
 */
#include "kernel/acpi.h"

#define ROOT_POINTER_SIZE      20 /* revision 0 */
#define ROOT_POINTER_SIZE_WIDE 36 /* revision 2 and later */
#define ENTRY_HEADER_SIZE      2

uint64_t acpi_number(const struct acpi_table *table, size_t offset, size_t bytes)
{
	if (offset > table->length || bytes > table->length - offset)
		return 0;
	uint64_t number = 0;
	for (size_t i = bytes; i-- > 0;)
		number = number << 8 | table->bytes[offset + i];
	return number;
}

static bool sum_is_zero(const uint8_t *bytes, size_t length)
{
	uint8_t sum = 0;
	for (size_t i = 0; i < length; i++)
		sum = (uint8_t)(sum + bytes[i]);
	return sum == 0;
}

static bool text_is(const uint8_t *bytes, const char *text)
{
	for (size_t i = 0; text[i] != 0; i++)
		if (bytes[i] != (uint8_t)text[i])
			return false;
	return true;
}

static const char *header_read(uint64_t address, const struct acpi_memory *memory, struct acpi_table *header)
{
	*header =
	    (struct acpi_table){memory->read(memory->owner, address, ACPI_HEADER_SIZE), ACPI_HEADER_SIZE, false};
	return header->bytes == NULL ? "lies where no table can be" : NULL;
}

const char *acpi_table_read(uint64_t address, const struct acpi_memory *memory, struct acpi_table *table)
{
	const char *error = header_read(address, memory, table);
	if (error != NULL)
		return error;
	size_t length = acpi_number(table, 4, 4);
	if (length < ACPI_HEADER_SIZE || length > ACPI_TABLE_MAXIMUM)
		return "gives an impossible length";
	*table = (struct acpi_table){memory->read(memory->owner, address, length), length, false};
	if (table->bytes == NULL)
		return "does not end where a table can be";
	table->sum_is_wrong = !sum_is_zero(table->bytes, length);
	return NULL;
}

static const char *list_read(uint64_t address, const struct acpi_memory *memory, const char *signature,
                             unsigned entry_size, struct acpi_root *root)
{
	const char *error = acpi_table_read(address, memory, &root->list);
	if (error != NULL)
		return error;
	if (!text_is(root->list.bytes, signature))
		return "has a wrong signature";
	if ((root->list.length - ACPI_HEADER_SIZE) % entry_size != 0)
		return "does not end with a whole entry";
	root->entry_size = entry_size;
	return NULL;
}

const char *acpi_root_find(const void *pointer, size_t size, const struct acpi_memory *memory,
                           struct acpi_root *root)
{
	struct acpi_table start = {pointer, size, false};
	if (pointer == NULL || size < ROOT_POINTER_SIZE)
		return "is missing or too short";
	if (!text_is(start.bytes, "RSD PTR "))
		return "has a wrong signature";
	root->sum_is_wrong = !sum_is_zero(start.bytes, ROOT_POINTER_SIZE);

	uint64_t wide_list = acpi_number(&start, 24, 8), list = acpi_number(&start, 16, 4);
	bool wide = acpi_number(&start, 15, 1) >= 2 && size >= ROOT_POINTER_SIZE_WIDE &&
	            sum_is_zero(start.bytes, ROOT_POINTER_SIZE_WIDE);
	struct acpi_root old = *root;
	const char *error = "names no list of tables", *wide_error = "names no wide list";
	if (wide && wide_list != 0)
		error = wide_error = list_read(wide_list, memory, "XSDT", 8, root);
	if (wide_error == NULL && !root->list.sum_is_wrong)
		return NULL;
	const char *old_error = list == 0 ? error : list_read(list, memory, "RSDT", 4, &old);
	if (old_error == NULL && (wide_error != NULL || !old.list.sum_is_wrong)) {
		*root = old;
		return NULL;
	}
	return wide_error == NULL ? NULL : old_error;
}

const char *acpi_table_find(const struct acpi_root *root, const struct acpi_memory *memory,
                            const char *signature, unsigned instance, struct acpi_table *table)
{
	for (size_t offset = ACPI_HEADER_SIZE; offset < root->list.length; offset += root->entry_size) {
		uint64_t address = acpi_number(&root->list, offset, root->entry_size);
		if (header_read(address, memory, table) != NULL || !text_is(table->bytes, signature))
			continue;
		if (instance-- == 0)
			return acpi_table_read(address, memory, table);
	}
	*table = (struct acpi_table){NULL, 0, false};
	return NULL;
}

bool acpi_entry_next(const struct acpi_table *table, size_t *offset, struct acpi_table *entry)
{
	if (*offset > table->length || table->length - *offset < ENTRY_HEADER_SIZE)
		return false;
	size_t length = table->bytes[*offset + 1];
	if (length < ENTRY_HEADER_SIZE || length > table->length - *offset)
		return false;
	*entry = (struct acpi_table){table->bytes + *offset, length, false};
	*offset += length;
	return true;
}
