/*
 * How a processor's APIC id is composed, according to the processor (Intel's manual, volume 3, section 10.9; AMD's,
 * volume 3, appendix E). Processors of one machine may differ: among several kinds of cores, some may share no large
 * cache.
 */
#ifndef ARCH_X86_64_DECODE_TOPOLOGY_H
#define ARCH_X86_64_DECODE_TOPOLOGY_H

#include "arch/x86_64/decode/identity.h"
#include "kernel/topology.h"

/* cache_level 0: the processor names no shared cache; then cache_shift is the socket's. */
struct topology_layout processor_layout(const struct identity *identity);

#endif
