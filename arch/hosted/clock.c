/*
 * The host's monotonic clock, from the start of the process.
 */
#include <time.h>

#include "arch/arch.h"

static uint64_t origin;

static uint64_t host_clock(void)
{
	struct timespec now;
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

void arch_clock_start(const struct boot_information *boot)
{
	(void)boot;
	origin = host_clock();
}

uint64_t arch_clock(void)
{
	return origin ? host_clock() - origin : 0;
}
