/*
 * Finding the firmware's tables: root pointer, list of tables, single table.
 */
#include <string.h>

#include "user/test/acpi_table.h"
#include "user/test/test.h"

#define ROOT_SIZE 36

static uint8_t root_pointer[ROOT_SIZE];
static struct acpi_root root;

static void root_make(unsigned revision, uint64_t list, uint64_t wide_list)
{
	struct table_builder builder = {root_pointer, 0};
	memset(root_pointer, 0, sizeof(root_pointer));
	memcpy(root_pointer, "RSD PTR ", 8);
	table_put(&builder, 15, revision, 1);
	table_put(&builder, 16, list, 4);
	table_put(&builder, 20, ROOT_SIZE, 4);
	table_put(&builder, 24, wide_list, 8);
	table_sum(root_pointer, 20, 8);
	table_sum(root_pointer, ROOT_SIZE, 32);
}

/* Two SSDTs, of revisions 1 and 2, and lists of both kinds with them; the wide list has one more table. */
static void firmware_make(unsigned revision)
{
	acpi_memory_clear();
	struct table_builder first = table_begin("SSDT", 1), second, only, list;
	uint64_t first_address = table_end(&first);
	second = table_begin("SSDT", 2);
	table_add_zeros(&second, 100);
	uint64_t second_address = table_end(&second);
	only = table_begin("ONLY", 1);
	uint64_t only_address = table_end(&only);
	list = table_begin("RSDT", 1);
	table_add(&list, first_address, 4);
	table_add(&list, second_address, 4);
	uint64_t narrow = table_end(&list);
	list = table_begin("XSDT", 1);
	table_add(&list, first_address, 8);
	table_add(&list, second_address, 8);
	table_add(&list, only_address, 8);
	root_make(revision, narrow, table_end(&list));
}

static bool table_exists(const char *signature, unsigned instance)
{
	struct acpi_table table;
	return acpi_table_find(&root, &acpi_memory, signature, instance, &table) == NULL && table.length != 0;
}

TEST(acpi, finds_tables_in_the_wide_list)
{
	struct acpi_table table;
	firmware_make(2);
	CHECK(acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root) == NULL);
	CHECK_EQUAL(root.entry_size, 8);
	CHECK(table_exists("SSDT", 0));
	CHECK(acpi_table_find(&root, &acpi_memory, "SSDT", 1, &table) == NULL);
	CHECK_EQUAL(table.length, ACPI_HEADER_SIZE + 100);
	CHECK_EQUAL(acpi_number(&table, 8, 1), 2);
	CHECK(table_exists("ONLY", 0));
	CHECK(!table_exists("SSDT", 2));
	CHECK(!table_exists("NONE", 0));
}

TEST(acpi, finds_tables_in_the_old_list)
{
	firmware_make(0);
	CHECK(acpi_root_find(root_pointer, 20, &acpi_memory, &root) == NULL);
	CHECK_EQUAL(root.entry_size, 4);
	CHECK(table_exists("SSDT", 1));
	CHECK(!table_exists("ONLY", 0));
}

TEST(acpi, falls_back_to_the_old_list)
{
	struct acpi_table list;
	firmware_make(2);
	uint64_t address = acpi_number(&(struct acpi_table){root_pointer, ROOT_SIZE, false}, 24, 8);
	CHECK(acpi_table_read(address, &acpi_memory, &list) == NULL);
	((uint8_t *)list.bytes)[list.length - 1] ^= 1;
	CHECK(acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root) == NULL);
	CHECK_EQUAL(root.entry_size, 4);
	CHECK(!root.list.sum_is_wrong);
	root_make(2, address, address); /* the wide one with its wrong checksum, and no other */
	CHECK(acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root) == NULL);
	CHECK_EQUAL(root.entry_size, 8);
	CHECK(root.list.sum_is_wrong);
	root_make(2, 0, address);
	CHECK(acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root) == NULL);
	CHECK_EQUAL(root.entry_size, 8);
	root_make(0, address, 0); /* not an old one */
	CHECK(acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root) != NULL);
	root_make(2, 0, 0);
	CHECK(acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root) != NULL);
}

TEST(acpi, rejects_a_root_pointer_that_is_cut_short)
{
	firmware_make(2);
	for (size_t size = 0; size < 20; size++)
		CHECK(acpi_root_find(root_pointer, size, &acpi_memory, &root) != NULL);
	CHECK(acpi_root_find(NULL, 0, &acpi_memory, &root) != NULL);
	/* What is there is complete for the revision that it has room for. */
	for (size_t size = 20; size < ROOT_SIZE; size++) {
		CHECK(acpi_root_find(root_pointer, size, &acpi_memory, &root) == NULL);
		CHECK_EQUAL(root.entry_size, 4);
	}
}

TEST(acpi, survives_every_flipped_bit_of_a_root_pointer)
{
	for (unsigned bit = 0; bit < 8 * ROOT_SIZE; bit++) {
		firmware_make(2);
		root_pointer[bit / 8] ^= (uint8_t)(1u << bit % 8);
		const char *error = acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root);
		if (bit / 8 < 8)
			CHECK(error != NULL); /* not even the signature */
		else if (bit / 8 < 20)
			CHECK(error != NULL || root.sum_is_wrong);
		else
			CHECK(error == NULL && root.entry_size == 4 && !root.sum_is_wrong); /* the first part is whole */
	}
}

TEST(acpi, sees_every_flipped_bit_of_a_table)
{
	acpi_memory_clear();
	struct table_builder builder = table_begin("TEST", 1);
	table_add(&builder, 0x0123456789abcdef, 8);
	uint64_t address = table_end(&builder);
	struct acpi_table table;
	CHECK(acpi_table_read(address, &acpi_memory, &table) == NULL);
	for (unsigned bit = 0; bit < 8 * builder.length; bit++) {
		builder.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		CHECK(acpi_table_read(address, &acpi_memory, &table) != NULL || table.sum_is_wrong);
		builder.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
	CHECK(acpi_table_read(address, &acpi_memory, &table) == NULL && !table.sum_is_wrong);
}

TEST(acpi, rejects_impossible_lengths_and_places)
{
	acpi_memory_clear();
	struct table_builder builder = table_begin("TEST", 1);
	uint64_t address = table_end(&builder);
	static const uint64_t lengths[] = {
	    0, 1, ACPI_HEADER_SIZE - 1, ACPI_MEMORY_SIZE + 1, ACPI_TABLE_MAXIMUM + 1, UINT32_MAX};
	static const uint64_t places[] = {0, ACPI_MEMORY_BASE - 1, ACPI_MEMORY_BASE + ACPI_MEMORY_SIZE - 1,
	                                  UINT64_MAX - 8, UINT64_MAX};
	struct acpi_table table;
	for (unsigned i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		CHECK(acpi_table_read(places[i], &acpi_memory, &table) != NULL);
	for (unsigned i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		table_put(&builder, 4, lengths[i], 4);
		CHECK(acpi_table_read(address, &acpi_memory, &table) != NULL);
	}
}

static size_t most_read;

static const uint8_t *generous_read(void *owner, uint64_t address, size_t bytes)
{
	most_read = bytes > most_read ? bytes : most_read;
	return acpi_memory.read(owner, address, ACPI_HEADER_SIZE);
}

TEST(acpi, reads_no_table_that_is_too_long)
{
	static const struct acpi_memory generous = {generous_read, NULL};
	acpi_memory_clear();
	struct table_builder builder = table_begin("TEST", 1);
	uint64_t address = table_end(&builder);
	table_put(&builder, 4, ACPI_TABLE_MAXIMUM + 1, 4);
	struct acpi_table table;
	most_read = 0;
	CHECK(acpi_table_read(address, &generous, &table) != NULL);
	CHECK_EQUAL(most_read, ACPI_HEADER_SIZE);
}

TEST(acpi, is_not_caught_in_loops)
{
	acpi_memory_clear();
	struct table_builder list = table_begin("XSDT", 1);
	for (unsigned i = 0; i < 8; i++)
		table_add(&list, ACPI_MEMORY_BASE + (i % 2 ? 0 : i),
		          8); /* points to itself, and into its own middle */
	root_make(2, 0, table_end(&list));
	CHECK(acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root) == NULL);
	CHECK(table_exists("XSDT", 0));
	CHECK(table_exists("XSDT", 4));
	CHECK(!table_exists("XSDT", 5));
	CHECK(!table_exists("SSDT", 0));
}

TEST(acpi, rejects_a_list_with_half_an_entry)
{
	acpi_memory_clear();
	struct table_builder list = table_begin("XSDT", 1);
	table_add(&list, ACPI_MEMORY_BASE, 4);
	root_make(2, 0, table_end(&list));
	CHECK(acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root) != NULL);
	root_make(2, ACPI_MEMORY_BASE, 0); /* an XSDT where the RSDT should be */
	CHECK(acpi_root_find(root_pointer, ROOT_SIZE, &acpi_memory, &root) != NULL);
}

TEST(acpi, reads_no_number_beyond_the_end)
{
	static const uint8_t bytes[] = {1, 2, 3, 4};
	const struct acpi_table table = {bytes, sizeof(bytes), false};
	CHECK_EQUAL(acpi_number(&table, 0, 4), 0x04030201);
	CHECK_EQUAL(acpi_number(&table, 3, 1), 4);
	CHECK_EQUAL(acpi_number(&table, 1, 4), 0);
	CHECK_EQUAL(acpi_number(&table, 4, 1), 0);
	CHECK_EQUAL(acpi_number(&table, SIZE_MAX, 2), 0);
}
