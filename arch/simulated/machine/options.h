/*
 * The simulator's own words of the command line; all others are the system's.
 *
 *     machine=NAME          a file of ../machines/, or a path of one that ends in .json
 *     processors=N          the system's word, too: so many virtual processors; default: all that the machine has
 *     sockets=N             on so many sockets; default: as few as suffice
 *     memory=MIB            the system's word, too: default 4096
 *     seed=N                the system's word, too
 *     window=NANOSECONDS    how far a processor may be ahead (simulator.h)
 *     costs=PERCENT         of what all but instructions takes
 *     variation=PERCENT     by which what lines take varies, either way
 *     counts=FILE           where to write what was counted
 */
#ifndef MACHINE_OPTIONS_H
#define MACHINE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_information.h"

struct options {
	char machine[256]; /* the file */
	char name[64];     /* of the machine: the file's without its ending */
	uint64_t processors, sockets, memory, seed, window, costs, variation, own_cache;
	const char *counts;
	char **arguments; /* all words, as they were */
};

extern struct options options;

/* Read the words; what is the system's goes to boot->command_line. False: a sentence is on standard error. */
bool options_read(int count, char **arguments, struct boot_information *boot);

#endif
