#include "arch/bare/pci.h"

#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

#define PORT_ADDRESS 0xcf8
#define PORT_VALUE   0xcfc
#define ADDRESS_ON   (1u << 31)

#define BUSES     256
#define DEVICES   32
#define FUNCTIONS 8

#define VENDOR_NONE        0xffff
#define HEADER_SEVERAL_BIT (1u << 23) /* the device has further functions */

#define CLASS(word)    ((word) >> 24)
#define SUBCLASS(word) ((word) >> 16 & 0xff)
enum class {
	CLASS_DISPLAY = 0x03,
	CLASS_BRIDGE = 0x06,
	CLASS_SYSTEM = 0x08, /* interrupt controllers, units that translate devices' addresses */
	CLASS_PROCESSOR = 0x0b,
	CLASS_SERIAL_BUS = 0x0c
};
#define SUBCLASS_USB 0x03

static void select(const struct pci_function *function, unsigned offset)
{
	port_write_32(PORT_ADDRESS, ADDRESS_ON | function->bus << 16 | function->device << 11 |
	                                function->function << 8 | (offset & 0xfc));
}

uint32_t pci_read(const struct pci_function *function, unsigned offset)
{
	select(function, offset);
	return port_read_32(PORT_VALUE);
}

void pci_write(const struct pci_function *function, unsigned offset, uint32_t value)
{
	select(function, offset);
	port_write_32(PORT_VALUE, value);
}

/* The port keeps what is written to it; without PCI nothing keeps it. */
static bool pci_is_there(void)
{
	port_write_32(PORT_ADDRESS, ADDRESS_ON);
	return port_read_32(PORT_ADDRESS) == ADDRESS_ON;
}

static bool exists(const struct pci_function *function)
{
	return (pci_read(function, PCI_IDENTITY) & 0xffff) != VENDOR_NONE;
}

/* Go on to the next function that may exist; a device without function 0 has no others. False: that was the last. */
static bool pci_step(struct pci_function *at)
{
	bool first = at->function == 0;
	if (first && !(exists(at) && (pci_read(at, PCI_HEADER) & HEADER_SEVERAL_BIT)))
		at->function = FUNCTIONS - 1;
	if (++at->function < FUNCTIONS)
		return true;
	at->function = 0;
	if (++at->device < DEVICES)
		return true;
	at->device = 0;
	return ++at->bus < BUSES;
}

bool pci_next(struct pci_function *function)
{
	if (function->function == PCI_BEFORE) {
		if (!pci_is_there())
			return false;
		function->function = 0;
		if (exists(function))
			return true;
	}
	while (pci_step(function))
		if (exists(function))
			return true;
	return false;
}

static bool is_needed(uint32_t class_word)
{
	switch (CLASS(class_word)) {
	case CLASS_DISPLAY:
	case CLASS_BRIDGE:
	case CLASS_SYSTEM:
	case CLASS_PROCESSOR:
		return true;
	case CLASS_SERIAL_BUS:
		return SUBCLASS(class_word) == SUBCLASS_USB;
	}
	return false;
}

void pci_masters_stop(void)
{
	unsigned stopped = 0;
	for (struct pci_function function = PCI_FIRST; pci_next(&function);) {
		uint32_t command = pci_read(&function, PCI_COMMAND);
		uint32_t class_word = pci_read(&function, PCI_CLASS);
		if (!(command & PCI_COMMAND_MASTER) || is_needed(class_word))
			continue;
		pci_write(&function, PCI_COMMAND, command & PCI_COMMAND_BITS & ~PCI_COMMAND_MASTER);
		log_debug("PCI %02x:%02x.%u, class %02x.%02x: it may no longer write to memory", function.bus,
		          function.device, function.function, CLASS(class_word), SUBCLASS(class_word));
		stopped++;
	}
	if (stopped > 0)
		log_info("PCI: devices that firmware left running may no longer write to memory: %u", stopped);
}
