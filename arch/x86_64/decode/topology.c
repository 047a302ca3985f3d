#include "arch/x86_64/decode/topology.h"

#include <stdbool.h>

#define LEAF_CACHES     0x04
#define LEAF_LEVELS     0x0b
#define LEAF_KIND       0x1a
#define LEAF_LEVELS_NEW 0x1f
#define LEAF_EXTENDED   0x80000001
#define LEAF_SIZES      0x80000008
#define LEAF_CACHES_AMD 0x8000001d
#define LEAF_PLACE_AMD  0x8000001e
#define LEAF_LEVELS_AMD 0x80000026
#define LEVELS_MAXIMUM  8
#define CACHES_MAXIMUM  8

#define FEATURE_EDX_SEVERAL   (1u << 28) /* leaf 1: ebx says for how many processors the socket has ids */
#define FEATURE_ECX_PLACE_AMD (1u << 22) /* leaf 80000001h: there are leaves for caches and place */
#define FEATURE_EDX_HYBRID    (1u << 15) /* leaf 7 */

enum level { LEVEL_NONE = 0, LEVEL_THREAD = 1, LEVEL_DIE = 5 };
enum level_amd { LEVEL_AMD_CORE = 1, LEVEL_AMD_COMPLEX = 2, LEVEL_AMD_DIE = 3, LEVEL_AMD_SOCKET = 4 };
enum cache { CACHE_NONE = 0, CACHE_INSTRUCTIONS = 2 };

#define SHIFT(word)       ((word)&31)
#define LEVEL(word)       ((word) >> 8 & 0xff)
#define SEVERAL_KINDS_AMD (1u << 30) /* in eax of the level of cores */
#define KIND_AMD(word)    ((word) >> 28)
#define KIND_INTEL(word)  ((word) >> 24)

enum kind_intel { KIND_INTEL_ATOM = 0x20, KIND_INTEL_CORE = 0x40 };
enum kind_amd { KIND_AMD_PERFORMANCE = 0, KIND_AMD_EFFICIENCY = 1 };

/* How many bits a number below `count` takes. */
static unsigned bits_for(unsigned count)
{
	unsigned bits = 0;
	while (bits < 31 && 1u << bits < count)
		bits++;
	return bits;
}

/* Intel's list: each level gives the shift for the next one above it; the last level is the socket. */
static bool levels_read(const struct identity *identity, uint32_t leaf, struct topology_layout *layout)
{
	bool found = false, has_die = false;
	unsigned shift = 0;
	for (uint32_t number = 0; number < LEVELS_MAXIMUM; number++) {
		struct cpuid_result result = identity_read(identity, leaf, number);
		if (LEVEL(result.ecx) == LEVEL_NONE || result.ebx == 0)
			break;
		if (LEVEL(result.ecx) == LEVEL_DIE) {
			layout->die_shift = shift;
			has_die = true;
		}
		shift = SHIFT(result.eax);
		if (LEVEL(result.ecx) == LEVEL_THREAD)
			layout->core_shift = shift;
		found = true;
	}
	layout->socket_shift = shift;
	if (!has_die)
		layout->die_shift = shift;
	return found;
}

/* AMD's list: each level gives the shift for its own number. */
static bool levels_read_amd(const struct identity *identity, struct topology_layout *layout)
{
	bool found = false;
	for (uint32_t number = 0; number < LEVELS_MAXIMUM; number++) {
		struct cpuid_result result = identity_read(identity, LEAF_LEVELS_AMD, number);
		unsigned shift = SHIFT(result.eax);
		if (LEVEL(result.ecx) == LEVEL_NONE || result.ebx == 0)
			break;
		if (LEVEL(result.ecx) == LEVEL_AMD_CORE)
			layout->core_shift = shift;
		if (LEVEL(result.ecx) <= LEVEL_AMD_DIE)
			layout->die_shift = shift;
		layout->socket_shift = shift;
		found = true;
		if (LEVEL(result.ecx) == LEVEL_AMD_CORE && (result.eax & SEVERAL_KINDS_AMD))
			layout->kind = KIND_AMD(result.ebx) == KIND_AMD_EFFICIENCY ? PROCESSOR_EFFICIENT : PROCESSOR_FAST;
	}
	return found;
}

static bool has_place_amd(const struct identity *identity)
{
	return (identity_read(identity, LEAF_EXTENDED, 0).ecx & FEATURE_ECX_PLACE_AMD) != 0;
}

/* Without a list of levels: from the counts. */
static void counts_read(const struct identity *identity, struct topology_layout *layout)
{
	struct cpuid_result features = identity_read(identity, 1, 0),
	                    sizes = identity_read(identity, LEAF_SIZES, 0);
	unsigned ids = features.edx & FEATURE_EDX_SEVERAL ? features.ebx >> 16 & 0xff : 1;
	unsigned cores = (identity_read(identity, LEAF_CACHES, 0).eax >> 26) + 1;
	unsigned processors_amd = (sizes.ecx & 0xff) + 1, bits_amd = sizes.ecx >> 12 & 15;
	if (processors_amd > 1) { /* 0 on Intel */
		layout->socket_shift = bits_amd != 0 ? bits_amd : bits_for(processors_amd);
		layout->die_shift = layout->socket_shift;
	} else {
		layout->socket_shift = layout->die_shift = bits_for(ids);
		if (bits_for(cores) < layout->socket_shift && cores > 0 && ids > cores)
			layout->core_shift = layout->socket_shift - bits_for(cores);
	}
	if (processors_amd > 1 && has_place_amd(identity)) {
		struct cpuid_result place = identity_read(identity, LEAF_PLACE_AMD, 0);
		unsigned threads = (place.ebx >> 8 & 0xff) + 1, dies = (place.ecx >> 8 & 7) + 1;
		layout->core_shift = bits_for(threads);
		layout->die_shift = dies > 1 ? bits_for(processors_amd / dies) : layout->socket_shift;
	}
}

/* The largest cache that holds data. */
static void caches_read(const struct identity *identity, struct topology_layout *layout)
{
	uint32_t leaf = identity_read(identity, LEAF_CACHES, 0).eax == 0 && has_place_amd(identity)
	                    ? LEAF_CACHES_AMD
	                    : LEAF_CACHES;
	for (uint32_t number = 0; number < CACHES_MAXIMUM; number++) {
		uint32_t word = identity_read(identity, leaf, number).eax;
		unsigned kind = word & 31, level = word >> 5 & 7;
		if (kind == CACHE_NONE)
			break;
		if (kind == CACHE_INSTRUCTIONS || level < layout->cache_level)
			continue;
		layout->cache_level = level;
		layout->cache_shift = bits_for((word >> 14 & 0xfff) + 1);
	}
}

static unsigned limited(unsigned value, unsigned low, unsigned high)
{
	if (value > high)
		value = high;
	return value < low ? low : value;
}

struct topology_layout processor_layout(const struct identity *identity)
{
	struct topology_layout layout = {.kind = PROCESSOR_ALIKE};
	if (!levels_read_amd(identity, &layout) && !levels_read(identity, LEAF_LEVELS_NEW, &layout) &&
	    !levels_read(identity, LEAF_LEVELS, &layout))
		counts_read(identity, &layout);
	caches_read(identity, &layout);
	if (layout.cache_level == 0)
		layout.cache_shift = layout.socket_shift;
	if (identity_read(identity, 7, 0).edx & FEATURE_EDX_HYBRID) {
		unsigned kind = KIND_INTEL(identity_read(identity, LEAF_KIND, 0).eax);
		layout.kind = kind == KIND_INTEL_ATOM   ? PROCESSOR_EFFICIENT
		              : kind == KIND_INTEL_CORE ? PROCESSOR_FAST
		                                        : PROCESSOR_ALIKE;
	}
	/* Processors may report anything: make sure that no part is larger than the whole. */
	layout.core_shift = limited(layout.core_shift, 0, layout.socket_shift);
	layout.cache_shift = limited(layout.cache_shift, layout.core_shift, layout.socket_shift);
	layout.die_shift = limited(layout.die_shift, layout.core_shift, layout.socket_shift);
	return layout;
}
