/*
 * How the processor describes itself: leaves of numbers, by the number of the leaf and often of a part of it (Intel's
 * manual, volume 2, CPUID; AMD's, volume 3, appendix E). Functions that are given a source of leaves instead of asking
 * the processor that runs can be fed with what other processors say.
 */
#ifndef ARCH_X86_64_DECODE_IDENTITY_H
#define ARCH_X86_64_DECODE_IDENTITY_H

#include <stdint.h>

struct cpuid_result {
	uint32_t eax, ebx, ecx, edx;
};

/* read() gives all zeros for a leaf that there is not. */
struct identity {
	struct cpuid_result (*read)(const void *owner, uint32_t leaf, uint32_t subleaf);
	const void *owner;
};

static inline struct cpuid_result identity_read(const struct identity *identity, uint32_t leaf,
                                                uint32_t subleaf)
{
	return identity->read(identity->owner, leaf, subleaf);
}

/* Families of leaves: the first leaf of each says which is its last. */
#define IDENTITY_BASIC      0x00000000u
#define IDENTITY_HYPERVISOR 0x40000000u
#define IDENTITY_EXTENDED   0x80000000u
#define IDENTITY_FAMILY     0xffff0000u

#define CPUID_1_ECX_HYPERVISOR (1u << 31)

/* Who made the processor: what leaf 0 says in ebx. */
#define MAKER_INTEL 0x756e6547u /* "Genu" */
#define MAKER_AMD   0x68747541u /* "Auth" */
#define MAKER_HYGON 0x6f677948u /* "Hygo", after AMD's Zen */

/* Family, model and stepping, put together from the fields of leaf 1. */
struct signature {
	uint32_t maker; /* one of the above, or another */
	uint32_t family, model, stepping;
};
#define FAMILY_INTEL_P6 6 /* and all after it */
#define FAMILY_AMD_K8   15
#define MODEL_NEHALEM   0x1a
struct signature identity_signature(const struct identity *identity);

#endif
