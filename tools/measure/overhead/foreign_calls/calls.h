/*
 * What a call costs, by where the function that is called was compiled.
 */
#ifndef FOREIGN_CALLS_H
#define FOREIGN_CALLS_H

#include <stdint.h>

/* Nanoseconds a call, in the fastest round. */
struct calls {
	double inside, outside;
};

/* A task; its argument is a struct calls, to be filled. */
intptr_t calls_measure(void *argument);

/* The same function twice: compiled with the plugin if calls.c is, and without it, as a C library is. */
unsigned inside(unsigned number);
unsigned outside(unsigned number);

#endif
