/*
 * Halt and wake. The state of a processor, in arch_processor.idle_state:
 *
 *     RUNNING --arch_idle: about to halt--> HALTED --wake: and an interrupt is sent--> WOKEN
 *     RUNNING --arch_idle: about to watch this word--> WATCHING --wake: the write itself wakes--> WOKEN
 *     RUNNING --wake: nothing is sent--> WOKEN --arch_idle: does not halt--> RUNNING
 *     HALTED, WATCHING or WOKEN --arch_idle: no longer halted--> RUNNING
 *
 * A processor halts (HLT) or watches (MONITOR, MWAIT). Watching needs no interrupt to wake and is quicker, but an
 * emulator may spend all of its host's time on it, and it was not measured on a real machine. So idle= decides.
 *
 * Interrupts are off except during `sti; hlt`. The controller keeps one that is sent before, and it ends the halt at
 * once; so in either order the wake is not lost. An interrupt that comes too late ends a later halt early, which the
 * contract of arch_idle() allows; so does a non-maskable one just before the halt.
 */
#include <stdatomic.h>

#include "arch/bare/apic.h"
#include "arch/bare/attempt.h"
#include "arch/bare/clock.h"
#include "arch/bare/machine.h"
#include "arch/x86_64/decode/errata.h"
#include "arch/x86_64/instructions.h"
#include "kernel/command_line.h"
#include "kernel/console.h"
#include "kernel/panic.h"

/* A longer wait ends early, so that no cycle count overflows: one second. */
#define WAIT_MAXIMUM 1000000000ull

#define CPUID_1_ECX_MONITOR    (1u << 3)
#define CPUID_LEAF_MONITOR     5
#define MONITOR_ECX_INTERRUPTS 3u /* interrupts can end the wait although they are off */

enum idle_state { IDLE_RUNNING, IDLE_HALTED, IDLE_WATCHING, IDLE_WOKEN };

static bool watches;

/* Let interrupts in and halt until one has come. (idle.asm) */
void idle_halt(void);

/* Wait until the word has changed or an interrupt has come, and let that in. (idle_monitor.asm) */
void idle_monitor(_Atomic uint32_t *word, uint32_t value);

void idle_choose(void)
{
	const struct identity identity = CPUID_OF_THIS;
	const struct signature signature = identity_signature(&identity);
	uint32_t features = cpuid(1, 0).ecx;
	bool wanted = command_line.idle == IDLE_BY_MONITOR && !command_line.safe;
	bool can = wanted && (features & CPUID_1_ECX_MONITOR) &&
	           (cpuid(CPUID_LEAF_MONITOR, 0).ecx & MONITOR_ECX_INTERRUPTS) == MONITOR_ECX_INTERRUPTS;
	/* Some virtual processors claim to have it, and fault. */
	can = can && errata_monitor_is_sound(&signature) && monitor_try(&processor_current()->arch->idle_state);
	if (wanted && !can)
		log_warning("idle=monitor: this processor cannot do that while interrupts are off; it halts");
	watches = wanted && can;
	log_debug("idle: processors %s", watches ? "watch a word" : "halt");
}

/* False: the deadline has passed, or there is no timer to wait with. */
static bool timer_arm(uint64_t deadline)
{
	uint64_t now = arch_clock();
	if (deadline <= now)
		return false;
	if (deadline - now > WAIT_MAXIMUM)
		deadline = now + WAIT_MAXIMUM;
	if (apic_timer_has_deadline()) {
		apic_timer_set_deadline(clock_cycles_at(deadline));
		return true;
	}
	uint32_t count = clock_timer_count(deadline - now);
	apic_timer_set(count);
	return count != 0;
}

/* So that the timer does not end a later halt. */
static void timer_disarm(void)
{
	if (apic_timer_has_deadline())
		apic_timer_set_deadline(0);
	else
		apic_timer_set(0);
}

/* A store leaves its processor as soon as the line is there. No instruction waits for the stores of others; this time
 * is some ten times what the slowest store takes. */
#define SETTLE_TIME 2000 /* nanoseconds */

void arch_remote_barrier(void)
{
	uint64_t end = arch_clock() + SETTLE_TIME;
	while (arch_clock() < end)
		arch_pause();
}

void arch_idle(uint64_t deadline)
{
	struct arch_processor *machine = processor_current()->arch;
	uint32_t state = IDLE_RUNNING, idle = watches ? IDLE_WATCHING : IDLE_HALTED;
	/* RUNNING -> HALTED or WATCHING; acquire on failure as below. Release: a waker that finds HALTED also sees the
	 * idle processor's last writes. */
	if (atomic_compare_exchange_strong_explicit(&machine->idle_state, &state, idle, memory_order_acq_rel,
	                                            memory_order_acquire)) {
		bool timed = deadline != UINT64_MAX;
		bool armed = !timed || timer_arm(deadline);
		if (armed && watches)
			idle_monitor(&machine->idle_state, IDLE_WATCHING);
		else if (armed)
			idle_halt();
		if (timed)
			timer_disarm();
	}
	/* HALTED, WATCHING or WOKEN -> RUNNING; acquire: pairs with the release in arch_processor_wake(): what the waker
	 * published before is seen. */
	atomic_exchange_explicit(&machine->idle_state, IDLE_RUNNING, memory_order_acq_rel);
}

void arch_processor_wake(struct processor *processor)
{
	/* Any -> WOKEN; release: pairs with the acquire in arch_idle(). Only a halted processor needs the interrupt, and
	 * only from its first waker. */
	uint32_t state = atomic_exchange_explicit(&processor->arch->idle_state, IDLE_WOKEN, memory_order_acq_rel);
	if (state == IDLE_HALTED && !apic_send(processor->hardware_id, APIC_COMMAND_FIXED | VECTOR_WAKE))
		panic("the interrupt controller of processor %u took no interrupt for processor %u within a second; "
		      "the "
		      "hardware is at fault",
		      processor_current()->index, processor->index);
}
