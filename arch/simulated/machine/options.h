/*
 * The simulator's own words of the command line; all others are the system's.
 *
 *     machine=NAME          a file of ../machines/, or the path of another, which ends in .json
 *     processors=N          how many virtual processors; default: all that the machine has (also the system's word)
 *     sockets=N             spread over that many sockets; default: as few as suffice
 *     memory=MIB            default 4096 (also the system's word)
 *     seed=N                the seed of all variation (also the system's word)
 *     window=NANOSECONDS    how far a processor may run ahead (simulator.h)
 *     costs=PERCENT         scales all costs except instructions
 *     variation=PERCENT     how much the time of a line varies, either way
 *     pauses=NANOSECONDS    now and then a processor stands still for up to so long
 *     counts=FILE           where to write the counts
 */
#ifndef MACHINE_OPTIONS_H
#define MACHINE_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "kernel/boot_information.h"

struct options {
	char machine[256]; /* the profile's path */
	char name[64];     /* the file's name without its ending */
	uint64_t processors, sockets, memory, seed, window, costs, variation, pauses, own_cache;
	const char *counts;
	char **arguments; /* all words, unchanged */
};

extern struct options options;

/* Read the words; the system's go to boot->command_line. False: failed, and standard error says why. */
bool options_read(int count, char **arguments, struct boot_information *boot);

#endif
