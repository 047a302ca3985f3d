/*
 * What processors tell each other by non-maskable interrupt: stop for good, say where you are, or look whether there
 * is something to do.
 *
 * A processor sets the flag of its question, then `notified`; the first to set that sends the interrupt. The handler
 * clears `notified` before it reads the flags. So it sees the flags of processors that sent no interrupt, and every
 * interrupt that was sent finds `notified` set, even if an earlier one has answered its question.
 *
 *     false --a processor that asks: sends the interrupt--> true --the handler--> false
 */
#include <stdatomic.h>

#include "arch/bare/apic.h"
#include "arch/bare/machine.h"
#include "arch/x86_64/instructions.h"
#include "kernel/console.h"

/* Nanoseconds from one answer to the next. An emulator is slow while all processors are busy. */
#define STOP_WAIT 2000000000ull

/* The processor that told all others to stop; NULL: none yet. It goes on whatever it is asked: a watchdog may ask where
 * it is, just when it begins to report a panic. */
static _Atomic(const struct processor *) stopper;

/* Another processor that is prepared; before that, it cannot run. */
static bool is_other(const struct processor *processor)
{
	return processor != processor_current() && processor->arch != NULL;
}

static unsigned nmi_running_count(void)
{
	unsigned count = 0;
	for (unsigned i = 0; i < processor_count; i++)
		if (is_other(&processors[i]) &&
		    !atomic_load_explicit(&processors[i].arch->stopped, memory_order_relaxed))
			count++;
	return count;
}

unsigned arch_processors_stop(void)
{
	/* release: what was written before is visible when the others halt; pairs with the acquire in nmi_handle(). */
	atomic_store_explicit(&stopper, processor_current(), memory_order_release);
	for (unsigned i = 0; i < processor_count; i++)
		if (is_other(&processors[i]))
			apic_send(processors[i].hardware_id, APIC_COMMAND_NMI);
	unsigned running = nmi_running_count();
	uint64_t deadline = arch_clock() + STOP_WAIT;
	while (running > 0 && arch_clock() < deadline) {
		arch_pause();
		unsigned still_running = nmi_running_count();
		if (still_running < running)
			deadline = arch_clock() + STOP_WAIT;
		running = still_running;
	}
	return running;
}

/* False: the interrupt controller does not take it. */
static bool nmi_notify(struct processor *processor)
{
	/* false -> true; release: the flag, even if another processor's interrupt is under way; pairs with
	 * nmi_handle(). */
	if (atomic_exchange_explicit(&processor->arch->notified, true, memory_order_acq_rel) ||
	    apic_send(processor->hardware_id, APIC_COMMAND_NMI))
		return true;
	atomic_store_explicit(&processor->arch->notified, false, memory_order_relaxed);
	return false;
}

void arch_processor_examine(struct processor *processor)
{
	atomic_store_explicit(&processor->arch->examined, true, memory_order_relaxed);
	if (!nmi_notify(processor))
		log_error("processor %u cannot be asked where it is: the interrupt controller takes no interrupt",
		          processor->index);
}

void arch_processor_interrupt(struct processor *processor)
{
	/* The request itself is seen sooner or later. */
	atomic_store_explicit(&processor->arch->interrupted, true, memory_order_relaxed);
	nmi_notify(processor);
}

_Noreturn static void nmi_stop(struct arch_processor *machine)
{
	atomic_store_explicit(&machine->stopped, true, memory_order_relaxed);
	interrupts_disable();
	for (;;)
		processor_halt();
}

void nmi_handle(const struct arch_place *place)
{
	struct arch_processor *machine = processor_current()->arch;
	/* acquire: pairs with the release in arch_processors_stop(). */
	const struct processor *stopped_by = atomic_load_explicit(&stopper, memory_order_acquire);
	if (stopped_by == processor_current())
		return;
	if (stopped_by)
		nmi_stop(machine);
	uintptr_t limit = processor_interrupt_begin();
	/* true -> false; acquire: the flags; pairs with nmi_notify(). */
	bool notified = atomic_exchange_explicit(&machine->notified, false, memory_order_acq_rel);
	bool interrupted = atomic_exchange_explicit(&machine->interrupted, false, memory_order_relaxed);
	if (interrupted && arch_is_user_code(place->instruction))
		ready_interrupted();
	if (atomic_exchange_explicit(&machine->examined, false, memory_order_relaxed))
		panic_report_place(place);
	if (!notified)
		log_error("processor %u got a non-maskable interrupt that no processor sent, at 0x%lx: "
		          "the hardware reports an error; see the machine's own log",
		          processor_current()->index, (unsigned long)place->instruction);
	processor_interrupt_end(limit);
}
