#include "arch/x86_64/decode/frequency.h"

#include <stddef.h>

#define LEAF_HYPERVISOR_RATE 0x40000010 /* kHz, a convention of hypervisors */
#define LEAF_RATIO           0x15       /* ratio of counter and crystal; the crystal's frequency */
#define LEAF_BASE            0x16       /* MHz */
#define LEAF_POWER           0x80000007
#define POWER_EDX_INVARIANT  (1u << 8)
#define KHZ                  1000ull
#define MHZ                  1000000ull

struct frequency_statement frequency_stated(const struct identity *identity)
{
	uint64_t hypervisor = identity_read(identity, LEAF_HYPERVISOR_RATE, 0).eax;
	if (hypervisor != 0)
		return (struct frequency_statement){hypervisor * KHZ, true, "as the hypervisor says"};
	struct cpuid_result ratio = identity_read(identity, LEAF_RATIO, 0);
	if (ratio.eax != 0 && ratio.ebx != 0 && ratio.ecx != 0)
		return (struct frequency_statement){(uint64_t)ratio.ecx * ratio.ebx / ratio.eax, true,
		                                    "as the processor says"};
	/* The crystal's frequency is unknown; then the counter runs at the base frequency, which is rounded. */
	uint64_t base = identity_read(identity, LEAF_BASE, 0).eax & 0xffff;
	if (base != 0)
		return (struct frequency_statement){base * MHZ, false, "as the processor's base frequency says"};
	return (struct frequency_statement){0, false, NULL};
}

bool frequency_is_invariant(const struct identity *identity)
{
	return (identity_read(identity, LEAF_POWER, 0).edx & POWER_EDX_INVARIANT) != 0;
}
