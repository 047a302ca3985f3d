/*
 * The costs of the simulated machine, from a file of arch/simulated/machines/ (the README of arch/simulated/ says what
 * each field means). Times are in picoseconds.
 */
#ifndef MACHINE_PROFILE_H
#define MACHINE_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#define PROFILE_NAME_MAXIMUM 128

struct profile {
	char name[PROFILE_NAME_MAXIMUM];
	/* Sockets of the machine, last-level caches of a socket, cores that share a last-level cache, threads of a core. */
	uint64_t sockets, caches, cores, threads;
	uint64_t instruction;        /* the time of one, in 1/1024 of a picosecond */
	uint64_t instruction_shared; /* the same while another thread of the core runs */
	uint64_t locked, clock, pause;
	uint64_t divide4, divide8; /* a division, by the bytes of its numbers */
	uint64_t line_cache, line_socket,
	    line_machine;      /* a line from another core: of the same last-level cache, .. */
	uint64_t shared_cache; /* from the last-level cache itself */
	uint64_t memory_near, memory_far, stream;
	uint64_t invalidate, serve;
	uint64_t own_lines, own_ways; /* a core's own cache, in lines; 0: no limit */
	uint64_t stores, reads;       /* that may be under way at once */
	uint64_t reorder;             /* instructions that a processor looks ahead */
	uint64_t wake_send, wake_arrive, halt, interrupt, settle;
};

extern struct profile profile;

/* Read a file, and scale all costs except those of executed code to `costs` per cent. False: the file is wrong, and
 * standard error says how. */
bool profile_read(const char *path, uint64_t costs);

/* How many instructions take that time, on a core with one running thread. */
uint64_t profile_instructions(uint64_t time);

#endif
