/*
 * The seam between portable code and the machine. Everything that kernel/, sched/, sync/ and user/ need of a machine
 * is declared here, or inline in the instruction set's headers, and nowhere else. The instruction set provides the
 * switch, a platform the rest: arch/bare/ for the bare machine, arch/hosted/ for one Linux process in which each
 * processor is a pinned thread, arch/simulated/ for a machine in virtual time. Outside arch/ there is no inline
 * assembly, no #ifdef on a target and no term of the machine.
 *
 * What arch/ calls of kernel/ and sched/, beside the kernel's services, is at the end, under "calls up".
 */
#ifndef ARCH_ARCH_H
#define ARCH_ARCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "arch/instruction_set.h"

struct boot_information;
struct processor;
struct scheduler;
struct topology;

/* ---------------------------------------------------------------------------------------------- boot -- */

/* Prepare the boot processor as far as that needs no memory: descriptors, fault vectors, final page tables. May take
 * pages out of boot->regions (boot_memory_take). Called once, before memory_start(). */
void arch_machine_start(struct boot_information *boot);

/* Find out which processors and NUMA nodes there are. Never fails: what cannot be found out is logged and left out;
 * the result has at least the running processor, as entry 0, and one node. */
void arch_topology_discover(const struct boot_information *boot, struct topology *topology);

/* Make arch_clock() run. May take some 50 ms. Called once, after arch_topology_discover(). */
void arch_clock_start(const struct boot_information *boot);

/* Start processors 1 to topology->processor_count - 1. Each wait is bounded; a processor that does not come is named
 * in the log and taken out of `topology`, so that entries stay dense. On return all others wait for their release.
 * arch_processors_release() lets each of them call entry(its block), which never returns on the bare machine.
 * arch_processors_join() waits until every entry() has returned (hosted only; elsewhere it returns at once). */
void arch_processors_start(struct topology *topology);
void arch_processors_release(void (*entry)(struct processor *));
void arch_processors_join(void);

/* --------------------------------------------------------------------------------- switch and stacks -- */

/* Where a processor is. `instruction` 0: inside a call, so only the frame pointer counts. */
struct arch_place {
	uintptr_t instruction, stack_pointer, frame_pointer;
};

/* Make a context that, when first switched to, runs entry(), which must not return. */
void arch_context_create(struct arch_context *context, void *stack_low, size_t stack_size,
                         void (*entry)(void));

/* Whether it was never left yet. It may be the running one. */
bool arch_context_is_new(const struct arch_context *context);

/* Turn the running stack into a context (the idle task of a processor). */
void arch_context_adopt(struct arch_context *context, void *stack_low, size_t stack_size);

/* Drop what the sanitizers hold of a context whose task has ended. Called from another context. */
void arch_context_destroy(struct arch_context *context);

/* Leave `from`, run finalize(left, argument) on the processor's own stack, go on in `to`. `dying` tells the
 * sanitizers that `from` is never resumed. Returns when `from` is resumed, perhaps on another processor; all
 * registers but control words are lost to the caller. (scheduler paper, Figures 1 and 3) */
static inline void arch_context_switch(struct arch_context *from, struct arch_context *to, finalizer finalize,
                                       struct task *left, void *argument, bool dying);

/* As arch_context_switch(), but `from` is never resumed, so nothing is saved. */
_Noreturn static inline void arch_context_leave(struct arch_context *from, struct arch_context *to,
                                                finalizer finalize, struct task *left);

/* As these two, but choose() returns `to`. It runs on the processor's own stack, before the finalizer. */
static inline void arch_context_switch_chosen(struct arch_context *from, chooser choose, finalizer finalize,
                                              struct task *left, void *argument);
_Noreturn static inline void arch_context_leave_chosen(struct arch_context *from, chooser choose,
                                                       finalizer finalize, struct task *left);

/* As arch_context_switch() without a finalizer; the caller sets the limit. Only where no other processor can switch to
 * `from` before this one has left it. */
static inline void arch_context_swap(struct arch_context *from, struct arch_context *to);

/* Let contexts begin at `entry` on the stack below `stack_high`, which has the machine's alignment. What says so takes
 * ARCH_CONTEXT_FIRST bytes at the top, and stays there while contexts only begin and end. Code that hands out the top
 * itself (arch_stack_abandon()) prepares it again. */
static inline void arch_context_prepare(uintptr_t stack_high, void (*entry)(void));
static inline bool arch_context_is_prepared(uintptr_t stack_high, void (*entry)(void));

/* As arch_context_create(), on a stack that is prepared. The bounds are those of the context already; the caller sets
 * the limit. This touches the stack for a sanitizer only. */
static inline void arch_context_renew(struct arch_context *context, uintptr_t stack_high,
                                      void (*entry)(void));

/* What the processor or the host's thread has only once, and a task may keep for itself (sched/control.h). */
#define ARCH_KEEPS_CONTROL    1  /* how the vector and x87 units compute, and what they report */
#define ARCH_KEEPS_EXCEPTIONS 2  /* exceptions of C++ that are being handled */
#define ARCH_KEEPS_ERROR      4  /* errno */
#define ARCH_KEEPS_ERROR_ONCE 8  /* errno, until the next return */
#define ARCH_KEEPS_SIGNALS    16 /* which signals it blocks */
#define ARCH_KEEPS_STACK      32 /* on which stack a sanitizer takes the thread to be; for as long as it lives */

struct arch_kept {
	uint64_t control;
	void *caught; /* exceptions, as the run-time library of C++ keeps them */
	unsigned uncaught;
	int error;
	uint32_t blocked; /* signals 1 to 31, from bit 0 on; */
	uint32_t pending; /* and those that it has sent to itself meanwhile */
};

/* What every task keeps when a check switches it away. */
extern const uint8_t arch_kept_at_checks;

/* Save what the calling task keeps, and restore what every task starts with. Returns what the task still has to
 * keep. */
uint8_t arch_kept_leave(struct arch_kept *kept, uint8_t keeps);

/* Load it again, perhaps on another processor. Returns what to keep next time. */
uint8_t arch_kept_return(const struct arch_kept *kept, uint8_t keeps);

/* A task begins on this whole stack, which other tasks may have used before. Returns what it keeps from then on. */
uint8_t arch_stack_begin(void *stack_low, size_t stack_size);

/* Before the first use of memory of a boot region, once or more often. False: the machine does not give it. */
bool arch_memory_open(uintptr_t address, size_t bytes);

/* Make a block of memory usable as a stack: `block` is `bytes` long, a power of two of pages and aligned to its size.
 * Returns the lowest address of the stack; *bytes becomes the usable size, which is no less. Where the machine can,
 * arch_stack_guard bytes below are inaccessible (0: it never can); then *guarded is set. NULL: no memory for page
 * tables. A block that became a stack stays one, and is no longer memory: on the bare machine mappings are only ever
 * added, so no other processor ever has to forget a translation. */
extern const size_t arch_stack_guard;
void *arch_stack_map(void *block, size_t *bytes, bool *guarded);

/* Lend a task that has overflowed a guarded stack the guard's page with this address, so that a function of Heddle's
 * own can go on; take back all that was lent. False: the machine cannot lend. */
bool arch_stack_lend(void *stack_low, uintptr_t address);
void arch_stack_take_back(void *stack_low);

/* Find, on the stack with these bounds, the return address with which Heddle's own code at this place returns to the
 * task's code. NULL: not found. */
uintptr_t *arch_return_to_task(const struct arch_place *place, uintptr_t stack_low, uintptr_t stack_high);

/* The address of this function may replace that return address. It calls stack_overflowed(), which does not return. */
void arch_return_overflowed(void);

/* Whether tasks may call code that is not Heddle's and was compiled without checks. */
extern const bool arch_has_foreign_code;

/* Call function(argument) on the processor's own stack, if that is not the running one. It must not switch. */
void arch_call_on_processor_stack(void (*function)(void *), void *argument);

/* Leave the running stack: run entry() on another one, from stack_pointer downwards. */
_Noreturn void arch_stack_abandon(void *stack_pointer, void (*entry)(void));

/* The place of a function that is about to run, whose stack arguments lie at this address. */
struct arch_place arch_stack_place(const void *arguments);

struct generator_resumer;

/* For the sanitizers: tell them of a generator's stack when it is made, at the beginning of its first function, and
 * when it is given up. (The switch itself is inline: heddle/machine/generator.h.) */
void arch_generator_create(struct generator_resumer *resumer, void *stack_low, size_t stack_size);
void arch_generator_entered(struct generator_resumer *resumer);
void arch_generator_destroy(struct generator_resumer *resumer, void *stack_low, size_t stack_size);

/* ---------------------------------------------------------------------------------------- rare branches -- */

/* A call that is rarely wanted is written ARCH_RARELY(function, first, second). It costs one instruction that does
 * nothing, until arch_branches_take(true) turns all of these into calls. That changes code, so the boot processor
 * does it before arch_machine_start(), while no other processor runs. False: the machine forbids writing to code. */
bool arch_branches_take(bool take);

/* The platform's part of that: make the code from `low` to `high` writable, until arch_code_close(). */
bool arch_code_open(uintptr_t low, uintptr_t high);
void arch_code_close(uintptr_t low, uintptr_t high);

/* Zeroed memory that can be read from outside after the machine has ended or crashed; the log says where. NULL: there
 * is none, and the log says so. Boot processor, after memory_start(), before arch_processors_release(). */
void *arch_trace_memory(size_t bytes);

/* ------------------------------------------------------------------------------------- idle and wake -- */

/* After it the caller sees what other processors stored before the call, even if they have not ordered their stores
 * themselves. May take some microseconds. */
void arch_remote_barrier(void);

/* Make another processor call ready_interrupted() if it runs a task's own code (arch_is_user_code()) now, and can be
 * asked there (arch/hosted/system_waits.h). Does not wait for it. It sees what the caller stored before. */
void arch_processor_interrupt(struct processor *processor);

/* Halt this processor until arch_processor_wake() is called for it or arch_clock() reaches `deadline` (UINT64_MAX:
 * none). A wake that came after the last arch_idle() returned ends the next one at once, so none is lost. May return
 * early. */
void arch_idle(uint64_t deadline);

/* End the arch_idle() of a processor. Any processor may call it, and in the hosted build any thread. */
void arch_processor_wake(struct processor *processor);

/* --------------------------------------------------------------------------------------------- clock -- */

/* Nanoseconds since boot: monotonic, the same on all processors within the skew that was logged at boot. */
uint64_t arch_clock(void);

/* Describe the machine for the readers of its results: members of a JSON object, without the braces. Returns the
 * length; 0: nothing. */
size_t arch_describe(char *text, size_t size);

/* What slowed or sped up a processor, apart from what it ran. The counts start at some time in the past: take the
 * difference of two readings. */
struct arch_activity {
	uint64_t cycles, nanoseconds;   /* how many cycles it ran, and for how long */
	uint64_t management_interrupts; /* how often the firmware took it, for tens of microseconds or more */
	bool throttled;                 /* it was slowed down for heat or power since the last reading */
};

/* Which of these a processor of this machine can report; 0: none. */
enum { ARCH_ACTIVITY_CYCLES = 1, ARCH_ACTIVITY_INTERRUPTS = 2, ARCH_ACTIVITY_THROTTLING = 4 };
unsigned arch_activity_known(void);

/* Read the activity of the running processor; numbers that are unknown stay 0. */
void arch_activity_read(struct arch_activity *activity);

/* ------------------------------------------------------------------------------------------- console -- */

enum arch_stream {
	ARCH_STREAM_LOG,
	ARCH_STREAM_RESULT,
	ARCH_STREAM_TERMINAL, /* shown at once to somebody who types: any bytes, not lines */
};

/* Put bytes out on every console device. One processor at a time calls it (console.c sees to that; panic does not).
 * Each wait for a device is bounded. */
void arch_console_write(enum arch_stream stream, const char *bytes, size_t length);

/* Start taking typed bytes: from the serial line, the keyboard, or the process's terminal, which then echoes and
 * edits nothing until the end. Keys without a character send what terminals send for them. Called on the processor's
 * own stack. */
void arch_input_start(void);

/* The next typed byte, or one of these. Does not wait. One processor at a time calls it. */
enum { ARCH_INPUT_NONE = -1, ARCH_INPUT_END = -2 /* no more will ever come */ };
int arch_input_read(void);

/* Whether somebody may type without being asked: then the scheduler looks now and then (sched/attention.h). */
extern const bool arch_input_is_open;

/* --------------------------------------------------------------------------------- fault and the end -- */

/* The return addresses from a place on, innermost first, without the place itself. Reads only memory that belongs to
 * the stack with these bounds, and code that has a name. Returns how many were stored; `place` then is the next frame.
 * That is outside, and may be on another stack, if fewer than maximum - 1 were stored. */
size_t arch_back_trace(struct arch_place *place, uintptr_t stack_low, uintptr_t stack_high,
                       uintptr_t *addresses, size_t maximum);

/* The frame pointer of a context that is not running, for arch_back_trace(). */
uintptr_t arch_context_frame(const struct arch_context *context);

/* Name of the function at an address and the distance from its start; NULL where there is none. */
const char *arch_symbol(uintptr_t address, size_t *offset);

/* Whether the address lies outside Heddle's own code: in user/, or in no code at all after a bad jump; or in the code
 * that quantum checks jump to, which counts as part of the task's. */
bool arch_is_user_code(uintptr_t address);

/* Whether it lies in __morestack(), which a task's own function calls, on a stack that may have no more room. */
bool arch_is_growth_code(uintptr_t address);

/* Stop all other processors for good, by NMI or signal. Bounded; returns how many did not answer. */
unsigned arch_processors_stop(void);

/* Have another processor print its back trace through panic_back_trace() (NMI or signal). */
void arch_processor_examine(struct processor *processor);

enum arch_outcome { ARCH_OUTCOME_SUCCESS, ARCH_OUTCOME_FAILURE, ARCH_OUTCOME_PANIC };

/* End the machine: tell the emulator, power off or halt; end the process in the hosted build. */
_Noreturn void arch_shutdown(enum arch_outcome outcome);

/* Restart the machine, or the program with the same arguments. On the processor's own stack. */
_Noreturn void arch_restart(void);

/* ------------------------------------------------------------------------------------------ calls up -- */

/* Called by the platform. */

/* Go on after the boot. Called once, on the boot processor, with interrupts off, a stack of at least 16 KiB, and
 * arch_processor() pointing at processors[0]. Returns only in the hosted build. (kernel/main.c) */
void kernel_main(struct boot_information *boot);

/* What the machine knows of a fault. */
struct fault {
	const char *what; /* "page fault", "division by zero": a phrase, no full stop */
	struct arch_place place;
	bool has_address;
	uintptr_t address;  /* the accessed address */
	const char *access; /* "read", "write", "execute" or NULL */
	unsigned register_count;
	struct {
		const char *name;
		uint64_t value;
	} registers[24];
	bool fatal;    /* no task is to blame, and the machine cannot go on */
	bool is_hosts; /* after the report, the platform ends the machine in its own way */
	/* Prints what else the machine knows of it, in lines; NULL: nothing. */
	void (*details)(void (*line)(const char *format, ...));
};

/* The hardware or the host reports a fault. Called on a stack that belongs to no task. Panics, or returns where the
 * processor goes on: load stack_pointer (16-byte aligned) and jump to entry, as if the faulting task had called it.
 * `entry` NULL: go on where it was, as arch_stack_lend() has lent something; if a stack pointer is given, though, the
 * fault is the host's, was reported, and the other processors have stopped. (kernel/panic.c) */
struct fault_continuation {
	void (*entry)(void);
	void *stack_pointer;
};
struct fault_continuation fault_handle(const struct fault *fault);

/* For arch_processor_examine(): log as a warning what this processor runs and where it is. Called on the interrupted
 * processor, between processor_interrupt_begin() and its end (kernel/processor.h). (kernel/panic.c) */
void panic_report_place(const struct arch_place *place);

/* For arch_processor_interrupt(): this processor shares what others have asked for, and ends the waits whose deadline
 * has come. Called likewise, but only where a task's own code was interrupted, so between two operations on the
 * processor's queues. (sched/ready_search.c) */
void ready_interrupted(void);

/* Whether a task runs here: not while the processor boots or is idle, and not in a thread that is no processor.
 * (sched/task.c) */
bool task_runs(void);

/* What the task keeps that runs here, with its signals among it from now on. NULL: none runs. (sched/control.c) */
struct arch_kept *control_keep_signals(void);

/* The stack on which the current task is about to go on: its own, which is whole, or a generator's.
 * (sched/generator.c) */
void generator_stack_next(uintptr_t *low, uintptr_t *high);

/* Called by the instruction set, mostly from assembly. The running task is the current one. */

/* A check has found the counter below zero: go on with another task, or with this one. Called on the task's stack;
 * the caller has made sure that it has a few hundred bytes left. Returns when the task goes on, perhaps on another
 * processor, with its new counter in the processor's block. (sched/quantum.c) */
void quantum_spent(void);

/* Leave `from` and go on in `to`; if they are NULL, go on in the calling task. */
struct arch_switch {
	struct arch_context *from, *to;
};

/* The task yields: called by task_yield(), which belongs to the instruction set and carries out what this returns.
 * All registers are lost. (sched/yield.c) */
struct arch_switch arch_yield(void);

/* The task suspends itself: called by the lean entry of task_suspend(), which has saved the context at that stack
 * pointer. Goes on there when the wait has ended. (sched/suspend_lean.c) */
void arch_suspend(void *stack_pointer);

/* A further piece of stack for a function that needs `frame` bytes and was called with `bytes` of arguments on the
 * stack, which are copied. Returns the stack pointer to call it with. Called on the processor's own stack. If the
 * task has reached its maximum, or there is no memory, the task ends. (sched/growth.c, as the following ones) */
void *stack_grow(size_t frame, const void *arguments, size_t bytes);

/* The same without arguments, on what is left of the task's stack, where this processor has a piece at hand; keeps
 * vector registers. NULL: call stack_grow() instead. */
void *stack_grow_small(size_t frame);

/* The function on the further piece has returned. Called on the processor's own stack. */
void stack_shrink(void);

/* The same on what is left of the task's stack; keeps vector registers. False: call stack_shrink() instead. */
bool stack_shrink_small(void);

/* Memory for the function with this stack pointer. `mark`: its stack pointer when it goes on. The function has the
 * memory until it returns, or its stack pointer rises above the mark. Called on the processor's own stack. */
void *stack_allocate(size_t bytes, uintptr_t stack_pointer, uintptr_t mark);

/* Offset in a task of the lowest address of its newest piece. */
extern const size_t stack_low_in_task;

/* The task's stack has overflowed, and what arch_stack_lend() lent it has served its purpose: end the task. Called
 * through arch_return_overflowed(), on the lent memory. (sched/fault.c) */
_Noreturn void stack_overflowed(void);

/* Make ready the task that is owed (sched/owed.h), because foreign code follows. Called on the processor's own stack
 * if the scheduler owes one. (sched/owed.c) */
void owed_settle(struct scheduler *scheduler);

struct generator_body;

/* Run a generator from its beginning, on its stack; does not return. (sched/generator.c) */
void generator_main(struct generator_body *self);

/* A running generator was resumed: panic. Called on the stack that the generator began on. (sched/generator.c) */
_Noreturn void generator_resumed_inside(const struct generator_body *body);

#endif
