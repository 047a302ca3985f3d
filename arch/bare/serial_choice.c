/*
 * Choosing the serial port. Most PCs have none or one of those at the usual places; servers have theirs where a table
 * of the firmware (SPCR) says, or as a device on PCI.
 */
#include "arch/bare/firmware.h"
#include "arch/bare/machine.h"
#include "arch/bare/pci.h"
#include "arch/bare/serial.h"
#include "arch/x86_64/instructions.h"
#include "kernel/command_line.h"
#include "kernel/console.h"

#define USUAL_PORTS 4

static const struct {
	const char *name;
	uint16_t base;
} usual[USUAL_PORTS] = {{"COM1", 0x3f8}, {"COM2", 0x2f8}, {"COM3", 0x3e8}, {"COM4", 0x2e8}};

#define CLASS_SERIAL_PORT 0x0700u /* class and subclass */
#define BASE_IS_PORT      1u
#define BASE_PORT_BITS    0xfffcu
#define BASE_MEMORY_BITS  0xfffffff0u
#define BASE_MEMORY_WIDE  4u

/* Earlier output is repeated on this port. */
static bool use(const struct serial_port *port)
{
	const struct serial_port *before = serial_used();
	if (before != NULL && before->base == port->base && before->rate == port->rate)
		return true;
	if (!serial_use(port))
		return false;
	console_show_early_on_serial();
	return true;
}

static bool port_use(const char *name, uint64_t base, unsigned rate)
{
	return use(&(struct serial_port){.name = name, .base = base, .spacing = 1, .width = 1, .rate = rate});
}

static bool usual_use(unsigned number, unsigned rate)
{
	return port_use(usual[number].name, usual[number].base, rate);
}

/* A 64-bit address above memory may not be mapped; serial_use() finds that out. */
static bool pci_use(const struct pci_function *function)
{
	uint32_t base = pci_read(function, PCI_BASE_0);
	uint32_t command = pci_read(function, PCI_COMMAND) & PCI_COMMAND_BITS;
	struct serial_port port = {"a serial port on PCI", .spacing = 1, .width = 1, .rate = SERIAL_RATE_DEFAULT};
	if (base & BASE_IS_PORT) {
		port.base = base & BASE_PORT_BITS;
	} else {
		port.in_memory = true;
		port.base = base & BASE_MEMORY_BITS;
		if (base & BASE_MEMORY_WIDE)
			port.base |= (uint64_t)pci_read(function, PCI_BASE_0 + 4) << 32;
	}
	if (port.base == 0)
		return false;
	pci_write(function, PCI_COMMAND, command | (port.in_memory ? PCI_COMMAND_MEMORY : PCI_COMMAND_PORTS));
	return use(&port);
}

static bool any_pci_use(void)
{
	for (struct pci_function function = PCI_FIRST; pci_next(&function);)
		if (pci_read(&function, PCI_CLASS) >> 16 == CLASS_SERIAL_PORT && pci_use(&function))
			return true;
	return false;
}

static bool firmware_use(void)
{
	struct acpi_table table;
	struct acpi_serial found;
	if (!firmware_table_find("SPCR", 0, &table))
		return false;
	const char *error = acpi_serial_parse(&table, &found);
	if (error != NULL) {
		log_warning("ACPI: the table SPCR %s; looking for a serial line elsewhere", error);
		return false;
	}
	return use(&(struct serial_port){.name = "the serial line that the firmware names",
	                                 .in_memory = found.in_memory,
	                                 .base = found.address,
	                                 .spacing = found.spacing,
	                                 .width = found.width,
	                                 .rate = found.in_memory ? 0 : found.rate});
}

void serial_choose_first(void)
{
	usual_use(0, SERIAL_RATE_DEFAULT);
}

void serial_choose_wanted(void)
{
	unsigned rate = command_line.serial.rate;
	bool there = true;
	switch (command_line.serial.choice) {
	case SERIAL_OFF:
		serial_stop();
		return;
	case SERIAL_FIRST:
	case SERIAL_SECOND:
	case SERIAL_THIRD:
	case SERIAL_FOURTH:
		there = usual_use(command_line.serial.choice - SERIAL_FIRST, rate);
		break;
	case SERIAL_PORT:
		there = port_use("the serial line of the command line", command_line.serial.port, rate);
		break;
	case SERIAL_PCI:
		there = any_pci_use();
		break;
	case SERIAL_ANY:
		return;
	}
	if (!there)
		log_warning("serial=: there is no such port");
}

void serial_choose_any(void)
{
	bool found = serial_used() != NULL;
	for (unsigned number = 1; !found && number < USUAL_PORTS; number++)
		found = usual_use(number, SERIAL_RATE_DEFAULT);
	if (!found)
		any_pci_use();
}

void serial_choose_found(void)
{
	if (command_line.serial.choice == SERIAL_ANY && !firmware_use())
		serial_choose_any();
}
