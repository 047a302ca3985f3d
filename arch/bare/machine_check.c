/*
 * Hardware errors: each processor has banks of registers in which its parts, and chips around it, record what went
 * wrong. The worst errors raise a fault, after which nothing can be relied on.
 */
#include "arch/bare/attempt.h"
#include "arch/bare/machine.h"
#include "arch/x86_64/decode/machine_check.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

#define CPUID_1_EDX_FAULT (1u << 7)
#define CPUID_1_EDX_BANKS (1u << 14)

#define MSR_CAPABILITIES     0x179
#define CAPABILITIES_COUNT   0xffu
#define CAPABILITIES_CONTROL (1u << 8)
#define MSR_STATUS           0x17a
#define STATUS_CAN_GO_ON     (1u << 0) /* execution could go on where the fault's frame says */
#define STATUS_THERE         (1u << 1) /* the instruction there caused it */
#define STATUS_IN_PROGRESS   (1u << 2) /* while it is set, one more error resets the machine silently */
#define MSR_CONTROL          0x17b
#define MSR_BANK(bank)       (0x400u + 4 * (bank)) /* control, status, address, further information */
#define BANK_STATUS          1
#define BANK_ADDRESS         2
#define BANK_MISC            3
#define BANKS_MAXIMUM        64
#define ALL_ERRORS           UINT64_MAX
#define BANK_NORTHBRIDGE     4
#define NORTHBRIDGE_GRAPHICS (1ull << 10)
#define TEXT_MAXIMUM         160

/* 0 where the processor has no such registers. */
static unsigned bank_count(void)
{
	const uint32_t needed = CPUID_1_EDX_FAULT | CPUID_1_EDX_BANKS;
	uint64_t capabilities;
	if ((cpuid(1, 0).edx & needed) != needed || !msr_try_read(MSR_CAPABILITIES, &capabilities))
		return 0;
	unsigned count = capabilities & CAPABILITIES_COUNT;
	return count < BANKS_MAXIMUM ? count : BANKS_MAXIMUM;
}

static uint64_t bank_read(unsigned bank, unsigned what)
{
	uint64_t value;
	return msr_try_read(MSR_BANK(bank) + what, &value) ? value : 0;
}

/* A line for a bank that holds an error. False: it holds none. */
static bool bank_report(unsigned bank, const char *when, void (*line)(const char *format, ...))
{
	char text[TEXT_MAXIMUM];
	uint64_t status = bank_read(bank, BANK_STATUS);
	if (!(status & MACHINE_CHECK_VALID))
		return false;
	machine_check_text(status, text, sizeof(text));
	line(
	    "hardware error%s, processor %u, bank %u: %s; status 0x%lx, address 0x%lx, further information 0x%lx",
	    when, processor_current()->index, bank, text, (unsigned long)status,
	    status & MACHINE_CHECK_HAS_ADDRESS ? (unsigned long)bank_read(bank, BANK_ADDRESS) : 0,
	    status & MACHINE_CHECK_HAS_MISC ? (unsigned long)bank_read(bank, BANK_MISC) : 0);
	return true;
}

/* Which errors a bank should report. On AMD's first 64-bit processors, the bank for the northbridge reports
 * speculative accesses to the graphics window as errors; Intel's before Nehalem keep settings of the board in bank
 * 0's register. */
static bool bank_control(unsigned bank, uint64_t *control)
{
	const struct identity identity = CPUID_OF_THIS;
	struct signature signature = identity_signature(&identity);
	*control = ALL_ERRORS;
	if (signature.maker == MAKER_AMD && signature.family == FAMILY_AMD_K8 && bank == BANK_NORTHBRIDGE)
		*control &= ~NORTHBRIDGE_GRAPHICS;
	return !(signature.maker == MAKER_INTEL && signature.family == FAMILY_INTEL_P6 &&
	         signature.model < MODEL_NEHALEM && bank == 0);
}

void machine_check_start(void)
{
	uint64_t capabilities;
	unsigned count = bank_count();
	if (count > 0 && msr_try_read(MSR_CAPABILITIES, &capabilities) && (capabilities & CAPABILITIES_CONTROL))
		msr_try_write(MSR_CONTROL, ALL_ERRORS);
	for (unsigned bank = 0; bank < count; bank++) {
		if (bank_report(bank, " from before this start", log_warning))
			msr_try_write(MSR_BANK(bank) + BANK_STATUS, 0);
		uint64_t control;
		if (bank_control(bank, &control))
			msr_try_write(MSR_BANK(bank), control);
	}
}

void machine_check_report(void (*line)(const char *format, ...))
{
	uint64_t status = 0;
	unsigned count = bank_count(), found = 0;
	if (count > 0 && msr_try_read(MSR_STATUS, &status)) {
		line("machine check status 0x%lx: the processor could%s go on, the instruction named here is%s at "
		     "fault",
		     (unsigned long)status, status & STATUS_CAN_GO_ON ? "" : " not",
		     status & STATUS_THERE ? "" : " not known to be");
		msr_try_write(MSR_STATUS, status & ~(uint64_t)STATUS_IN_PROGRESS);
	}
	/* The banks keep what they hold, so the next start reports it once more. */
	for (unsigned bank = 0; bank < count; bank++)
		found += bank_report(bank, "", line);
	if (found == 0)
		line("no bank of this processor says what it was; see the log of the board's own controller");
}
