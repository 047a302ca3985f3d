/*
 * The cost of a call, depending on how the called function was compiled.
 */
#ifndef FOREIGN_CALLS_H
#define FOREIGN_CALLS_H

#include <stdint.h>

/* Nanoseconds per call, in the fastest round. */
struct calls {
	double inside, outside;
};

/* A task; its argument is a struct calls to fill. */
intptr_t calls_measure(void *argument);

/* The same function twice: compiled with the plugin if calls.c is; and without it, as a C library is. */
unsigned inside(unsigned number);
unsigned outside(unsigned number);

#endif
