/*
 * How a processor describes itself: leaves of numbers, selected by the leaf's number and often a part's (Intel's
 * manual, volume 2, CPUID; AMD's, volume 3, appendix E). Functions that take a source of leaves, rather than ask the
 * running processor, can be fed with the values of other processors.
 */
#ifndef ARCH_X86_64_DECODE_IDENTITY_H
#define ARCH_X86_64_DECODE_IDENTITY_H

#include <stdint.h>

struct cpuid_result {
	uint32_t eax, ebx, ecx, edx;
};

/* read() returns zeros for a leaf that does not exist. */
struct identity {
	struct cpuid_result (*read)(const void *owner, uint32_t leaf, uint32_t subleaf);
	const void *owner;
};

static inline struct cpuid_result identity_read(const struct identity *identity, uint32_t leaf,
                                                uint32_t subleaf)
{
	return identity->read(identity->owner, leaf, subleaf);
}

/* Families of leaves: the first leaf of each gives its last one. */
#define IDENTITY_BASIC      0x00000000u
#define IDENTITY_HYPERVISOR 0x40000000u
#define IDENTITY_EXTENDED   0x80000000u
#define IDENTITY_FAMILY     0xffff0000u

#define CPUID_1_ECX_HYPERVISOR (1u << 31)

/* The processor's maker: ebx of leaf 0. */
#define MAKER_INTEL 0x756e6547u /* "Genu" */
#define MAKER_AMD   0x68747541u /* "Auth" */
#define MAKER_HYGON 0x6f677948u /* "Hygo", derived from AMD's Zen */

/* Family, model and stepping, composed from the fields of leaf 1. */
struct signature {
	uint32_t maker; /* one of the above, or another value */
	uint32_t family, model, stepping;
};
#define FAMILY_INTEL_P6 6 /* and all later ones */
#define FAMILY_AMD_K8   15
#define MODEL_NEHALEM   0x1a
struct signature identity_signature(const struct identity *identity);

#endif
