#include "arch/bare/performance.h"

#include "arch/bare/attempt.h"
#include "arch/x86_64/instructions.h"
#include "kernel/command_line.h"
#include "kernel/processor.h"

#define LEAF_POWER           6
#define POWER_EAX_TURBO      (1u << 1)
#define POWER_EAX_HARDWARE   (1u << 7) /* the processor chooses, within limits (HWP) */
#define POWER_ECX_BIAS       (1u << 3)
#define CPUID_1_ECX_STEPS    (1u << 7) /* P-states, set by a ratio */
#define LEAF_POWER_AMD       0x80000007
#define POWER_AMD_EDX_STATES (1u << 7)
#define LEAF_SIZES           0x80000008
#define SIZES_EBX_HARDWARE   (1u << 27) /* as HWP (CPPC) */

/* Intel's manual, volume 3, sections 15.1 to 15.4, and volume 4 */
#define MSR_HARDWARE_ON    0x770
#define MSR_HARDWARE_RANGE 0x771 /* the highest in the lowest byte */
#define MSR_HARDWARE_REQUEST \
	0x774 /* lowest, highest, desired (0: as it likes), preference (0: performance) */
#define MSR_BIAS             0x1b0 /* 0: performance */
#define MSR_STEP_CONTROL     0x199 /* ratio in bits 8 to 15 */
#define MSR_STEP_INFORMATION 0xce
#define MSR_STEP_TURBO       0x1ad
#define MSR_POWER_CONTROL    0x1fc
#define POWER_CONTROL_C1E    (1ull << 1) /* halting lowers frequency and voltage */

/* AMD's manual, volume 2, section 17, and its references for families 17h and 19h */
#define MSR_AMD_RANGE         0xc00102b0 /* the highest in the highest byte */
#define MSR_AMD_HARDWARE_ON   0xc00102b1
#define MSR_AMD_REQUEST       0xc00102b3 /* highest, lowest, desired, preference */
#define MSR_AMD_STATE         0xc0010062 /* 0: the fastest */
#define MSR_AMD_PACKAGE_SLEEP 0xc0010292
#define AMD_PACKAGE_SLEEP_ON  (1ull << 32)
#define MSR_AMD_SLEEP         0xc0010296
#define AMD_SLEEP_ON          (1ull << 6 | 1ull << 14 | 1ull << 22) /* cores that halt are switched off */
#define FAMILY_ZEN            0x17
#define FAMILY_ZEN_LAST       0x1a

static const char *asked = "nothing"; /* for what the boot processor was asked */

static bool is_virtual(void)
{
	return (cpuid(1, 0).ecx & CPUID_1_ECX_HYPERVISOR) != 0;
}

/* Whether the register then has the value. */
static bool msr_set(uint32_t number, uint64_t value)
{
	uint64_t now;
	return msr_try_write(number, value) && msr_try_read(number, &now) && now == value;
}

static void msr_clear(uint32_t number, uint64_t bits)
{
	uint64_t now;
	if (msr_try_read(number, &now) && (now & bits))
		msr_try_write(number, now & ~bits);
}

static const char *ask_intel(const struct signature *signature)
{
	struct cpuid_result power = cpuid(LEAF_POWER, 0);
	uint64_t range, turbo;
	if (signature->family == FAMILY_INTEL_P6 && signature->model >= MODEL_NEHALEM)
		msr_clear(MSR_POWER_CONTROL, POWER_CONTROL_C1E);
	if (power.ecx & POWER_ECX_BIAS)
		msr_try_write(MSR_BIAS, 0);
	if ((power.eax & POWER_EAX_HARDWARE) && msr_try_write(MSR_HARDWARE_ON, 1) &&
	    msr_try_read(MSR_HARDWARE_RANGE, &range)) {
		uint64_t highest = range & 0xff;
		if (highest != 0 && msr_set(MSR_HARDWARE_REQUEST, highest | highest << 8))
			return "the highest performance (HWP)";
	}
	if (!(cpuid(1, 0).ecx & CPUID_1_ECX_STEPS) || !msr_try_read(MSR_STEP_INFORMATION, &range))
		return "nothing";
	uint64_t ratio = range >> 8 & 0xff;
	if ((power.eax & POWER_EAX_TURBO) && msr_try_read(MSR_STEP_TURBO, &turbo) && (turbo & 0xff) > ratio)
		ratio = turbo & 0xff;
	return ratio != 0 && msr_try_write(MSR_STEP_CONTROL, ratio << 8) ? "the highest frequency (P-state)"
	                                                                 : "nothing";
}

static const char *ask_amd(const struct signature *signature)
{
	uint64_t range;
	if (signature->family >= FAMILY_ZEN && signature->family <= FAMILY_ZEN_LAST) {
		msr_clear(MSR_AMD_PACKAGE_SLEEP, AMD_PACKAGE_SLEEP_ON);
		msr_clear(MSR_AMD_SLEEP, AMD_SLEEP_ON);
	}
	if ((cpuid(LEAF_SIZES, 0).ebx & SIZES_EBX_HARDWARE) && msr_try_write(MSR_AMD_HARDWARE_ON, 1) &&
	    msr_try_read(MSR_AMD_RANGE, &range)) {
		uint64_t highest = range >> 24 & 0xff;
		if (highest != 0 && msr_set(MSR_AMD_REQUEST, highest | highest << 8))
			return "the highest performance (CPPC)";
	}
	if ((cpuid(LEAF_POWER_AMD, 0).edx & POWER_AMD_EDX_STATES) && msr_try_write(MSR_AMD_STATE, 0))
		return "the highest frequency (P-state)";
	return "nothing";
}

void performance_ask(void)
{
	const struct identity identity = CPUID_OF_THIS;
	const struct signature signature = identity_signature(&identity);
	if (!command_line.performance || is_virtual())
		return;
	const char *what = "nothing";
	if (signature.maker == MAKER_INTEL)
		what = ask_intel(&signature);
	else if (signature.maker == MAKER_AMD || signature.maker == MAKER_HYGON)
		what = ask_amd(&signature);
	if (processor_current()->index == 0)
		asked = what;
}

const char *performance_asked(void)
{
	return asked;
}
