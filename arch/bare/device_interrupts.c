/*
 * The two 8259 and the I/O APICs: masked for good.
 */
#include "arch/bare/device_interrupts.h"
#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"

#define PORT_FIRST_MASK  0x21
#define PORT_SECOND_MASK 0xa1

/* An I/O APIC shows one register at a time: write its number to one address, then its value is at the other. */
#define ROUTER_SELECT     0x00
#define ROUTER_VALUE      0x10
#define ROUTER_LENGTH     0x14
#define REGISTER_VERSION  0x01 /* number of the last input in bits 16 to 23 */
#define REGISTER_INPUT(i) (0x10 + 2 * (i))
#define INPUT_MASKED      (1u << 16)

static volatile uint32_t *router_register(uint64_t router, uint32_t number)
{
	*(volatile uint32_t *)(router + ROUTER_SELECT) = number;
	return (volatile uint32_t *)(router + ROUTER_VALUE);
}

static void router_mask(uint64_t router)
{
	uint32_t last = *router_register(router, REGISTER_VERSION) >> 16 & 0xff;
	for (uint32_t input = 0; input <= last; input++)
		*router_register(router, REGISTER_INPUT(input)) = INPUT_MASKED;
}

void device_interrupts_mask(const struct acpi_processors *listed)
{
	port_write_8(PORT_FIRST_MASK, 0xff);
	port_write_8(PORT_SECOND_MASK, 0xff);
	for (unsigned i = 0; i < listed->router_count; i++)
		if (paging_covers(listed->router_address[i], ROUTER_LENGTH))
			router_mask(listed->router_address[i]);
}
