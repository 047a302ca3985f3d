/*
 * A fault of simulated code is a signal, as in arch/hosted/. While it is handled, all other processors wait.
 */
#include <signal.h>
#include <stdlib.h>

#include "arch/hosted/hosted.h"
#include "arch/hosted/signals.h"
#include "arch/simulated/machine/faults.h"
#include "arch/simulated/machine/simulator.h"

#define STACK_BYTES 131072

bool hosted_signal_is_fault(const siginfo_t *information)
{
	return information->si_code > 0;
}

/* The simulator is a program of its own. */
bool hosted_is_embedded(void)
{
	return false;
}

bool hosted_signal_has_handler(int number)
{
	(void)number;
	return false;
}

/* The clock is the simulator's. */
bool hosted_is_clock_code(uintptr_t address)
{
	(void)address;
	return false;
}

static void handle(int number, siginfo_t *information, void *context)
{
	simulator_alone_begin();
	if (!hosted_fault(information, context))
		signal(number, SIG_DFL); /* it was sent, so the default action ends the process */
	simulator_alone_end();
}

void faults_start(void)
{
	static char memory[STACK_BYTES];
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};
	stack_t stack = {.ss_sp = memory, .ss_size = sizeof(memory)};
	struct sigaction action = {.sa_sigaction = handle, .sa_flags = SA_SIGINFO | SA_ONSTACK};
	sigaltstack(&stack, NULL);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		sigaction(numbers[i], &action, NULL);
}
