/*
 * The devices on the PCI buses, through the configuration ports: the first segment, and the first 256 bytes of
 * registers. Boot processor only.
 */
#ifndef ARCH_BARE_PCI_H
#define ARCH_BARE_PCI_H

#include <stdbool.h>
#include <stdint.h>

/* One function of a device; begin with PCI_FIRST. */
struct pci_function {
	unsigned bus, device, function;
};

/* Where a search begins: pci_next() moves on from it. */
#define PCI_FIRST  ((struct pci_function){0, 0, PCI_BEFORE})
#define PCI_BEFORE 0xffffffffu

/* Go on to the next function that exists. False: there are no more, or there is no PCI. */
bool pci_next(struct pci_function *function);

uint32_t pci_read(const struct pci_function *function, unsigned offset);
void pci_write(const struct pci_function *function, unsigned offset, uint32_t value);

#define PCI_IDENTITY 0x00 /* vendor in the low half, device in the high half */
#define PCI_COMMAND  0x04 /* the upper half is status: ones written there clear it */
#define PCI_CLASS    0x08 /* revision, programming interface, subclass, class from the lowest byte up */
#define PCI_HEADER   0x0c
#define PCI_BASE_0   0x10

#define PCI_COMMAND_PORTS  (1u << 0)
#define PCI_COMMAND_MEMORY (1u << 1)
#define PCI_COMMAND_MASTER (1u << 2) /* the device may write to memory by itself */
#define PCI_COMMAND_BITS   0xffffu

/* Stop the devices that firmware used from writing to memory: network, storage and the like. Devices that the machine
 * needs as they are stay on: bridges, the screen, and USB, where firmware may emulate a keyboard. */
void pci_masters_stop(void);

#endif
