/*
 * The first serial port, a 16550 or what looks like one.
 */
#include "arch/x86_64/instructions.h"
#include "arch/x86_64/machine.h"

#define PORT 0x3f8

/* Registers. With the divisor latch open, the first two hold the divisor. */
#define DATA             (PORT + 0)
#define INTERRUPT_ENABLE (PORT + 1)
#define FIFO_CONTROL     (PORT + 2)
#define LINE_CONTROL     (PORT + 3)
#define MODEM_CONTROL    (PORT + 4)
#define LINE_STATUS      (PORT + 5)
#define SCRATCH          (PORT + 7)

#define LINE_CONTROL_8N1     0x03
#define LINE_CONTROL_DIVISOR 0x80
#define FIFO_ENABLE_CLEAR    0x07
#define MODEM_READY          0x03 /* data terminal ready, request to send */
#define STATUS_ROOM          0x20

#define DIVISOR_115200 1

/* Reads of the line status; each takes about a microsecond on a real bus, and a byte is out after 87 of them.
 */
#define WAIT_READS 20000

static bool present;

void serial_start(void)
{
	/* The scratch register does nothing but keep a byte; where there is no port, nothing keeps it. */
	for (unsigned value = 0x55; value <= 0xaa; value += 0x55) {
		port_write_8(SCRATCH, (uint8_t)value);
		if (port_read_8(SCRATCH) != value)
			return;
	}
	port_write_8(INTERRUPT_ENABLE, 0);
	port_write_8(LINE_CONTROL, LINE_CONTROL_DIVISOR);
	port_write_8(DATA, DIVISOR_115200 & 0xff);
	port_write_8(INTERRUPT_ENABLE, DIVISOR_115200 >> 8);
	port_write_8(LINE_CONTROL, LINE_CONTROL_8N1);
	port_write_8(FIFO_CONTROL, FIFO_ENABLE_CLEAR);
	port_write_8(MODEM_CONTROL, MODEM_READY);
	present = true;
}

/* False: the port did not take it in time. */
static bool byte_write(uint8_t byte)
{
	for (unsigned read = 0; read < WAIT_READS; read++) {
		if (port_read_8(LINE_STATUS) & STATUS_ROOM) {
			port_write_8(DATA, byte);
			return true;
		}
	}
	return false;
}

void serial_write(const char *bytes, size_t length)
{
	if (!present)
		return;
	for (size_t i = 0; i < length; i++) {
		/* Who does not take one byte will not take the next: wait once a call. */
		if (bytes[i] == '\n' && !byte_write('\r'))
			return;
		if (!byte_write((uint8_t)bytes[i]))
			return;
	}
}
