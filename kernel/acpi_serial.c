/*
 * SPCR: the serial line that the firmware uses (Serial Port Console Redirection Table, Microsoft, 1.08).
 */
#include "kernel/acpi.h"

#define LENGTH_MINIMUM 80

enum interface { INTERFACE_16550 = 0, INTERFACE_16450 = 1, INTERFACE_16550_DESCRIBED = 0x12 };
enum address_space { SPACE_MEMORY = 0, SPACE_PORTS = 1 };

/* The rates for the numbers in the table; 0: leave the rate as it is. */
static const uint32_t rates[] = {0, 0, 0, 9600, 19200, 0, 57600, 115200};

/* Bytes of one access, by its code; else by the width of a register in bits. */
static unsigned access_width(uint64_t code, uint64_t bits)
{
	if (code >= 1 && code <= 4)
		return 1u << (code - 1);
	return bits >= 8 ? (unsigned)bits / 8 : 1;
}

const char *acpi_serial_parse(const struct acpi_table *table, struct acpi_serial *serial)
{
	if (table->length < LENGTH_MINIMUM)
		return "is too short";
	uint64_t interface = acpi_number(table, 36, 1), space = acpi_number(table, 40, 1),
	         rate = acpi_number(table, 58, 1);
	if (interface != INTERFACE_16550 && interface != INTERFACE_16450 &&
	    interface != INTERFACE_16550_DESCRIBED)
		return "names a serial line that is no 16550";
	if (space != SPACE_MEMORY && space != SPACE_PORTS)
		return "puts the serial line neither into memory nor at ports";
	unsigned width = access_width(acpi_number(table, 43, 1), acpi_number(table, 41, 1));
	*serial = (struct acpi_serial){
	    .in_memory = space == SPACE_MEMORY,
	    .address = acpi_number(table, 44, 8),
	    .width = space == SPACE_MEMORY ? width : 1,
	    .spacing = space == SPACE_MEMORY ? width : 1,
	    .rate = rate < sizeof(rates) / sizeof(rates[0]) ? rates[rate] : 0,
	};
	if (serial->address == 0)
		return "gives no address";
	if (space == SPACE_PORTS && serial->address > UINT16_MAX)
		return "gives a port of an impossible number";
	if (serial->width != 1 && serial->width != 4)
		return "gives a width that no such register has";
	return NULL;
}
