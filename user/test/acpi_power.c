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

TEST(acpi, finds_the_registers_of_reset_and_sleep)
{
	struct acpi_power power;
	acpi_memory_clear();
	struct table_builder builder = table_begin("FACP", 6);
	table_add_zeros(&builder, 268 - ACPI_HEADER_SIZE);
	table_put(&builder, 116, 1, 1);
	table_put(&builder, 116 + 4, 0xcf9, 8);
	table_put(&builder, 128, 0xf, 1);
	table_put(&builder, 244 + 4, 0xfe000000, 8);
	table_put(&builder, 256 + 4, 0xfe000001, 8);
	table_end(&builder);
	struct acpi_table table = table_whole(&builder);
	CHECK(acpi_power_parse(&table, &power) == NULL);
	CHECK_EQUAL(power.reset.address, 0); /* no flag says that it is supported */
	CHECK(!power.reduced);

	table_put(&builder, 112, 1 << 10 | 1 << 20, 4);
	CHECK(acpi_power_parse(&table, &power) == NULL);
	CHECK_EQUAL(power.reset.space, ACPI_SPACE_PORTS);
	CHECK_EQUAL(power.reset.address, 0xcf9);
	CHECK_EQUAL(power.reset_value, 0xf);
	CHECK(power.reduced);
	CHECK_EQUAL(power.sleep_control.space, ACPI_SPACE_MEMORY);
	CHECK_EQUAL(power.sleep_control.address, 0xfe000000);
	CHECK_EQUAL(power.sleep_status.address, 0xfe000001);
	for (size_t length = 116; length < builder.length; length++) {
		table = table_cut(&builder, length);
		CHECK(acpi_power_parse(&table, &power) == NULL);
		CHECK(power.sleep_status.address == 0);
	}
}

static struct table_builder serial_make(unsigned interface, unsigned space, unsigned bits, unsigned width,
                                        uint64_t address)
{
	acpi_memory_clear();
	struct table_builder table = table_begin("SPCR", 2);
	table_add_zeros(&table, 80 - ACPI_HEADER_SIZE);
	table_put(&table, 36, interface, 1);
	table_put(&table, 40, space, 1);
	table_put(&table, 41, bits, 1);
	table_put(&table, 43, width, 1);
	table_put(&table, 44, address, 8);
	table_put(&table, 58, 7, 1);
	table_end(&table);
	return table;
}

TEST(acpi, finds_the_serial_line)
{
	static const struct {
		unsigned interface, space, bits, width;
		uint64_t address;
		unsigned spacing; /* 0: refused */
	} known[] = {
	    {0, 1, 8, 0, 0x2f8, 1},
	    {1, 1, 8, 1, 0x3f8, 1},
	    {0x12, 0, 32, 3, 0xfe040000, 4},
	    {0x12, 0, 32, 0, 0xfe04000, 4},
	    {0, 0, 8, 1, 0xfedc9000, 1},
	    {0, 1, 8, 1, 0x10000, 0},
	    {0, 1, 8, 1, 0, 0},
	    {3, 0, 32, 3, 0xfe040000, 0},
	    {0, 2, 8, 1, 0x3f8, 0},
	    {0, 0, 16, 2, 0xfe040000, 0},
	    {0, 0, 255, 200, 0x1000, 0},
	};
	for (unsigned i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
		struct acpi_serial serial;
		struct table_builder builder =
		    serial_make(known[i].interface, known[i].space, known[i].bits, known[i].width, known[i].address);
		struct acpi_table table = table_whole(&builder);
		CHECK_EQUAL(acpi_serial_parse(&table, &serial) == NULL, known[i].spacing != 0);
		for (size_t length = 0; length < builder.length; length++) {
			struct acpi_table cut = table_cut(&builder, length);
			CHECK(acpi_serial_parse(&cut, &serial) != NULL);
		}
		if (known[i].spacing == 0)
			continue;
		CHECK(acpi_serial_parse(&table, &serial) == NULL);
		CHECK_EQUAL(serial.in_memory, known[i].space == 0);
		CHECK_EQUAL(serial.address, known[i].address);
		CHECK_EQUAL(serial.spacing, known[i].spacing);
		CHECK_EQUAL(serial.width, known[i].spacing);
		CHECK_EQUAL(serial.rate, 115200);
	}
}

static bool soft_off(const uint8_t *code, size_t size, uint8_t types[2])
{
	acpi_memory_clear();
	struct table_builder builder = table_begin("DSDT", 2);
	for (size_t i = 0; i < size; i++)
		table_add(&builder, code[i], 1);
	table_end(&builder);
	/* However it is cut, nothing may be read beyond the end, whatever the result. */
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
	/* zero and one have their own operations; a root prefix; a length of two bytes */
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
