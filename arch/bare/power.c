/*
 * Power off, by ACPI's sleep control (section 7.4.2 of its specification, 6.4).
 */
#include "arch/bare/firmware.h"
#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

#define CONTROL_ENABLED    (1u << 0) /* the operating system owns the control ports, not the firmware */
#define CONTROL_TYPE_SHIFT 10
#define CONTROL_TYPE_MASK  (7u << CONTROL_TYPE_SHIFT)
#define CONTROL_SLEEP      (1u << 13)
#define POWER_WAIT         1000000000ull /* nanoseconds */

#define REDUCED_TYPE_SHIFT 2
#define REDUCED_SLEEP      (1u << 5)
#define REDUCED_WOKEN      (1u << 7) /* cleared by writing it */

/* The main definition block or any secondary one may have the values. */
static bool types_find(const struct acpi_power *power, uint8_t types[2])
{
	struct acpi_table table;
	if (firmware_table_read(power->definition_address, "DSDT", &table) && acpi_soft_off_find(&table, types))
		return true;
	for (unsigned i = 0; firmware_table_find("SSDT", i, &table); i++)
		if (acpi_soft_off_find(&table, types))
			return true;
	return false;
}

static void control_take(const struct acpi_power *power)
{
	uint64_t deadline = arch_clock() + POWER_WAIT;
	if (power->command_port == 0 || power->enable_value == 0)
		return;
	if (port_read_16(power->control_port[0]) & CONTROL_ENABLED)
		return;
	port_write_8(power->command_port, power->enable_value);
	while (!(port_read_16(power->control_port[0]) & CONTROL_ENABLED) && arch_clock() < deadline)
		arch_pause();
}

static void sleep_write(uint16_t port, uint8_t type)
{
	if (port != 0)
		port_write_16(port, (uint16_t)((port_read_16(port) & ~CONTROL_TYPE_MASK) |
		                               (uint32_t)type << CONTROL_TYPE_SHIFT | CONTROL_SLEEP));
}

/* Returns if the machine is still on. */
static void soft_off_enter(const struct acpi_power *power, const uint8_t types[2])
{
	if (power->reduced) {
		firmware_register_write(&power->sleep_status, REDUCED_WOKEN);
		firmware_register_write(&power->sleep_control,
		                        (uint8_t)(types[0] << REDUCED_TYPE_SHIFT | REDUCED_SLEEP));
	} else {
		control_take(power);
		sleep_write(power->control_port[0], types[0]);
		sleep_write(power->control_port[1], types[1]);
	}
	uint64_t deadline = arch_clock() + POWER_WAIT;
	while (arch_clock() < deadline)
		arch_pause();
}

static bool has_control(const struct acpi_power *power)
{
	return power->reduced ? power->sleep_control.address != 0 : power->control_port[0] != 0;
}

void power_off(void)
{
	struct acpi_table table;
	struct acpi_power power;
	uint8_t types[2];
	if (firmware_table_find("FACP", 0, &table) && acpi_power_parse(&table, &power) == NULL &&
	    has_control(&power) && types_find(&power, types))
		soft_off_enter(&power, types);
	log_warning("power: the firmware's tables give no working way to switch this machine off; it is halted, "
	            "switch it off by hand");
}
