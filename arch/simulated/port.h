/*
 * What the files of the port share.
 */
#ifndef ARCH_SIMULATED_PORT_H
#define ARCH_SIMULATED_PORT_H

#include <stdatomic.h>

#include "arch/arch.h"
#include "arch/simulated/machine.h"
#include "kernel/processor.h"

/* The port's part of a processor. */
struct arch_processor {
	_Atomic uint32_t idle_state; /* idle.c */
} __attribute__((aligned(CACHE_LINE_PAIR)));

#endif
