#include "arch/bare/memory_types.h"

#include <stdatomic.h>

#include "arch/bare/attempt.h"
#include "arch/x86_64/decode/memory_types.h"
#include "arch/x86_64/instructions.h"
#include "kernel/boot_information.h"
#include "kernel/console.h"

#define CPUID_1_EDX_TYPES (1u << 12)

#define MSR_CAPABILITIES   0xfe
#define CAPABILITIES_COUNT 0xffu
#define CAPABILITIES_FIXED (1u << 8)
#define MSR_CONTROL        0x2ff
#define MSR_RANGE(i)       (0x200u + 2 * (i)) /* base; its mask follows */

#define MSR_AMD_SYSTEM   0xc0010010
#define AMD_TOP_2_ON     (1ull << 21)
#define AMD_TOP_2_CACHED (1ull << 22)
#define MSR_AMD_TOP_2    0xc001001d
#define AMD_TOP_BITS     0x000fffffff800000ull

#define LOW_MEMORY 0x100000 /* this memory has registers of its own, and is not used */

static const uint32_t fixed_registers[MEMORY_FIXED] = {0x250, 0x258, 0x259, 0x268, 0x269, 0x26a,
                                                       0x26b, 0x26c, 0x26d, 0x26e, 0x26f};

static _Atomic unsigned changed, unchangeable; /* processors */
static struct memory_types wanted; /* the boot processor's; without ranges: there are no such registers */

static uint64_t forced_end(void)
{
	uint64_t system, top;
	const struct identity identity = CPUID_OF_THIS;
	uint32_t maker = identity_signature(&identity).maker;
	if ((maker != MAKER_AMD && maker != MAKER_HYGON) || !msr_try_read(MSR_AMD_SYSTEM, &system) ||
	    !(system & AMD_TOP_2_ON) || !(system & AMD_TOP_2_CACHED) || !msr_try_read(MSR_AMD_TOP_2, &top))
		return 0;
	return top & AMD_TOP_BITS;
}

/* False: this processor has no such registers. */
static bool types_read(struct memory_types *types)
{
	uint64_t capabilities;
	if (!(cpuid(1, 0).edx & CPUID_1_EDX_TYPES) || !msr_try_read(MSR_CAPABILITIES, &capabilities))
		return false;
	*types = (struct memory_types){.forced_end = forced_end()};
	msr_try_read(MSR_CONTROL, &types->control);
	types->range_count = capabilities & CAPABILITIES_COUNT;
	if (types->range_count > MEMORY_RANGES_MAXIMUM)
		types->range_count = MEMORY_RANGES_MAXIMUM;
	for (unsigned i = 0; i < types->range_count; i++) {
		msr_try_read(MSR_RANGE(i), &types->range[i].base);
		msr_try_read(MSR_RANGE(i) + 1, &types->range[i].mask);
	}
	types->fixed_count = capabilities & CAPABILITIES_FIXED ? MEMORY_FIXED : 0;
	for (unsigned i = 0; i < types->fixed_count; i++)
		msr_try_read(fixed_registers[i], &types->fixed[i]);
	return true;
}

/* The caches must be empty meanwhile (Intel's manual, volume 3, section 12.11.8). */
static void types_write(const struct memory_types *types)
{
	uint64_t control = control_read_0();
	control_write_0((control | CR0_CACHE_DISABLE) & ~CR0_NOT_WRITE_THROUGH);
	caches_empty();
	control_write_3(control_read_3()); /* drops cached translations, which contain types */
	msr_try_write(MSR_CONTROL, types->control & ~MEMORY_TYPES_ON);
	for (unsigned i = 0; i < types->fixed_count; i++)
		msr_try_write(fixed_registers[i], types->fixed[i]);
	for (unsigned i = 0; i < types->range_count; i++) {
		msr_try_write(MSR_RANGE(i), types->range[i].base);
		msr_try_write(MSR_RANGE(i) + 1, types->range[i].mask);
	}
	msr_try_write(MSR_CONTROL, types->control);
	caches_empty();
	control_write_3(control_read_3());
	control_write_0(control);
}

/* How much of a region is not write-back; `take`: take that out of the map. */
static uint64_t slow_bytes(struct boot_information *boot, struct boot_region region, bool take)
{
	uint64_t found = 0, end;
	for (uint64_t at = region.base; at < region.base + region.length; at = end) {
		enum memory_type type = memory_type_at(&wanted, at, &end);
		if (end > region.base + region.length)
			end = region.base + region.length;
		if (type == MEMORY_WRITE_BACK || end <= LOW_MEMORY)
			continue;
		found += end - at;
		if (take)
			boot_memory_reserve(boot, at, end - at);
	}
	return found;
}

static uint64_t slow_bytes_of_all(struct boot_information *boot, bool take, uint64_t *all)
{
	static struct boot_region regions[BOOT_REGIONS_MAXIMUM]; /* a copy: taking changes the list */
	unsigned count = boot->region_count;
	uint64_t found = 0;
	__builtin_memcpy(regions, boot->regions, sizeof(regions));
	*all = 0;
	for (unsigned i = 0; i < count; i++) {
		found += slow_bytes(boot, regions[i], take);
		*all += regions[i].length;
	}
	return found;
}

void memory_types_start(struct boot_information *boot)
{
	uint64_t all;
	if (!types_read(&wanted))
		return;
	/* A virtual processor may leave them off, and caches all the same. */
	if (!(wanted.control & MEMORY_TYPES_ON)) {
		if (!(cpuid(1, 0).ecx & CPUID_1_ECX_HYPERVISOR))
			log_warning(
			    "memory types: the firmware has left them off (MTRRs): no memory is cached, and all figures "
			    "are worthless");
		return;
	}
	uint64_t slow = slow_bytes_of_all(boot, false, &all);
	if (slow == 0)
		return;
	bool take = slow < all / 2;
	if (take)
		slow_bytes_of_all(boot, true, &all);
	log_warning("memory types: the firmware has left %lu of %lu MiB uncached (MTRRs)%s",
	            (unsigned long)(slow >> 20), (unsigned long)(all >> 20),
	            take ? "; they are not used" : ": figures are worthless; look for an update of the firmware");
}

void memory_types_follow(void)
{
	struct memory_types types;
	if (wanted.range_count == 0 || !types_read(&types) || memory_types_are_equal(&types, &wanted))
		return;
	types_write(&wanted);
	atomic_fetch_add_explicit(&changed, 1, memory_order_relaxed);
	if (!types_read(&types) || !memory_types_are_equal(&types, &wanted))
		atomic_fetch_add_explicit(&unchangeable, 1, memory_order_relaxed);
}

void memory_types_report(void)
{
	unsigned different = atomic_load_explicit(&changed, memory_order_relaxed);
	unsigned still = atomic_load_explicit(&unchangeable, memory_order_relaxed);
	/* An emulator's caches ignore these registers. */
	void (*line)(const char *format, ...) =
	    cpuid(1, 0).ecx & CPUID_1_ECX_HYPERVISOR ? log_debug : log_warning;
	if (different > 0)
		line("memory types: on %u processors they differed from those of the boot processor (MTRRs); on %u "
		     "they cannot be "
		     "changed, on the others they are the same now",
		     different, still);
}
