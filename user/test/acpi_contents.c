/*
 * The contents of the firmware's tables: processors, affinity, distances.
 */
#include "user/test/acpi_table.h"
#include "user/test/test.h"

static struct acpi_processors processors_found;
static struct acpi_affinity affinity;

static struct table_builder processors_begin(void)
{
	acpi_memory_clear();
	struct table_builder table = table_begin("APIC", 4);
	table_add(&table, 0xfee00000, 4);
	table_add(&table, 1, 4);
	return table;
}

static void processor_add(struct table_builder *table, uint64_t id, uint64_t flags)
{
	table_add(table, 0 | 8 << 8, 2);
	table_add(table, 7, 1);
	table_add(table, id, 1);
	table_add(table, flags, 4);
}

static void processor_add_wide(struct table_builder *table, uint64_t id, uint64_t flags)
{
	table_add(table, 9 | 16 << 8, 4);
	table_add(table, id, 4);
	table_add(table, flags, 4);
	table_add(table, 7, 4);
}

static struct table_builder processors_make(void)
{
	struct table_builder table = processors_begin();
	processor_add(&table, 0, 1);
	processor_add(&table, 16, 1);
	processor_add(&table, 17, 0);   /* absent */
	processor_add(&table, 18, 2);   /* to be plugged in later */
	processor_add(&table, 0xff, 1); /* no id */
	table_add(&table, 1 | 12 << 8, 4);
	table_add(&table, 0xfec00000, 8);
	processor_add_wide(&table, 16, 1); /* once more */
	processor_add_wide(&table, 300, 1);
	processor_add_wide(&table, 301, 2);
	processor_add_wide(&table, UINT32_MAX, 1); /* no id */
	table_add(&table, 5 | 12 << 8, 4);
	table_add(&table, 0x1fee00000, 8);
	table_add(&table, 0x7f | 2 << 8, 2); /* of an unknown type */
	table_end(&table);
	return table;
}

TEST(acpi, lists_each_usable_processor_once)
{
	struct table_builder builder = processors_make();
	struct acpi_table table = table_whole(&builder);
	CHECK(acpi_processors_parse(&table, &processors_found) == NULL);
	CHECK_EQUAL(processors_found.count, 3);
	CHECK_EQUAL(processors_found.hardware_id[0], 0);
	CHECK_EQUAL(processors_found.hardware_id[1], 16);
	CHECK_EQUAL(processors_found.hardware_id[2], 300);
	CHECK_EQUAL(processors_found.controller_address, 0x1fee00000);
	CHECK_EQUAL(processors_found.router_count, 1);
	CHECK_EQUAL(processors_found.router_address[0], 0xfec00000);
	CHECK_EQUAL(processors_found.left_out, 0);
	CHECK_EQUAL(processors_found.damaged, 0);
}

TEST(acpi, counts_processors_beyond_the_maximum)
{
	struct table_builder builder = processors_begin();
	for (unsigned id = 0; id < PROCESSORS_MAXIMUM + 7; id++)
		processor_add_wide(&builder, id, 1);
	table_end(&builder);
	struct acpi_table table = table_whole(&builder);
	CHECK(acpi_processors_parse(&table, &processors_found) == NULL);
	CHECK_EQUAL(processors_found.count, PROCESSORS_MAXIMUM);
	CHECK_EQUAL(processors_found.left_out, 7);
}

/* Whether a table that is cut there ends with a complete entry. */
static bool cut_is_between_entries(const struct table_builder *builder, size_t first_entry, size_t length)
{
	size_t end = first_entry;
	while (end < length)
		end += builder->bytes[end + 1];
	return end == length;
}

TEST(acpi, survives_every_cut_of_the_processors)
{
	struct table_builder builder = processors_make();
	for (size_t length = 0; length < builder.length; length++) {
		struct acpi_table table = table_cut(&builder, length);
		const char *error = acpi_processors_parse(&table, &processors_found);
		bool is_whole = length >= 44 && cut_is_between_entries(&builder, 44, length);
		CHECK_EQUAL(error == NULL, length >= 44 + 8); /* one processor is there */
		CHECK(error != NULL || (processors_found.count >= 1 && processors_found.count <= 3));
		CHECK(error != NULL || processors_found.damaged == !is_whole);
	}
}

TEST(acpi, keeps_no_more_routers_than_it_has_room_for)
{
	struct table_builder builder = processors_begin();
	processor_add(&builder, 0, 1);
	for (unsigned i = 0; i < ACPI_ROUTERS_MAXIMUM + 6; i++) {
		table_add(&builder, 1 | 12 << 8, 4);
		table_add(&builder, 0xfec00000 + 4096 * i, 8);
	}
	table_end(&builder);
	struct acpi_table table = table_whole(&builder);
	CHECK(acpi_processors_parse(&table, &processors_found) == NULL);
	CHECK_EQUAL(processors_found.router_count, ACPI_ROUTERS_MAXIMUM);
}

TEST(acpi, survives_every_flipped_bit_of_the_processors)
{
	struct table_builder builder = processors_make();
	for (unsigned bit = 8 * ACPI_HEADER_SIZE; bit < 8 * builder.length; bit++) {
		builder.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		struct acpi_table table = table_cut(&builder, builder.length);
		const char *error = acpi_processors_parse(&table, &processors_found);
		CHECK(error != NULL || (processors_found.count >= 1 && processors_found.count <= 7));
		builder.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

TEST(acpi, uses_what_is_good_beside_damaged_entries)
{
	/* Type and length of an entry between two good ones; it hides the second one if the length leads nowhere. */
	static const uint8_t heads[][2] = {{0, 0},  {0, 1},  {0, 7},   {9, 0},  {9, 15},
	                                   {5, 11}, {1, 11}, {0, 200}, {99, 0}, {99, 1}};
	for (unsigned i = 0; i < sizeof(heads) / sizeof(heads[0]); i++) {
		struct table_builder builder = processors_begin();
		processor_add(&builder, 0, 1);
		table_add(&builder, heads[i][0], 1);
		table_add(&builder, heads[i][1], 1);
		bool hides = heads[i][1] < 2 || heads[i][1] >= 20;
		table_add_zeros(&builder, hides ? 30 : heads[i][1] - 2u);
		processor_add(&builder, 5, 1);
		table_end(&builder);
		struct acpi_table table = table_whole(&builder);
		CHECK(acpi_processors_parse(&table, &processors_found) == NULL);
		CHECK_EQUAL(processors_found.count, hides ? 1 : 2);
		CHECK_EQUAL(processors_found.hardware_id[processors_found.count - 1], hides ? 0 : 5);
		CHECK_EQUAL(processors_found.damaged, 1);
	}
}

TEST(acpi, rejects_a_machine_without_processors)
{
	struct table_builder builder = processors_begin();
	table_end(&builder);
	struct acpi_table table = table_whole(&builder);
	CHECK(acpi_processors_parse(&table, &processors_found) != NULL);
}

/* ------------------------------------------------------------------------------------------ affinity -- */

static struct table_builder affinity_begin(unsigned revision)
{
	acpi_memory_clear();
	struct table_builder table = table_begin("SRAT", revision);
	table_add(&table, 1, 4);
	table_add_zeros(&table, 8);
	return table;
}

static void affinity_add_processor(struct table_builder *table, unsigned id, uint32_t domain, unsigned flags)
{
	table_add(table, 0 | 16 << 8, 2);
	table_add(table, domain & 0xff, 1);
	table_add(table, id, 1);
	table_add(table, flags, 4);
	table_add(table, 0, 1);
	table_add(table, domain >> 8, 3);
	table_add(table, 0, 4);
}

static void affinity_add_processor_wide(struct table_builder *table, uint32_t id, uint32_t domain,
                                        unsigned flags)
{
	table_add(table, 2 | 24 << 8, 4);
	table_add(table, domain, 4);
	table_add(table, id, 4);
	table_add(table, flags, 4);
	table_add_zeros(table, 8);
}

static void affinity_add_memory(struct table_builder *table, uint64_t base, uint64_t length, uint32_t domain,
                                unsigned flags)
{
	table_add(table, 1 | 40 << 8, 2);
	table_add(table, domain, 4);
	table_add_zeros(table, 2);
	table_add(table, base, 8);
	table_add(table, length, 8);
	table_add_zeros(table, 4);
	table_add(table, flags, 4);
	table_add_zeros(table, 8);
}

static struct table_builder affinity_make(unsigned revision)
{
	struct table_builder table = affinity_begin(revision);
	affinity_add_processor(&table, 5, 0xabcdef01, 1);
	affinity_add_processor(&table, 6, 1, 0); /* absent */
	affinity_add_processor_wide(&table, 700, 3, 1);
	affinity_add_memory(&table, 0x100000, 0x200000, 1, 1);
	affinity_add_memory(&table, 0x400000, 0x100000, 2, 0);           /* absent */
	affinity_add_memory(&table, 0x500000, 0x100000, 2, 1 | 4);       /* non-volatile */
	affinity_add_memory(&table, 0x600000, 0, 2, 1);                  /* empty */
	affinity_add_memory(&table, UINT64_MAX - 0xfff, 0x100000, 2, 1); /* wraps around */
	affinity_add_memory(&table, 0x700000, 0x100000, 3, 1 | 2);       /* removable, but still memory */
	table_end(&table);
	return table;
}

TEST(acpi, reads_the_affinity)
{
	struct table_builder builder = affinity_make(3);
	struct acpi_table table = table_whole(&builder);
	CHECK(acpi_affinity_parse(&table, &affinity) == NULL);
	CHECK_EQUAL(affinity.processor_count, 2);
	CHECK_EQUAL(affinity.processor[0].hardware_id, 5);
	CHECK_EQUAL(affinity.processor[0].domain, 0xabcdef01);
	CHECK_EQUAL(affinity.processor[1].hardware_id, 700);
	CHECK_EQUAL(affinity.processor[1].domain, 3);
	CHECK_EQUAL(affinity.range_count, 2);
	CHECK_EQUAL(affinity.range[0].base, 0x100000);
	CHECK_EQUAL(affinity.range[0].length, 0x200000);
	CHECK_EQUAL(affinity.range[0].domain, 1);
	CHECK_EQUAL(affinity.range[1].domain, 3);

	builder = affinity_make(1); /* its domains have 8 bits */
	table = table_whole(&builder);
	CHECK(acpi_affinity_parse(&table, &affinity) == NULL);
	CHECK_EQUAL(affinity.processor[0].domain, 1);
}

TEST(acpi, survives_every_cut_of_the_affinity)
{
	struct table_builder builder = affinity_make(3);
	for (size_t length = 0; length < builder.length; length++) {
		struct acpi_table table = table_cut(&builder, length);
		const char *error = acpi_affinity_parse(&table, &affinity);
		bool is_whole = length >= 48 && cut_is_between_entries(&builder, 48, length);
		CHECK_EQUAL(error == NULL, length >= 48);
		CHECK(error != NULL || affinity.damaged == !is_whole);
		CHECK(error != NULL || (affinity.processor_count <= 2 && affinity.range_count <= 2));
	}
}

TEST(acpi, counts_affinity_beyond_the_maximum)
{
	struct table_builder builder = affinity_begin(3);
	for (unsigned id = 0; id < PROCESSORS_MAXIMUM + 5; id++)
		affinity_add_processor_wide(&builder, id, 0, 1);
	table_end(&builder);
	struct acpi_table table = table_whole(&builder);
	CHECK(acpi_affinity_parse(&table, &affinity) == NULL);
	CHECK_EQUAL(affinity.processor_count, PROCESSORS_MAXIMUM);
	CHECK_EQUAL(affinity.left_out, 5);

	builder = affinity_begin(3);
	for (unsigned i = 0; i < NODE_RANGES_MAXIMUM + 4; i++)
		affinity_add_memory(&builder, (uint64_t)i << 20, 1 << 20, 0, 1);
	table_end(&builder);
	table = table_whole(&builder);
	CHECK(acpi_affinity_parse(&table, &affinity) == NULL);
	CHECK_EQUAL(affinity.range_count, NODE_RANGES_MAXIMUM);
	CHECK_EQUAL(affinity.left_out, 4);
}

TEST(acpi, survives_every_flipped_bit_of_the_affinity)
{
	struct table_builder builder = affinity_make(3);
	for (unsigned bit = 8 * ACPI_HEADER_SIZE; bit < 8 * builder.length; bit++) {
		builder.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
		struct acpi_table table = table_cut(&builder, builder.length);
		const char *error = acpi_affinity_parse(&table, &affinity);
		CHECK(error != NULL || (affinity.processor_count <= 4 && affinity.range_count <= 4));
		builder.bytes[bit / 8] ^= (uint8_t)(1u << bit % 8);
	}
}

/* ----------------------------------------------------------------------------------------- distances -- */

static struct table_builder distances_make(uint64_t count, const uint8_t *matrix, size_t size)
{
	acpi_memory_clear();
	struct table_builder table = table_begin("SLIT", 1);
	table_add(&table, count, 8);
	for (size_t i = 0; i < size; i++)
		table_add(&table, matrix[i], 1);
	table_end(&table);
	return table;
}

TEST(acpi, reads_the_distances)
{
	static const uint8_t matrix[] = {10, 21, 255, 22, 10, 11, 33, 12, 10};
	struct acpi_distances distances;
	struct table_builder builder = distances_make(3, matrix, sizeof(matrix));
	struct acpi_table table = table_whole(&builder);
	CHECK(acpi_distances_parse(&table, &distances) == NULL);
	CHECK_EQUAL(distances.count, 3);
	CHECK_EQUAL(distances.matrix[1 * 3 + 2], 11);
	for (size_t length = 0; length < builder.length; length++) {
		table = table_cut(&builder, length);
		CHECK(acpi_distances_parse(&table, &distances) != NULL);
	}
}

TEST(acpi, rejects_impossible_distances)
{
	static const uint8_t bad[][4] = {{11, 20, 20, 10}, {10, 20, 20, 9}, {10, 10, 20, 10}, {10, 20, 0, 10}};
	static const uint64_t counts[] = {0, 3, 1ull << 32, 1ull << 63, UINT64_MAX, 0x100000001};
	static const uint8_t few[] = {10, 20, 20, 20}; /* a valid beginning of a larger matrix */
	struct acpi_distances distances;
	for (unsigned i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct table_builder builder = distances_make(2, bad[i], sizeof(bad[i]));
		struct acpi_table table = table_whole(&builder);
		CHECK(acpi_distances_parse(&table, &distances) != NULL);
	}
	for (unsigned i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
		struct table_builder builder = distances_make(counts[i], few, sizeof(few));
		struct acpi_table table = table_cut(&builder, builder.length);
		CHECK(acpi_distances_parse(&table, &distances) != NULL);
	}
}
