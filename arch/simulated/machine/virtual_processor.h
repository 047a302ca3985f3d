/*
 * A virtual processor: its registers while it does not run, its time, and what it waits for.
 *
 *     RUNNING --needs a line that is not at hand, or has used its grant--> READY
 *     READY --is the furthest behind, and needs nothing more--> RUNNING
 *     RUNNING --MACHINE_HALT--> HALTED --a wake-up or the deadline takes effect--> READY
 *     any --another processor has called machine_stop_others()--> STOPPED
 *
 * All virtual processors run in one thread of the host, so nothing here is atomic.
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

/* registers.asm saves the registers here. */
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

/* The lines that a processor needs, one after the other, before it goes on. */
struct need {
	uint8_t cause;       /* REGISTER_CAUSE_READ to _ATOMIC, or from _CALL on */
	uint64_t line, last; /* from `line` to `last` */
	bool copies;         /* and then it writes those from `target` to `target_last` */
	uint64_t target, target_last;
	bool streams;   /* the next line follows one that was just fetched */
	uint64_t there; /* not 0: the line was asked for, and arrives then */
};

#define STORES_MOST     128
#define WAITS_KEPT      16
#define PREFETCHES_MOST 32

struct virtual_processor {
	struct registers registers;
	unsigned index;
	unsigned core; /* whose own cache it uses */
	enum state state;
	uint64_t time;     /* when it was left, or goes on */
	uint32_t granted;  /* how many instructions it may run from `time` on */
	uint64_t executed; /* instructions until `time` */
	bool is_in_need;   /* READY: `need` is still to be served */
	struct need need;
	uint64_t deadline; /* HALTED: when it goes on by itself */
	bool woken;        /* a wake-up came, and the next halt ends at once */
	/* The last waits for reads, as a ring: how long each took, and the instruction before which it began. */
	struct wait {
		uint64_t time, before;
	} waits[WAITS_KEPT];
	unsigned wait_next;
	uint64_t reads_ahead; /* reads that began while it waited, since it last waited for all of a read */
	/* The last prefetched lines, and when each arrives. */
	struct prefetch {
		uint64_t line, there;
	} prefetches[PREFETCHES_MOST];
	unsigned prefetch_next;
	uint64_t prefetches_done; /* when all have arrived */
	/* The loop that reads the clock and does nothing else (clock.c). */
	struct poll {
		uintptr_t reader; /* its code; 0: there is none */
		uint64_t begin;
		uint64_t executed; /* at its last read of the clock */
	} poll;
	/* Stores under way: when all are complete, and when each of the last few is, as a ring. */
	uint64_t stores_done, stores[STORES_MOST];
	unsigned store_next;
	/* Interruptions that were asked for, and when they take effect. */
	uint64_t interrupt_at, examine_at; /* NEVER: not asked for */
	bool interrupted;                  /* it serves one, and `before` has its registers */
	struct registers before;
	uint64_t key; /* hand_key() */
};

extern struct virtual_processor virtual_processors[PROCESSORS_MAXIMUM];
extern unsigned virtual_processor_count;

/* The processor that runs, or was left last. (registers.asm) */
extern struct virtual_processor *machine_current;

#endif
