/*
 * What processors ask of each other by signal: stop for good, say where you are, share your tasks. Each processor has
 * a word that holds what it is asked for; the signal carries a mark, which tells ours from one sent by anything else.
 * If the host's kernel merges two signals, both requests are still carried out.
 *
 *     nothing --request: a bit, then the signal--> asked --hosted_request: all bits at once--> nothing
 *
 * | operation      | progress  | takes effect        |
 * |----------------|-----------|---------------------|
 * | request        | wait-free | at the fetch-or     |
 * | hosted_request | wait-free | at the exchange     |
 */
#include <unistd.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "arch/hosted/system_call.h"

enum { STOP = 1, EXAMINE = 2, SHARE = 4 };

#define STOP_PATIENCE 100 /* milliseconds */

/* No other signal carries this. */
#define MARK ((void *)processors)

static _Atomic unsigned stopped;

void hosted_requests_start(void)
{
	atomic_store_explicit(&stopped, 0, memory_order_relaxed);
}

static void requests_send(const struct processor *processor)
{
	siginfo_t information = {.si_signo = REQUEST_SIGNAL, .si_code = SI_QUEUE};
	information.si_value.sival_ptr = MARK;
	system_call(SYS_rt_tgsigqueueinfo, (uintptr_t)system_call(SYS_getpid), processor->arch->number,
	            REQUEST_SIGNAL, (uintptr_t)&information);
}

/* One signal for all processors that ask for the same until it arrives. */
static void request(const struct processor *processor, uint32_t what)
{
	/* release: what was written before; pairs with the exchange in hosted_request. */
	if (!(atomic_fetch_or_explicit(&processor->arch->requests, what, memory_order_release) & what))
		requests_send(processor);
}

/* ------------------------------------------------------------------------------------------- serve -- */

_Noreturn static void stop(void)
{
	atomic_fetch_add_explicit(&stopped, 1, memory_order_relaxed);
	for (;;)
		pause();
}

static void examine(const greg_t *registers)
{
	const struct arch_place place = {.instruction = (uintptr_t)registers[REG_RIP],
	                                 .stack_pointer = (uintptr_t)registers[REG_RSP],
	                                 .frame_pointer = (uintptr_t)registers[REG_RBP]};
	panic_report_place(&place);
}

/* A sanitizer's own code is called from all of ours, but is not part of it: code interrupted there may be in the
 * middle of anything. So tasks are shared only where their processor enters the scheduler. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#	define INTERRUPTS false
#else
#	define INTERRUPTS true
#endif

/* Code of the program itself, not of Heddle. While the scheduler works, a processor runs Heddle's own code, the
 * host's kernel or what that maps (clock.c), and never the C library, which may be part of the program. */
static bool is_task_code(uintptr_t address)
{
	return hosted_is_program_code(address) && arch_is_user_code(address);
}

bool hosted_request(const siginfo_t *information, ucontext_t *context)
{
	const greg_t *registers = context->uc_mcontext.gregs;
	/* acquire: pairs with the release in request. */
	uint32_t asked = atomic_exchange_explicit(&processor_current()->arch->requests, 0, memory_order_acquire);
	if (asked & STOP)
		stop();
	uintptr_t limit = processor_interrupt_begin();
	if (INTERRUPTS && (asked & SHARE) && is_task_code((uintptr_t)registers[REG_RIP]))
		ready_interrupted();
	if (asked & EXAMINE)
		examine(registers);
	processor_interrupt_end(limit);
	return information->si_code == SI_QUEUE && information->si_value.sival_ptr == MARK;
}

/* --------------------------------------------------------------------------------------------- ask -- */

void arch_processor_examine(struct processor *processor)
{
	request(processor, EXAMINE);
}

void arch_processor_interrupt(struct processor *processor)
{
	request(processor, SHARE);
}

static unsigned requests_running_count(void)
{
	unsigned answered = atomic_load_explicit(&stopped, memory_order_relaxed) + 1;
	return answered < processor_count ? processor_count - answered : 0;
}

unsigned arch_processors_stop(void)
{
	for (unsigned index = 0; index < processor_count; index++)
		if (&processors[index] != processor_current() && processors[index].arch)
			request(&processors[index], STOP);
	for (unsigned waited = 0; requests_running_count() > 0 && waited < STOP_PATIENCE; waited++)
		usleep(1000);
	return requests_running_count();
}
