/*
 * Restart: as the firmware says; else by the register that chipsets have long had; else by a fault that cannot be
 * handled.
 */
#include "arch/bare/firmware.h"
#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

#define RESET_WAIT 200000000ull /* nanoseconds */

#define PORT_RESET       0xcf9
#define RESET_OF_MACHINE 0x02 /* not of the processor alone */
#define RESET_NOW        0x06
#define RESET_BITS       0x0e

static void reset_wait(void)
{
	uint64_t deadline = arch_clock() + RESET_WAIT;
	while (arch_clock() < deadline)
		arch_pause();
}

static void by_firmware(void)
{
	struct acpi_table table;
	struct acpi_power power;
	if (!firmware_table_find("FACP", 0, &table) || acpi_power_parse(&table, &power) != NULL ||
	    power.reset.address == 0)
		return;
	log_debug("reset: by the register that the firmware names");
	if (firmware_register_write(&power.reset, power.reset_value))
		reset_wait();
}

static void by_chipset(void)
{
	log_debug("reset: by the register of the chipset");
	uint8_t others = port_read_8(PORT_RESET) & (uint8_t)~RESET_BITS;
	port_write_8(PORT_RESET, others | RESET_OF_MACHINE);
	reset_wait();
	port_write_8(PORT_RESET, others | RESET_NOW);
	reset_wait();
}

/* Without an interrupt table not even a double fault can be handled. */
static void by_fault(void)
{
	const struct {
		uint16_t limit;
		uint64_t base;
	} __attribute__((packed)) none = {0, 0};
	log_debug("reset: by a fault that cannot be handled");
	__asm__ volatile("lidt %0\n\tint3" : : "m"(none) : "memory");
}

void machine_reset(void)
{
	by_firmware();
	by_chipset();
	by_fault();
}
