/*
 * What processors ask of each other by signal: stop for good, say where you are, share your tasks. Each processor has
 * a word that holds what it is asked for; the signal carries a mark, which tells ours from one sent by anything else.
 * If the host's kernel merges two signals, both requests are still carried out. A call of the host's kernel that the
 * signal interrupts goes on, or is not interrupted (system_waits.h).
 *
 *     nothing --request: a bit, then the signal--> asked --hosted_request: all bits at once--> nothing
 *
 * | operation      | progress  | takes effect        |
 * |----------------|-----------|---------------------|
 * | request        | wait-free | at the fetch-or; or nowhere, during a wait with a limit |
 * | hosted_request | wait-free | at the exchange     |
 */
#include <stdio.h>
#include <unistd.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "arch/hosted/system_call.h"
#include "arch/hosted/system_waits.h"
#include "kernel/console.h"

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

/* One signal for all processors that ask for the same until it arrives; none while it would end a wait of the
 * processor's too early (system_waits.h): then false. */
static bool request(const struct processor *processor, uint32_t what)
{
	if (what != STOP && !hosted_wait_is_patient(processor->arch))
		return false;
	/* release: what was written before; pairs with the exchange in hosted_request. */
	if (!(atomic_fetch_or_explicit(&processor->arch->requests, what, memory_order_release) & what))
		requests_send(processor);
	return true;
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

/* A task's own code, or a library's that the task has called, whatever that waits for and whatever locks it holds:
 * what follows allocates nothing and takes no lock but Heddle's, which Heddle's own code alone holds, and calls no
 * library. So what matters is only that the processor is between two operations on its queues. It is not in Heddle's
 * own code, and not in the host's that reads the clock (clock.c). Nor in a library that Heddle has called amid an
 * operation: Heddle does so in finalizers and handlers, which have no stack limit and have not taken the processor's
 * stack for a task, and where it tells a sanitizer of stacks (sanitizer.c), without a limit as well. A handler of the
 * program's that runs on the signal stack may have interrupted any of these. */
static bool is_task_code(const greg_t *registers, uintptr_t limit)
{
	return arch_is_user_code((uintptr_t)registers[REG_RIP]) &&
	       (limit != 0 || processor_current()->stack_taken) &&
	       !hosted_is_on_signal_stack((uintptr_t)registers[REG_RSP]);
}

static bool is_request(const siginfo_t *information)
{
	return information->si_code == SI_QUEUE && information->si_value.sival_ptr == MARK;
}

bool hosted_request(const siginfo_t *information, ucontext_t *context)
{
	greg_t *registers = context->uc_mcontext.gregs;
	struct arch_processor *host = processor_current()->arch;
	/* acquire: pairs with the release in request. */
	uint32_t asked = atomic_exchange_explicit(&host->requests, 0, memory_order_acquire);
	if (asked & STOP)
		stop();
	uintptr_t limit = processor_interrupt_begin();
	if (INTERRUPTS && (asked & SHARE) && is_task_code(registers, limit))
		ready_interrupted();
	if (asked & EXAMINE)
		examine(registers);
	processor_interrupt_end(limit);
	if (is_request(information))
		hosted_wait_repeat(host, registers);
	return is_request(information);
}

/* --------------------------------------------------------------------------------------------- ask -- */

#define NOT_INTERRUPTED "processor %u waits in a call of the host's kernel that has a time limit"

/* A thread that is no processor cannot log. */
void arch_processor_examine(struct processor *processor)
{
	if (request(processor, EXAMINE))
		return;
	if (hosted_is_processor())
		log_warning(NOT_INTERRUPTED, processor->index);
	else
		dprintf(STDERR_FILENO, "heddle: " NOT_INTERRUPTED "\n", processor->index);
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
