#include "arch/bare/keyboard.h"

#include "arch/arch.h"
#include "arch/x86_64/instructions.h"

#define PORT_DATA   0x60
#define PORT_STATUS 0x64 /* a command when it is written */

#define STATUS_OUTPUT  0x01 /* a byte waits for us */
#define STATUS_INPUT   0x02 /* the controller has not taken our last byte yet */
#define STATUS_MOUSE   0x20 /* the byte is not the keyboard's */
#define STATUS_NOTHING 0xff /* nothing is at these ports */

#define COMMAND_KEYBOARD_ON 0xae
#define KEYBOARD_SEND       0xf4

#define TAKE_WAIT 50000000ull /* nanoseconds */
#define QUEUE     64          /* bytes that a controller may hold, and more */

static void keyboard_put(uint16_t port, uint8_t value)
{
	uint64_t deadline = arch_clock() + TAKE_WAIT;
	while ((port_read_8(PORT_STATUS) & STATUS_INPUT) && arch_clock() < deadline)
		arch_pause();
	port_write_8(port, value);
}

/* A byte of the keyboard's; 0: there is none. */
static uint8_t keyboard_take(void)
{
	uint8_t status = port_read_8(PORT_STATUS);
	if (status == STATUS_NOTHING || !(status & STATUS_OUTPUT))
		return 0;
	uint8_t data = port_read_8(PORT_DATA);
	return status & STATUS_MOUSE ? 0 : data;
}

void keyboard_start(void)
{
	if (port_read_8(PORT_STATUS) == STATUS_NOTHING)
		return;
	keyboard_put(PORT_STATUS, COMMAND_KEYBOARD_ON);
	keyboard_put(PORT_DATA, KEYBOARD_SEND);
	for (unsigned i = 0; i < QUEUE; i++) /* earlier keys were not meant for us */
		keyboard_take();
}

enum page_key keyboard_read(void)
{
	return scan_code_page(keyboard_take());
}

int keyboard_read_byte(void)
{
	static struct scan_code_state state;
	static char bytes[SCAN_CODE_BYTES];
	static unsigned count, next;
	if (next == count) {
		next = 0;
		count = scan_code_type(&state, keyboard_take(), bytes);
	}
	return next < count ? (unsigned char)bytes[next++] : -1;
}
