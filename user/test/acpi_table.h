/*
 * Hand-built firmware tables for the tests, in a small memory that starts at the address ACPI_MEMORY_BASE.
 */
#ifndef USER_TEST_ACPI_TABLE_H
#define USER_TEST_ACPI_TABLE_H

#include "kernel/acpi.h"

#define ACPI_MEMORY_BASE 0x10000u
#define ACPI_MEMORY_SIZE 32768u

/* A table under construction; `bytes` is all its space. */
struct table_builder {
	uint8_t *bytes;
	size_t length;
};

/* The memory, empty; everything built before is gone. */
void acpi_memory_clear(void);
extern const struct acpi_memory acpi_memory;

/* Begin a table with its header; there is room for as many bytes as the memory has left. */
struct table_builder table_begin(const char *signature, unsigned revision);
void table_add(struct table_builder *table, uint64_t number, unsigned bytes);
void table_put(struct table_builder *table, size_t offset, uint64_t number, unsigned bytes);
void table_add_zeros(struct table_builder *table, size_t bytes);

/* Write length and checksum. Returns the table's address. */
uint64_t table_end(struct table_builder *table);

/* Correct the checksum after a change of the bytes. */
void table_sum(uint8_t *bytes, size_t length, size_t place);

struct acpi_table table_whole(const struct table_builder *table);

/* The first `length` bytes of a table, placed at the end of an array, so that AddressSanitizer notices a read beyond
 * them. The next call destroys it. length is at most 2048. */
struct acpi_table table_cut(const struct table_builder *table, size_t length);

#endif
