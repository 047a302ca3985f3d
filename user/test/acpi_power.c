/*
 * The tables of timers and power, and the values for "off" in the firmware's byte code.
 */
#include "user/test/acpi_table.h"
#include "user/test/test.h"

static struct table_builder event_timer_make(unsigned space, uint64_t address)
{
	acpi_memory_clear();
	struct table_builder table = table_begin("HPET", 1);
	table_add(&table, 0x8086a201, 4);
	table_add(&table, space | 64 << 8, 4);
	table_add(&table, address, 8);
	table_add_zeros(&table, 4);
	table_end(&table);
	return table;
}

TEST(acpi, finds_the_event_timer)
{
	uint64_t address = 0;
	struct table_builder builder = event_timer_make(0, 0xfed00000);
	struct acpi_table table = table_whole(&builder);
	CHECK(acpi_event_timer_parse(&table, &address) == NULL);
	CHECK_EQUAL(address, 0xfed00000);
	for (size_t length = 0; length < builder.length; length++) {
		table = table_cut(&builder, length);
		CHECK(acpi_event_timer_parse(&table, &address) != NULL);
	}
	builder = event_timer_make(1, 0x400);
	table = table_whole(&builder);
	CHECK(acpi_event_timer_parse(&table, &address) != NULL);
	builder = event_timer_make(0, 0);
	table = table_whole(&builder);
	CHECK(acpi_event_timer_parse(&table, &address) != NULL);
}

static struct table_builder power_make(size_t length)
{
	acpi_memory_clear();
	struct table_builder table = table_begin("FACP", 3);
	table_add_zeros(&table, 244 - ACPI_HEADER_SIZE);
	table_put(&table, 40, 0x1000, 4);
	table_put(&table, 48, 0xb2, 4);
	table_put(&table, 52, 2, 1);
	table_put(&table, 64, 0x604, 4);
	table_put(&table, 68, 0x12345, 4); /* no port has such a number */
	table_put(&table, 76, 0x608, 4);
	table_put(&table, 112, 1 << 8, 4);
	table_put(&table, 140, 0x2000, 8);
	table_put(&table, 172, 1, 1);
	table_put(&table, 172 + 4, 0x704, 8);
	table_put(&table, 208, 0, 1); /* in memory */
	table_put(&table, 208 + 4, 0x708, 8);
	table.length = length;
	table_end(&table);
	return table;
}

TEST(acpi, finds_the_power_ports)
{
	struct acpi_power power;
	struct table_builder builder = power_make(116);
	struct acpi_table table = table_cut(&builder, builder.length);
	CHECK(acpi_power_parse(&table, &power) == NULL);
	CHECK_EQUAL(power.control_port[0], 0x604);
	CHECK_EQUAL(power.control_port[1], 0);
	CHECK_EQUAL(power.timer_port, 0x608);
	CHECK(power.timer_wide);
	CHECK_EQUAL(power.command_port, 0xb2);
	CHECK_EQUAL(power.enable_value, 2);
	CHECK_EQUAL(power.definition_address, 0x1000);

	builder = power_make(244);
	table = table_cut(&builder, builder.length);
	CHECK(acpi_power_parse(&table, &power) == NULL);
	CHECK_EQUAL(power.control_port[0], 0x704);
	CHECK_EQUAL(power.timer_port, 0);
	CHECK_EQUAL(power.definition_address, 0x2000);
	for (size_t length = 0; length < builder.length; length++) {
		table = table_cut(&builder, length);
		CHECK((acpi_power_parse(&table, &power) == NULL) == (length >= 116));
	}
}

static bool soft_off(const uint8_t *code, size_t size, uint8_t types[2])
{
	acpi_memory_clear();
	struct table_builder builder = table_begin("DSDT", 2);
	for (size_t i = 0; i < size; i++)
		table_add(&builder, code[i], 1);
	table_end(&builder);
	/* No cut may be read beyond its end, whatever comes out. */
	for (size_t length = 0; length < builder.length; length++) {
		struct acpi_table table = table_cut(&builder, length);
		acpi_soft_off_find(&table, types);
	}
	struct acpi_table table = table_cut(&builder, builder.length);
	return acpi_soft_off_find(&table, types);
}
#define SOFT_OFF(types, ...) \
	soft_off((const uint8_t[]){__VA_ARGS__}, sizeof((const uint8_t[]){__VA_ARGS__}), types)

TEST(acpi, finds_the_values_for_off)
{
	uint8_t types[2];
	/* Name (_S5_, Package (4) {5, 6, 0, 0}) after something else */
	CHECK(SOFT_OFF(types, 0xff, 8, '_', 'S', '5', '_', 0x12, 8, 4, 0x0a, 5, 0x0a, 6, 0, 0));
	CHECK_EQUAL(types[0], 5);
	CHECK_EQUAL(types[1], 6);
	/* zero and one have operations of their own; a root prefix; a length of two bytes */
	CHECK(SOFT_OFF(types, 8, '\\', '_', 'S', '5', '_', 0x12, 0x46, 0, 2, 0, 1));
	CHECK_EQUAL(types[0], 0);
	CHECK_EQUAL(types[1], 1);
	/* words and double words; a mention of the name before its definition */
	CHECK(SOFT_OFF(types, '_', 'S', '5', '_', 0x70, '_', 'S', '5', '_', 0x12, 12, 2, 0x0b, 7, 0, 0x0c, 3, 0,
	               0, 0));
	CHECK_EQUAL(types[0], 7);
	CHECK_EQUAL(types[1], 3);
}

TEST(acpi, rejects_other_values_for_off)
{
	uint8_t types[2];
	CHECK(!SOFT_OFF(types, 0));
	CHECK(!SOFT_OFF(types, '_', 'S', '5', '_'));
	CHECK(!SOFT_OFF(types, '_', 'S', '5', '_', 0x12, 8, 1, 0x0a, 5, 0x0a, 5));      /* one element only */
	CHECK(!SOFT_OFF(types, '_', 'S', '5', '_', 0x12, 8, 4, 0x0a, 8, 0x0a, 5));      /* more than three bits */
	CHECK(!SOFT_OFF(types, '_', 'S', '5', '_', 0x12, 8, 4, 0x0b, 5, 1, 0x0a, 5));   /* the same, in a word */
	CHECK(!SOFT_OFF(types, '_', 'S', '5', '_', 0x12, 8, 4, 0x0d, 'a', 0, 0x0a, 5)); /* a text */
	CHECK(!SOFT_OFF(types, '_', 'S', '5', '_', 0x12, 0xc8, 0, 0, 0));               /* ends in its length */
	CHECK(!SOFT_OFF(types, '_', 'S', '5', '_', 0x11, 8, 4, 0x0a, 5, 0x0a, 5));      /* a buffer */
	CHECK(!SOFT_OFF(types, '_', 'S', '5', '_', 0x12, 8, 4, 0x0a, 5, 0x0c, 0, 0, 0)); /* ends in a number */
}
