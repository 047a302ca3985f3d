#include "arch/simulated/machine/memory.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "arch/hosted/hosted.h"
#include "arch/simulated/machine.h"
#include "arch/simulated/machine/geometry.h"

#define START           UINT64_C(0x100000000000)
#define FILES           UINT64_C(0x180000000000)
#define FILES_END       UINT64_C(0x200000000000)
#define STACK_BYTES     ((size_t)65536)
#define INTERRUPT_BYTES ((size_t)16384) /* of a stack, the upper end, for interruptions */
#define ROUNDING        (UINT64_C(1) << 21)

#ifndef MAP_FIXED_NOREPLACE
#	define MAP_FIXED_NOREPLACE 0x100000
#endif

extern char _end[]; /* of the program */

static uint64_t base, end;

bool memory_create(uint64_t bytes, unsigned stacks)
{
	base = (START + stacks * STACK_BYTES + ROUNDING - 1) & ~(ROUNDING - 1);
	end = base + bytes;
	void *start = mmap((void *)START, end - START, PROT_READ | PROT_WRITE,
	                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
	if (start == (void *)START)
		return true;
	fprintf(
	    stderr,
	    "heddle: the host gives no memory at %#lx for the simulated machine: ask for less (memory=MIB), or "
	    "lift the limit on address space (ulimit -v)\n",
	    (unsigned long)START);
	return false;
}

uint64_t memory_base(void)
{
	return base;
}

uint64_t memory_start_address(void)
{
	return START;
}

uint64_t memory_bytes(void)
{
	return end - START;
}

bool memory_is_placed(uint64_t address)
{
	return address < (uintptr_t)_end || (address >= START && address < FILES_END);
}

uint64_t memory_part(unsigned socket)
{
	if (socket == geometry.sockets)
		return end;
	return START + ((end - START) / geometry.sockets & ~(ROUNDING - 1)) * socket;
}

void *machine_map_file(const char *name, size_t bytes, const char **error)
{
	/* The same address in each run; the system's memory ends below it. */
	void *memory = hosted_map_new_file(name, (void *)FILES, bytes);
	*error = strerror(errno);
	return memory;
}

void *memory_stack(unsigned index, size_t *size)
{
	*size = STACK_BYTES - INTERRUPT_BYTES;
	return (char *)START + index * STACK_BYTES;
}

void *memory_interrupt_stack(unsigned index)
{
	return (char *)START + (index + 1) * STACK_BYTES;
}
