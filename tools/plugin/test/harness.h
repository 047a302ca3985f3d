/*
 * What lies under a program whose checks are tested: a processor's block that is reached as the compiler
 * plugin expects it, and a quantum_spent() that is called at every check and destroys all that a function may
 * destroy.
 */
#ifndef HEDDLE_PLUGIN_TEST_HARNESS_H
#define HEDDLE_PLUGIN_TEST_HARNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "arch/x86_64/quantum_counter.h"

/* The beginning of struct processor: all that instrumented code knows of it. */
struct harness_block {
	uint64_t self;
	uint64_t scheduler;
	int32_t quantum;
	uint32_t uncooperative;
};

extern struct harness_block harness_block;

/* Checks whose quantum was spent, since the program began. */
extern uint64_t harness_checks;

/* Called at each such check, if there is one; it may switch to another fiber. */
extern void (*harness_hook)(void);

/*
 * Begin with this counter (arch/x86_64/quantum_counter.h), and begin again with it at each check that spends it: one
 * of no instructions makes every check call. It lives in r15, so everything here is compiled without that register,
 * as Heddle itself is.
 */
void harness_set_counter(int32_t counter);

/* Destroys every register that a function may destroy, the flags, and the stack below its own frame
 * (scramble.asm). */
void scramble(void);

/* Which vector registers scramble() destroys: 0 only the 128-bit ones, 1 the 256-bit ones too, 2 all and the
 * masks. */
extern uint32_t scramble_level;

/* What the plugin puts around the body of a function that must not be interrupted. */
void uncooperative_begin(void);
void uncooperative_end(void);

/* function(argument), as instrumented code calls it: else it would be foreign code that calls back (scramble.asm). */
uint64_t call_counted(uint64_t (*function)(uint64_t), uint64_t argument);

/* Leaves the running fiber, whose stack pointer goes to *save, and continues another (scramble.asm). */
void fiber_switch(void **save, void *load);

/* Where a fiber begins: it calls the function in its rbx, which does not return. */
void fiber_begin(void);

#endif
