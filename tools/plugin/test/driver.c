/*
 * Runs the tests of a program and prints a line for each result:
 *     result NAME SEED CHECKSUM CHECKS
 * first each alone, then by fibers that run the same test and take turns at every check. At last it runs once
 * more, with back traces from some of its checks. A complaint is a line that begins with "wrong".
 */
#include "driver.h"

#include "gap.h"
#include "harness.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <unwind.h>

#define FIBERS          3
#define FIBER_STACK     (1024 * 1024)
#define FRAMES_MAXIMUM  20000
#define TRACES_AT_FIRST 40  /* back traces of each test: one at each of its first checks, ... */
#define TRACE_INTERVAL  509 /* ... then one in so many */

extern const struct test __start_tests[], __stop_tests[];

static const struct test *running;

/* ------------------------------------------------------------------------------------------ back traces --
 */

static uint64_t trace_number;
static bool tracing, trace_failed;

struct trace {
	unsigned frames;
	bool arrived;
};

int main(int count, char **words);

static _Unwind_Reason_Code trace_step(struct _Unwind_Context *context, void *state)
{
	struct trace *trace = state;
	void *function = _Unwind_FindEnclosingFunction((void *)(_Unwind_GetIP(context) - 1));
	trace->arrived = function == (void *)main;
	return trace->arrived || ++trace->frames > FRAMES_MAXIMUM ? _URC_NORMAL_STOP : _URC_NO_REASON;
}

/* From the check that is being made, the way back to main() must be found. */
static void trace_back(void)
{
	struct trace trace = {0};
	if (trace_number++ > TRACES_AT_FIRST && trace_number % TRACE_INTERVAL != 0)
		return;
	tracing = true;
	_Unwind_Backtrace(trace_step, &trace);
	tracing = false;
	if (!trace.arrived && !trace_failed)
		printf("wrong %s: a back trace from its check %" PRIu64 " ends after %u frames, not in main()\n",
		       running->name, trace_number, trace.frames);
	trace_failed |= !trace.arrived;
}

/* ----------------------------------------------------------------------------------------------- fibers --
 */

/* What the C++ library keeps for each thread: the exceptions that are being handled. Each fiber has its own.
 */
struct exceptions {
	void *caught;
	unsigned uncaught;
};
__attribute__((weak)) struct exceptions *__cxa_get_globals(void);

static struct fiber {
	void *stack_pointer;
	char *stack;
	uint64_t seed, result;
	bool done;
	struct exceptions exceptions;
} fibers[FIBERS];
static void *main_stack_pointer;
static unsigned current;

static void fiber_resume(void **save, unsigned next)
{
	struct fiber *from = &fibers[current], *to = &fibers[next];
	if (__cxa_get_globals) {
		from->exceptions = *__cxa_get_globals();
		*__cxa_get_globals() = to->exceptions;
	}
	current = next;
	fiber_switch(save, to->stack_pointer);
}

/* At a check: on to the next fiber that is not done. */
static void fiber_yield(void)
{
	unsigned next = current;
	do
		next = (next + 1) % FIBERS;
	while (fibers[next].done);
	if (next != current)
		fiber_resume(&fibers[current].stack_pointer, next);
}

static void fiber_main(void)
{
	struct fiber *fiber = &fibers[current];
	fiber->result = call_counted(running->run, fiber->seed);
	fiber->done = true;
	for (unsigned next = 0; next < FIBERS; next++)
		if (!fibers[next].done)
			fiber_resume(&fiber->stack_pointer, next);
	fiber_switch(&fiber->stack_pointer, main_stack_pointer);
}

static void fiber_prepare(struct fiber *fiber, uint64_t seed)
{
	if (!fiber->stack)
		fiber->stack = mmap(NULL, FIBER_STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (fiber->stack == MAP_FAILED) {
		puts("wrong: no memory for the stack of a fiber");
		exit(EXIT_FAILURE);
	}
	/* r15 to r12, rbx, rbp, the address to return to, and two that keep the stack aligned there. */
	uint64_t *top = (uint64_t *)(fiber->stack + FIBER_STACK) - 9;
	memset(top, 0, 9 * sizeof *top);
	top[4] = (uintptr_t)fiber_main;
	top[6] = (uintptr_t)fiber_begin;
	*fiber = (struct fiber){.stack_pointer = top, .stack = fiber->stack, .seed = seed};
}

/* ------------------------------------------------------------------------------------------------ tests --
 */

static void show(uint64_t seed, uint64_t result, uint64_t checks)
{
	printf("result %s %" PRIu64 " %016" PRIx64 " %" PRIu64 "\n", running->name, seed, result, checks);
}

static void run_alone(uint64_t seed)
{
	uint64_t before = harness_checks;
	harness_set_counter(quantum_counter_exact(0));
	uint64_t result = call_counted(running->run, seed);
	show(seed, result, harness_checks - before);
}

static void run_with_traces(void)
{
	harness_hook = trace_back;
	harness_set_counter(quantum_counter_exact(0));
	call_counted(running->run, 1);
	harness_hook = NULL;
}

static void run_in_fibers(void)
{
	uint64_t before = harness_checks;
	for (unsigned i = 0; i < FIBERS; i++)
		fiber_prepare(&fibers[i], i);
	current = 0;
	harness_hook = fiber_yield;
	harness_set_counter(quantum_counter_exact(0));
	struct exceptions exceptions = {0};
	if (__cxa_get_globals)
		exceptions = *__cxa_get_globals();
	fiber_switch(&main_stack_pointer, fibers[0].stack_pointer);
	if (__cxa_get_globals)
		*__cxa_get_globals() = exceptions;
	harness_hook = NULL;
	for (unsigned i = 0; i < FIBERS; i++)
		show(i, fibers[i].result, harness_checks - before);
}

static void on_fault(int number)
{
	char text[200];
	int length = snprintf(text, sizeof text, "wrong %s: it died of signal %d%s\n", running->name, number,
	                      tracing ? ", in a back trace" : "");
	(void)!write(STDOUT_FILENO, text, length);
	_exit(EXIT_FAILURE);
}

static void catch_faults(void)
{
	static char stack[64 * 1024];
	static const int numbers[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGALRM};
	stack_t alternate = {.ss_sp = stack, .ss_size = sizeof stack};
	struct sigaction action = {.sa_handler = on_fault, .sa_flags = SA_ONSTACK};
	sigaltstack(&alternate, NULL);
	for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
		sigaction(numbers[i], &action, NULL);
}

static int run(bool gaps)
{
	if (gaps) {
		gap_measure(running);
		return EXIT_SUCCESS;
	}
	for (uint64_t seed = 0; seed < FIBERS; seed++)
		run_alone(seed);
	run_in_fibers();
	run_with_traces();
	return trace_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* In a process of its own, so that the others run even if it dies. */
static int run_apart(bool gaps)
{
	pid_t child = fork();
	if (child == 0)
		exit(run(gaps));
	int status = 0;
	if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status)) {
		printf("wrong %s: its process could not be made or was killed\n", running->name);
		return EXIT_FAILURE;
	}
	return WEXITSTATUS(status);
}

/* PROGRAM [gaps] [TEST]: all tests, or one, in this process. */
int main(int count, char **words)
{
	bool gaps = count > 1 && strcmp(words[1], "gaps") == 0;
	const char *only = count > 1 + gaps ? words[1 + gaps] : NULL;
	int status = EXIT_SUCCESS;
	setvbuf(stdout, NULL, _IOLBF, 0);
	catch_faults();
	for (running = __start_tests; running < __stop_tests; running++) {
		if (only && strcmp(only, running->name) == 0)
			return run(gaps);
		if (!only && !(gaps && running->kind == TEST_OPAQUE))
			status |= run_apart(gaps);
	}
	return only ? EXIT_FAILURE : status;
}
