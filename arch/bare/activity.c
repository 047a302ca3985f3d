/*
 * What slowed a processor down: its real frequency, interrupts of the firmware, throttling (Intel's manual, volume 3,
 * sections 15.2, 15.8 and volume 4; AMD's, volume 2, section 17.3).
 */
#include "arch/arch.h"
#include "arch/bare/attempt.h"
#include "arch/bare/clock.h"
#include "arch/x86_64/instructions.h"

#define LEAF_POWER            6
#define POWER_EAX_LIMIT_NOTES (1u << 4) /* notes about power, beside those about heat */
#define POWER_EAX_PACKAGE     (1u << 6)
#define POWER_ECX_CYCLES      (1u << 0)
#define CPUID_1_EDX_THERMAL   (1u << 22)

#define MSR_MANAGEMENT_INTERRUPTS 0x34
#define MSR_REFERENCE_CYCLES \
	0xe7 /* MPERF: counts at the time-stamp counter's rate, while the processor runs */
#define MSR_CYCLES          0xe8 /* APERF */
#define MSR_THERMAL         0x19c
#define MSR_THERMAL_PACKAGE 0x1b1
/* Notes that stay until zeros are written: about heat, a signal from outside, a critical temperature, power. */
#define NOTES_HEAT  (1u << 1 | 1u << 3 | 1u << 5)
#define NOTES_POWER (1u << 11)

static bool has_management_interrupts(void)
{
	const struct identity identity = CPUID_OF_THIS;
	struct signature signature = identity_signature(&identity);
	uint64_t value;
	return signature.maker == MAKER_INTEL && signature.family == FAMILY_INTEL_P6 &&
	       signature.model >= MODEL_NEHALEM && !(cpuid(1, 0).ecx & CPUID_1_ECX_HYPERVISOR) &&
	       msr_try_read(MSR_MANAGEMENT_INTERRUPTS, &value);
}

static unsigned known_find(void)
{
	uint64_t value;
	bool cycles = (cpuid(LEAF_POWER, 0).ecx & POWER_ECX_CYCLES) &&
	              msr_try_read(MSR_REFERENCE_CYCLES, &value) && value != 0;
	bool throttling = (cpuid(1, 0).edx & CPUID_1_EDX_THERMAL) && cpuid(LEAF_POWER, 0).eax != 0 &&
	                  !(cpuid(1, 0).ecx & CPUID_1_ECX_HYPERVISOR) && msr_try_read(MSR_THERMAL, &value);
	return (cycles ? ARCH_ACTIVITY_CYCLES : 0) |
	       (has_management_interrupts() ? ARCH_ACTIVITY_INTERRUPTS : 0) |
	       (throttling ? ARCH_ACTIVITY_THROTTLING : 0);
}

unsigned arch_activity_known(void)
{
	static unsigned known;
	static bool found;
	if (!found)
		known = known_find();
	found = true;
	return known;
}

/* Whether there is a note; clears it. */
static bool notes_take(uint32_t number, uint64_t notes)
{
	uint64_t value;
	if (!msr_try_read(number, &value) || !(value & notes))
		return false;
	msr_try_write(number, value & ~notes);
	return true;
}

static bool throttled_take(void)
{
	uint32_t features = cpuid(LEAF_POWER, 0).eax;
	uint64_t notes = NOTES_HEAT | (features & POWER_EAX_LIMIT_NOTES ? NOTES_POWER : 0);
	bool own = notes_take(MSR_THERMAL, notes);
	return ((features & POWER_EAX_PACKAGE) && notes_take(MSR_THERMAL_PACKAGE, notes)) || own;
}

STACK_ENTRY(arch_activity_read)
void arch_activity_read(struct arch_activity *activity)
{
	unsigned known = arch_activity_known();
	uint64_t reference = 0;
	*activity = (struct arch_activity){0};
	if (known & ARCH_ACTIVITY_CYCLES && msr_try_read(MSR_CYCLES, &activity->cycles) &&
	    msr_try_read(MSR_REFERENCE_CYCLES, &reference))
		activity->nanoseconds = clock_nanoseconds(reference);
	if (known & ARCH_ACTIVITY_INTERRUPTS)
		msr_try_read(MSR_MANAGEMENT_INTERRUPTS, &activity->management_interrupts);
	if (known & ARCH_ACTIVITY_THROTTLING)
		activity->throttled = throttled_take();
}
