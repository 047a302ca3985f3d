/*
 * The local APIC (Intel's manual, volume 3, chapter 11).
 */
#include "arch/bare/apic.h"
#include "arch/bare/attempt.h"
#include "arch/x86_64/decode/errata.h"
#include "arch/x86_64/instructions.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/panic.h"

#define CPUID_1_ECX_WIDE     (1u << 21)
#define CPUID_1_ECX_DEADLINE (1u << 24)
#define CPUID_LEAF_POWER     6
#define POWER_EAX_RUNS_ON    (1u << 2) /* the timer runs on while the processor saves power */

#define MSR_BASE         0x1b
#define BASE_ENABLED     (1ull << 11)
#define BASE_WIDE        (1ull << 10)
#define BASE_ADDRESS     0x000ffffffffff000ull
#define MSR_MICROCODE    0x8b /* its revision in the upper half, after leaf 1 was read */
#define MSR_DEADLINE     0x6e0
#define MSR_REGISTERS    0x800 /* x2APIC: register number = this + offset / 16 */
#define REGISTERS_LENGTH 4096

enum apic_register {
	REGISTER_ID = 0x020,
	REGISTER_TASK_PRIORITY = 0x080,
	REGISTER_END_OF_INTERRUPT = 0x0b0,
	REGISTER_SPURIOUS = 0x0f0,
	REGISTER_COMMAND = 0x300,
	REGISTER_COMMAND_DESTINATION = 0x310, /* xAPIC only; in x2APIC part of REGISTER_COMMAND */
	REGISTER_LOCAL_TIMER = 0x320,
	REGISTER_LOCAL_LINE_0 = 0x350,
	REGISTER_LOCAL_ERROR = 0x370,
	REGISTER_TIMER_INITIAL = 0x380,
	REGISTER_TIMER_CURRENT = 0x390,
	REGISTER_TIMER_DIVIDE = 0x3e0,
};

#define SPURIOUS_ENABLED      0x100u
#define LOCAL_MASKED          0x10000u
#define LOCAL_TIMER_DEADLINE  0x40000u
#define COMMAND_PENDING       0x1000u
#define TIMER_DIVIDE_BY_16    3u
#define COMMAND_WAIT_ATTEMPTS 1000000u /* each is one read of the device: about a second at the most */

static bool wide;
static bool deadline;
static volatile uint32_t
    *registers; /* xAPIC: the same address on each processor leads to its own controller */

static uint32_t apic_register_read(enum apic_register offset)
{
	if (wide)
		return (uint32_t)msr_read(MSR_REGISTERS + offset / 16);
	return registers[offset / sizeof(*registers)];
}

static void apic_register_write(enum apic_register offset, uint32_t value)
{
	if (wide)
		msr_write(MSR_REGISTERS + offset / 16, value);
	else
		registers[offset / sizeof(*registers)] = value;
}

void apic_enable(void)
{
	/* From off to x2APIC, the mode must pass through xAPIC. */
	uint64_t base = msr_read(MSR_BASE);
	if (!(base & BASE_ENABLED))
		msr_write(MSR_BASE, base |= BASE_ENABLED);
	if (wide && !(base & BASE_WIDE))
		msr_write(MSR_BASE, base | BASE_WIDE);

	apic_register_write(REGISTER_SPURIOUS, SPURIOUS_ENABLED | VECTOR_SPURIOUS);
	apic_register_write(REGISTER_TASK_PRIORITY, 0);
	/* Line 0 is the input of the old interrupt controllers, which is not served. Line 1 stays on: the board's
	 * NMIs. */
	apic_register_write(REGISTER_LOCAL_LINE_0, LOCAL_MASKED);
	apic_register_write(REGISTER_LOCAL_ERROR, LOCAL_MASKED);
	apic_register_write(REGISTER_TIMER_DIVIDE, TIMER_DIVIDE_BY_16);
	apic_register_write(REGISTER_LOCAL_TIMER, VECTOR_TIMER | (deadline ? LOCAL_TIMER_DEADLINE : 0));
	/* The write above must have arrived before the first deadline is set, or the processor ignores that. */
	memory_fence();
}

static uint32_t microcode_revision(void)
{
	uint64_t value;
	if (!msr_try_write(MSR_MICROCODE, 0))
		return 0;
	cpuid(1, 0);
	return msr_try_read(MSR_MICROCODE, &value) ? (uint32_t)(value >> 32) : 0;
}

static bool deadline_is_usable(void)
{
	const struct identity identity = CPUID_OF_THIS;
	struct signature signature = identity_signature(&identity);
	uint32_t features = cpuid(1, 0).ecx;
	if (command_line.safe || !(features & CPUID_1_ECX_DEADLINE) ||
	    !(cpuid(CPUID_LEAF_POWER, 0).eax & POWER_EAX_RUNS_ON))
		return false;
	/* A hypervisor emulates a timer without that error. */
	if ((features & CPUID_1_ECX_HYPERVISOR) || signature.maker != MAKER_INTEL ||
	    errata_deadline_is_sound(&signature, microcode_revision()))
		return true;
	log_info("APIC: with this microcode the timer may miss its deadline; it counts instead");
	return false;
}

void apic_start(uint64_t firmware_address, bool want_wide)
{
	uint64_t base = msr_read(MSR_BASE), address = base & BASE_ADDRESS;
	uint32_t features = cpuid(1, 0).ecx;
	wide = (base & BASE_WIDE) || (want_wide && !command_line.safe && (features & CPUID_1_ECX_WIDE));
	deadline = deadline_is_usable();
	if (!wide && firmware_address != 0 && firmware_address != address)
		log_warning("APIC: the firmware says it is at 0x%lx, the processor says 0x%lx; using the latter",
		            (unsigned long)firmware_address, (unsigned long)address);
	if (!wide && !paging_covers(address, REGISTERS_LENGTH))
		panic("the local APIC is at 0x%lx, which is not mapped; have the firmware put it below 4 GiB or use "
		      "x2APIC",
		      (unsigned long)address);
	registers = (volatile uint32_t *)address;
	apic_enable();
	log_debug("APIC: %s, id %u, timer %s", wide ? "x2APIC" : "xAPIC", apic_id(),
	          deadline ? "with a deadline" : "counts");
}

uintptr_t apic_registers(void)
{
	return (uintptr_t)registers;
}

bool apic_is_wide(void)
{
	return wide;
}

uint32_t apic_id(void)
{
	uint32_t id = apic_register_read(REGISTER_ID);
	return wide ? id : id >> 24;
}

void apic_end_of_interrupt(void)
{
	apic_register_write(REGISTER_END_OF_INTERRUPT, 0);
}

bool apic_send(uint32_t hardware_id, uint32_t command)
{
	if (wide) {
		/* Unlike a write to a device's memory, a write to the register may pass earlier writes to memory. */
		memory_fence();
		msr_write(MSR_REGISTERS + REGISTER_COMMAND / 16, (uint64_t)hardware_id << 32 | command);
		return true;
	}
	unsigned attempts = 0;
	while (apic_register_read(REGISTER_COMMAND) & COMMAND_PENDING) {
		if (++attempts == COMMAND_WAIT_ATTEMPTS)
			return false;
		arch_pause();
	}
	apic_register_write(REGISTER_COMMAND_DESTINATION, hardware_id << 24);
	apic_register_write(REGISTER_COMMAND, command);
	return true;
}

void apic_timer_set(uint32_t count)
{
	apic_register_write(REGISTER_TIMER_INITIAL, count);
}

uint32_t apic_timer_count(void)
{
	return apic_register_read(REGISTER_TIMER_CURRENT);
}

bool apic_timer_has_deadline(void)
{
	return deadline;
}

void apic_timer_set_deadline(uint64_t cycles)
{
	msr_write(MSR_DEADLINE, cycles);
}
