/*
 * How a processor's APIC id is made up, as that processor says (Intel's manual, volume 3, section 10.9; AMD's, volume
 * 3, appendix E). Processors of one machine may say different things: of several kinds of cores some may share no large
 * cache.
 */
#ifndef ARCH_X86_64_DECODE_TOPOLOGY_H
#define ARCH_X86_64_DECODE_TOPOLOGY_H

#include "arch/x86_64/decode/identity.h"
#include "kernel/topology.h"

/* cache_level 0: it names no cache that is shared; then cache_shift is that of the socket. */
struct topology_layout processor_layout(const struct identity *identity);

#endif
