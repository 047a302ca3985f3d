/*
 * What things cost on the machine that is simulated, from a file of tools/simulated/machines/ (its README says what
 * each field means). Times are kept in picoseconds.
 */
#ifndef MACHINE_PROFILE_H
#define MACHINE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#define PROFILE_NAME_MAXIMUM 128

struct profile {
	char name[PROFILE_NAME_MAXIMUM];
	/* How many there are: sockets of the machine, last-level caches of a socket, cores that share one, threads of a
	 * core. */
	uint64_t sockets, caches, cores, threads;
	uint64_t instruction;        /* what one takes, in 1/1024 of a picosecond, */
	uint64_t instruction_shared; /* and where another thread of the core runs as well */
	uint64_t locked, clock, pause;
	uint64_t line_cache, line_socket,
	    line_machine;      /* a line from another core: of the same last-level cache, .. */
	uint64_t shared_cache; /* from the last-level cache itself */
	uint64_t memory_near, memory_far, stream;
	uint64_t invalidate, serve;
	uint64_t own_lines, own_ways; /* a core's own cache, in lines; 0: as many as it likes */
	uint64_t stores;              /* that may be under way at once */
	uint64_t reorder;             /* instructions that a processor looks ahead */
	uint64_t wake_send, wake_arrive, halt, interrupt, settle;
};

extern struct profile profile;

/* Read a file. False: a sentence on what is wrong with it is on standard error. `costs`: all but what instructions
 * take, in per cent of what the file says. */
bool profile_read(const char *path, uint64_t costs);

/* So many instructions take that time, on a core that one thread has to itself. */
uint64_t profile_instructions(uint64_t time);

#endif
