#include "arch/bare/serial.h"

#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"

/* Registers. With the divisor latch open, the first two hold the divisor. */
enum serial_register {
	DATA,
	INTERRUPT_ENABLE,
	FIFO_CONTROL,
	LINE_CONTROL,
	MODEM_CONTROL,
	LINE_STATUS,
	SCRATCH = 7,
	REGISTERS
};

#define LINE_CONTROL_8N1     0x03
#define LINE_CONTROL_DIVISOR 0x80
#define FIFO_ENABLE_CLEAR    0xc7 /* receives up to 14 bytes at a time: an emulator holds back more than that */
#define MODEM_READY          0x03 /* data terminal ready, request to send */
#define STATUS_CAME          0x01
#define STATUS_ROOM          0x20
#define STATUS_NOTHING       0xff   /* read from a port that is gone */
#define RATE_MAXIMUM         115200 /* with a divisor of 1 */

/* Reads of the line status. Each takes about a microsecond on a real bus, and a byte needs 87 microseconds. */
#define WAIT_READS 20000

static struct serial_port used; /* without a name: no port */

static uint8_t serial_register_read(const struct serial_port *port, enum serial_register number)
{
	uint64_t address = port->base + number * port->spacing;
	if (!port->in_memory)
		return port_read_8((uint16_t)address);
	if (port->width == sizeof(uint32_t))
		return (uint8_t) * (volatile uint32_t *)address;
	return *(volatile uint8_t *)address;
}

static void serial_register_write(const struct serial_port *port, enum serial_register number, uint8_t value)
{
	uint64_t address = port->base + number * port->spacing;
	if (!port->in_memory)
		port_write_8((uint16_t)address, value);
	else if (port->width == sizeof(uint32_t))
		*(volatile uint32_t *)address = value;
	else
		*(volatile uint8_t *)address = value;
}

/* The scratch register only keeps a byte; without a port nothing keeps it. */
static bool serial_is_there(const struct serial_port *port)
{
	if (port->in_memory && !paging_covers(port->base, REGISTERS * port->spacing))
		return false;
	for (unsigned value = 0x55; value <= 0xaa; value += 0x55) {
		serial_register_write(port, SCRATCH, (uint8_t)value);
		if (serial_register_read(port, SCRATCH) != value)
			return false;
	}
	return true;
}

bool serial_use(const struct serial_port *port)
{
	if (!serial_is_there(port))
		return false;
	serial_register_write(port, INTERRUPT_ENABLE, 0);
	if (port->rate != 0) {
		unsigned divisor = RATE_MAXIMUM / port->rate;
		serial_register_write(port, LINE_CONTROL, LINE_CONTROL_DIVISOR);
		serial_register_write(port, DATA, divisor & 0xff);
		serial_register_write(port, INTERRUPT_ENABLE, (uint8_t)(divisor >> 8));
		serial_register_write(port, LINE_CONTROL, LINE_CONTROL_8N1);
	}
	serial_register_write(port, FIFO_CONTROL, FIFO_ENABLE_CLEAR);
	serial_register_write(port, MODEM_CONTROL, MODEM_READY);
	used = *port;
	return true;
}

void serial_stop(void)
{
	used.name = NULL;
}

const struct serial_port *serial_used(void)
{
	return used.name == NULL ? NULL : &used;
}

/* False: the port did not take it in time. */
static bool byte_write(uint8_t byte)
{
	for (unsigned read = 0; read < WAIT_READS; read++) {
		if (serial_register_read(&used, LINE_STATUS) & STATUS_ROOM) {
			serial_register_write(&used, DATA, byte);
			return true;
		}
	}
	return false;
}

void serial_write(const char *bytes, size_t length)
{
	if (used.name == NULL)
		return;
	for (size_t i = 0; i < length; i++) {
		/* A port that does not take one byte will not take the next: wait once a call. */
		if (bytes[i] == '\n' && !byte_write('\r'))
			return;
		if (!byte_write((uint8_t)bytes[i]))
			return;
	}
}

int serial_read(void)
{
	if (used.name == NULL)
		return -1;
	uint8_t status = serial_register_read(&used, LINE_STATUS);
	if (status == STATUS_NOTHING || !(status & STATUS_CAME))
		return -1;
	return serial_register_read(&used, DATA);
}
