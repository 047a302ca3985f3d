/*
 * A virtual processor: its registers while it does not run, its time, and what it waits for.
 *
 *     RUNNING --it needs a line that is not at hand, or has come to its limit--> READY
 *     READY --it is the furthest behind, and needs nothing more--> RUNNING
 *     RUNNING --MACHINE_HALT--> HALTED --a wake-up, or its deadline, takes effect--> READY
 *     any --another has stopped the machine--> STOPPED
 *
 * All run in one thread of the host: nothing here is atomic.
 */
#ifndef MACHINE_VIRTUAL_PROCESSOR_H
#define MACHINE_VIRTUAL_PROCESSOR_H

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "kernel/processor.h"

#define REGISTER(name, number) enum { REGISTER_##name = number }
#include "arch/simulated/machine/registers.inc"
#undef REGISTER

#define PICOSECONDS 1000 /* of a nanosecond: times are in picoseconds */
#define NEVER       UINT64_MAX

/* As registers.asm has them. */
struct registers {
	uint64_t rax, rcx, rdx, rbx, rsp, rbp, rsi, rdi, r8, r9, r10, r11, r12, r13, r14, r15;
	uint64_t flags;
	uint64_t limit; /* of the stack that runs */
	uint64_t base;  /* of GS */
	uint32_t vector_control;
	uint16_t x87_control;
	alignas(16) uint8_t vectors[16][16];
};

_Static_assert(offsetof(struct registers, r15) == REGISTER_R15 &&
                   offsetof(struct registers, base) == REGISTER_BASE &&
                   offsetof(struct registers, x87_control) == REGISTER_X87_CONTROL &&
                   offsetof(struct registers, vectors) == REGISTER_VECTORS &&
                   sizeof(struct registers) == REGISTER_BYTES,
               "registers.inc");

enum state { STATE_ABSENT, STATE_RUNNING, STATE_READY, STATE_HALTED, STATE_STOPPED };

/* Lines that a processor needs before it goes on, one after the other. */
struct need {
	uint8_t cause;       /* REGISTER_CAUSE_READ to _ATOMIC, or from _CALL on */
	uint64_t line, last; /* all of these; */
	bool copies;         /* and then it writes those from `target` on */
	uint64_t target, target_last;
	bool streams;   /* the next line is not the first */
	uint64_t there; /* not 0: it has asked for the line, and takes it when its time comes */
};

#define STORES_MOST     128
#define WAITS_KEPT      16
#define PREFETCHES_MOST 32

struct virtual_processor {
	struct registers registers;
	unsigned index;
	unsigned core; /* whose own cache it uses */
	enum state state;
	uint64_t time;     /* as of when it was left, or goes on */
	uint32_t granted;  /* the instructions that it was to run then, at most */
	uint64_t executed; /* instructions until then */
	bool is_in_need;   /* READY: of `need` */
	struct need need;
	uint64_t deadline; /* HALTED: when it goes on by itself */
	bool woken;        /* a wake-up came that no halt has taken */
	/* The last waits for what it read: how long, and before which instruction each began, as a ring. */
	struct wait {
		uint64_t time, before;
	} waits[WAITS_KEPT];
	unsigned wait_next;
	/* Lines that were prefetched last, and when each is there. */
	struct prefetch {
		uint64_t line, there;
	} prefetches[PREFETCHES_MOST];
	unsigned prefetch_next;
	uint64_t prefetches_done; /* all of them */
	/* The loop that reads the clock and does nothing else (clock.c). */
	struct poll {
		uintptr_t reader; /* its code; 0: there is none */
		uint64_t begin;
		uint64_t executed; /* when it has read the clock last */
	} poll;
	/* Stores that are on their way: when the last one is done, and when each of the last few was, as a ring. */
	uint64_t stores_done, stores[STORES_MOST];
	unsigned store_next;
	/* Interruptions that were asked for, and from when on. */
	uint64_t interrupt_at, examine_at; /* NEVER: it was not */
	bool interrupted;                  /* it serves one: `before` is where it was */
	struct registers before;
	uint64_t key; /* of its lines at hand */
};

extern struct virtual_processor virtual_processors[PROCESSORS_MAXIMUM];
extern unsigned virtual_processor_count;

/* The one that runs, or was left last. (registers.asm) */
extern struct virtual_processor *machine_current;

#endif
