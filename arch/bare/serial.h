/*
 * The serial line for log and results: a 16550 or compatible, 8 bits, no parity.
 */
#ifndef ARCH_BARE_SERIAL_H
#define ARCH_BARE_SERIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct serial_port {
	const char *name; /* "COM1" */
	bool in_memory;   /* its registers are in memory, not at ports */
	uint64_t base;
	unsigned spacing; /* bytes from one register to the next */
	unsigned width;   /* bytes of an access */
	unsigned rate;    /* bits a second; 0: as the firmware has set it */
};

#define SERIAL_RATE_DEFAULT 115200

/* Use this port from now on. False: it does not exist; the previous one stays in use. */
bool serial_use(const struct serial_port *port);

/* Use none. */
void serial_stop(void);

/* The port in use; NULL: none. */
const struct serial_port *serial_used(void);

/* Write bytes to the port in use. What it does not take within some milliseconds is dropped. */
void serial_write(const char *bytes, size_t length);

/* The next byte received on it; -1: none. Does not wait. */
int serial_read(void);

/* Choose a port: at the start COM1, if it exists; once the command line is known, the port that it names; else, once
 * the firmware's tables are known, the port that they name, or the first that exists. (serial_choice.c) */
void serial_choose_first(void);
void serial_choose_wanted(void);
void serial_choose_found(void);

/* Use any port that exists, unless one is in use. */
void serial_choose_any(void);

#endif
