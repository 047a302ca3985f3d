/*
 * The switch of generators, which must be inline: each site saves exactly what it needs, since the compiler is told
 * that every register is lost, and has a jump of its own to predict (*switching* paper, section 3.1). Public:
 * user/include/heddle/machine/generator.h is a link to this file. Uses nothing but C.
 *
 * A generator that is not running is three registers, which its resumer keeps, mostly in registers itself. The
 * resumer is recorded at the top of the generator's stack, such that frame pointer and address form the frame through
 * which back traces go on. Nothing is pushed, so a red zone stays intact.
 *
 * In code that the plugin compiles, r15 counts the task's quantum, and goes on counting across the switch; in other
 * code it is an ordinary register. Control words of the vector and x87 units belong to the task, as in a call.
 */
#ifndef HEDDLE_MACHINE_GENERATOR_H
#define HEDDLE_MACHINE_GENERATOR_H

#include <stddef.h>
#include <stdint.h>

#include "heddle/scope.h"

HEDDLE_C_BEGIN

/* Heddle's own sanitized builds tell of each switch; else it is enough to tell the address sanitizer which stack is
 * entered. */
#if defined(HEDDLE_WATCHED) || defined(__SANITIZE_THREAD__)
#	define HEDDLE_GENERATOR_SANITIZED
#elif defined(__SANITIZE_ADDRESS__)
#	define HEDDLE_GENERATOR_TOLD
#elif defined(__has_feature)
#	if __has_feature(address_sanitizer)
#		define HEDDLE_GENERATOR_TOLD
#	endif
#endif

struct generator_state {
	void *stack_pointer, *frame_pointer;
	const void *address;
};

struct generator_resumer {
	void *frame_pointer, *address;
	void *stack_pointer;
	uintptr_t low;   /* of the generator's stack, */
	uintptr_t outer; /* and of the resumer's */
#ifdef HEDDLE_GENERATOR_SANITIZED
	void *fiber, *fake_stack; /* the generator's */
	void *resumer_fiber, *resumer_fake_stack;
	const void *resumer_low;
	size_t resumer_size;
#endif
};

/* Where a generator goes on when it is first resumed. This function and the next are never called: they are functions
 * so that the compiler takes their addresses in a way that reaches into a shared library. */
void generator_begin(void);

/* Stands in for the address while the generator runs: a jump to it means that the generator was resumed inside
 * itself, and panics. */
void generator_running(void);

/* Reached by a resumer's switch that is at another place than last time; only the switch below jumps there. */
void generator_resumed_elsewhere(void);

/* Go on in the generator until it yields or ends; returns the value. */
static inline intptr_t generator_switch_in(struct generator_state *state, struct generator_resumer *resumer);

/* Go on in the resumer; returns when the generator is resumed. */
static inline void generator_switch_out(struct generator_resumer *resumer, intptr_t value);

/* For code with the address sanitizer, in a library without (arch/hosted/sanitizer.c): the switch in, and what is to be
 * done with the stack before and after the generator's life, since that may end in the middle of functions. */
intptr_t generator_switch_in_told(struct generator_state *state, struct generator_resumer *resumer);
void generator_stack_clean(const struct generator_resumer *resumer);

#if defined(__HEDDLE_PLUGIN__)
#	define HEDDLE_GENERATOR_LOST_COUNTER
#else
#	define HEDDLE_GENERATOR_LOST_COUNTER , "r15"
#endif
#ifdef __AVX512F__
#	define HEDDLE_GENERATOR_LOST_WIDE                                                                       \
		, "xmm16", "xmm17", "xmm18", "xmm19", "xmm20", "xmm21", "xmm22", "xmm23", "xmm24", "xmm25", "xmm26", \
		    "xmm27", "xmm28", "xmm29", "xmm30", "xmm31", "k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7"
#else
#	define HEDDLE_GENERATOR_LOST_WIDE
#endif
/* All registers except rbp, which the statements restore, rdi, which is the resumer's address on both sides, and the
 * operands. */
#define HEDDLE_GENERATOR_LOST                                                                                \
	"rbx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5",    \
	    "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "st", "st(1)", \
	    "st(2)", "st(3)", "st(4)", "st(5)", "st(6)", "st(7)", "cc",                                          \
	    "memory" HEDDLE_GENERATOR_LOST_COUNTER HEDDLE_GENERATOR_LOST_WIDE

#define HEDDLE_GENERATOR_FIELDS                                         \
	[frame] "i"(offsetof(struct generator_resumer, frame_pointer)),     \
	    [address] "i"(offsetof(struct generator_resumer, address)),     \
	    [stack] "i"(offsetof(struct generator_resumer, stack_pointer)), \
	    [low] "i"(offsetof(struct generator_resumer, low)),             \
	    [outer] "i"(offsetof(struct generator_resumer, outer))

/* The limit of the running stack (arch_stack_limit): a generator's is its lowest address. */
#define HEDDLE_GENERATOR_LIMIT "%%fs:0x70"

/* A generator is mostly resumed from the same place as last time. Then the resumer is already recorded, and predicted
 * branches cost less than a store that the generator must wait for. Otherwise generator.asm records it, and goes on
 * there. */
static inline __attribute__((always_inline)) intptr_t generator_jump_in(struct generator_state *state,
                                                                        struct generator_resumer *resumer)
{
	intptr_t value;
	__asm__ volatile("leaq 1f(%%rip), %%rax\n\t"
	                 "cmpq %%rax, %c[address](%%rdi)\n\t"
	                 "jne generator_resumed_elsewhere\n\t"
	                 "cmpq %%rbp, %c[frame](%%rdi)\n\t"
	                 "jne generator_resumed_elsewhere\n\t"
	                 "cmpq %%rsp, %c[stack](%%rdi)\n\t"
	                 "jne generator_resumed_elsewhere\n\t"
	                 "movq %c[low](%%rdi), %%r9\n\t"
	                 "movq %%r9, " HEDDLE_GENERATOR_LIMIT "\n\t"
	                 "movq %%rsi, %%rsp\n\t"
	                 "movq %%rcx, %%rbp\n\t"
	                 "jmp *%%rdx\n"
	                 "1:"
	                 : "=a"(value), "+S"(state->stack_pointer), "+c"(state->frame_pointer),
	                   "+d"(state->address)
	                 : "D"(resumer), HEDDLE_GENERATOR_FIELDS
	                 : HEDDLE_GENERATOR_LOST);
	return value;
}

static inline __attribute__((always_inline)) void generator_jump_out(struct generator_resumer *resumer,
                                                                     intptr_t value)
{
	__asm__ volatile("movq %c[outer](%%rdi), %%r9\n\t"
	                 "movq %%r9, " HEDDLE_GENERATOR_LIMIT "\n\t"
	                 "leaq 1f(%%rip), %%rdx\n\t"
	                 "movq %%rsp, %%rsi\n\t"
	                 "movq %%rbp, %%rcx\n\t"
	                 "movq %c[stack](%%rdi), %%rsp\n\t"
	                 "movq %c[frame](%%rdi), %%rbp\n\t"
	                 "jmp *%c[address](%%rdi)\n"
	                 "1:"
	                 : "+a"(value)
	                 : "D"(resumer), HEDDLE_GENERATOR_FIELDS
	                 : "rcx", "rdx", "rsi", HEDDLE_GENERATOR_LOST);
}

#ifdef HEDDLE_GENERATOR_SANITIZED
/* The same with what the sanitizers must be told (generator.c). */
intptr_t generator_switch_in_noticed(struct generator_state *state, struct generator_resumer *resumer);
void generator_switch_out_noticed(struct generator_resumer *resumer, intptr_t value);
#endif

static inline __attribute__((always_inline)) intptr_t generator_switch_in(struct generator_state *state,
                                                                          struct generator_resumer *resumer)
{
#if defined(HEDDLE_GENERATOR_SANITIZED)
	return generator_switch_in_noticed(state, resumer);
#elif defined(HEDDLE_GENERATOR_TOLD)
	return generator_switch_in_told(state, resumer);
#else
	return generator_jump_in(state, resumer);
#endif
}

static inline __attribute__((always_inline)) void generator_switch_out(struct generator_resumer *resumer,
                                                                       intptr_t value)
{
#ifdef HEDDLE_GENERATOR_SANITIZED
	generator_switch_out_noticed(resumer, value);
#else
	generator_jump_out(resumer, value);
#endif
}

HEDDLE_C_END

#endif
