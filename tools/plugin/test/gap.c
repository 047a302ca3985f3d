#define _GNU_SOURCE
#include "gap.h"

#include "harness.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#define TRAP_FLAG     0x100
#define STEPS_DEFAULT 4000

__attribute__((weak)) extern const unsigned char __start_instrumented[], __stop_instrumented[];

static struct {
	uint64_t steps_left;
	uint64_t executed;
	uint64_t since_check, longest;
	const unsigned char *last_check, *from, *to;
	const unsigned char *previous;
	uint64_t charged;
} walk;

static bool is_instrumented(const unsigned char *code)
{
	return code >= __start_instrumented && code < __stop_instrumented;
}

/* Whether this instruction takes something from the counter: subw $N, %r15w. */
static bool is_check(const unsigned char *code)
{
	return code[0] == 0x66 && code[1] == 0x41 && (code[2] == 0x83 || code[2] == 0x81) && code[3] == 0xef;
}

static unsigned charge_of(const unsigned char *check)
{
	return check[2] == 0x83 ? check[4] : check[4] | check[5] << 8;
}

static bool is_repeated(const unsigned char *code)
{
	return *code == 0xf2 || *code == 0xf3;
}

static void gap_ends(const unsigned char *code)
{
	if (walk.since_check > walk.longest) {
		walk.longest = walk.since_check;
		walk.from = walk.last_check;
		walk.to = code;
	}
	walk.since_check = 0;
	walk.last_check = code;
}

/* Before each instruction. */
static void on_step(int number, siginfo_t *information, void *context)
{
	greg_t *registers = ((ucontext_t *)context)->uc_mcontext.gregs;
	const unsigned char *code = (const unsigned char *)registers[REG_RIP];
	(void)number;
	(void)information;
	if (walk.steps_left == 0) {
		registers[REG_EFL] &= ~TRAP_FLAG;
		return;
	}
	registers[REG_EFL] |= TRAP_FLAG;
	walk.steps_left--;
	if (is_instrumented(code) && !(code == walk.previous && is_repeated(code))) {
		if (is_check(code)) {
			gap_ends(code);
			walk.charged += charge_of(code);
		}
		walk.executed++;
		walk.since_check++;
	}
	walk.previous = code;
}

void gap_measure(const struct test *test)
{
	const char *steps = getenv("STEPS");
	struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
	sigaction(SIGTRAP, &action, NULL);
	memset(&walk, 0, sizeof walk);
	harness_set_counter(quantum_counter_late(QUANTUM_COUNTER_HALF));
	walk.steps_left = steps ? strtoull(steps, NULL, 10) : STEPS_DEFAULT;
	raise(SIGTRAP);
	call_counted(test->run, 1);
	walk.steps_left = 0;
	raise(SIGTRAP);
	gap_ends(walk.previous);
	if (walk.executed == 0) {
		printf("wrong %s: no instruction of it was seen\n", test->name);
		exit(EXIT_FAILURE);
	}
	printf("gap %s %" PRIu64 " %" PRIu64 " %" PRIu64 " %p %p\n", test->name, walk.longest, walk.executed,
	       walk.charged, (const void *)walk.from, (const void *)walk.to);
}
