/*
 * Tasks: what user code consists of. A task runs until it waits, yields or ends; in code that is compiled with the
 * plugin also until it has spent its quantum and reaches the next check. Nothing interrupts it elsewhere.
 *
 * Every function here may be called from any task on any processor at any time, unless it says otherwise. A struct
 * task pointer is valid from task_create() until task_join() or task_detach() returns, and for a detached task until
 * it ends.
 */
#ifndef HEDDLE_TASK_H
#define HEDDLE_TASK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/attributes.h"
#include "heddle/scope.h"

HEDDLE_GLOBAL_BEGIN

enum heddle_error {
	HEDDLE_OK = 0,
	HEDDLE_NO_MEMORY,     /* nothing was changed; free something and try again */
	HEDDLE_BAD_ARGUMENT,  /* a priority, size, quantum, processor or slot out of range, or a null function */
	HEDDLE_TASK_FAULT,    /* the joined task ended by a fault; it was reported in the log */
	HEDDLE_JOINED,        /* already joined or detached, or a task joins itself */
	HEDDLE_STOPPED,       /* the machine is not running (hosted, from outside) */
	HEDDLE_TIMED_OUT,     /* the deadline passed first */
	HEDDLE_CANCELLED,     /* task_cancel() ended the wait */
	HEDDLE_UNCOOPERATIVE, /* it would have to wait in an uncooperative section */
	HEDDLE_BUSY,          /* it would have to wait */
	HEDDLE_OWNER_DIED,    /* the lock is the caller's, but its holder ended without giving it up */
	HEDDLE_RELOCKED,      /* the caller holds that lock already */
	HEDDLE_NOT_OWNER,     /* the caller does not hold that lock */
	HEDDLE_IN_USE,        /* it is held or waited for */
	HEDDLE_OVERFLOW,      /* above the maximum, or below zero */
	HEDDLE_CLOSED,        /* the channel is closed */
	HEDDLE_TOO_LARGE,     /* the message can never fit */
	HEDDLE_NO_BUFFER,     /* the caller has no such buffer open */
	HEDDLE_ALREADY_SET,   /* the future has its value, or gets it from another */
	HEDDLE_BROKEN,        /* the future gets no value: its promise was given up */
	HEDDLE_ENDED,         /* the generator has ended */
};

/* The error as a sentence. */
const char *heddle_error_text(enum heddle_error error);

/* Strict on each processor: a ready task of a higher priority runs first. Against starvation, one pick in 64 asks
 * another level first, each level in turn. When a higher task becomes ready, a lower one makes way: on this
 * processor, on the one that the higher task is bound to or, if no processor is idle, on one of the 8 nearest. It
 * does so at its next check if it made the other ready itself, else within 10,000 instructions. Without checks, or if
 * none of these processors runs a lower task, a busy processor looks at the higher tasks of others once in 64
 * picks. */
enum heddle_priority {
	HEDDLE_PRIORITY_IDLE = -2,
	HEDDLE_PRIORITY_LOW,
	HEDDLE_PRIORITY_NORMAL, /* 0 */
	HEDDLE_PRIORITY_HIGH,
	HEDDLE_PRIORITY_REALTIME,
	HEDDLE_PRIORITY_END, /* none: behind the last one */
};
#define HEDDLE_PRIORITIES (HEDDLE_PRIORITY_END - HEDDLE_PRIORITY_IDLE)

/* AS_COMPILED: it grows where the code that makes the task is compiled for that (HEDDLE_STACKS_GROW), else it is whole.
 * GROWS: all that the task runs is compiled for that. */
enum heddle_task_stack { HEDDLE_TASK_STACK_AS_COMPILED, HEDDLE_TASK_STACK_GROWS, HEDDLE_TASK_STACK_WHOLE };

HEDDLE_GLOBAL_END

HEDDLE_BEGIN

struct task;

#define HEDDLE_TASK_ANY_PROCESSOR (-1)
#define HEDDLE_TASK_NAME_MAXIMUM  24
#define HEDDLE_TASK_LOCAL_SLOTS   4
#define HEDDLE_TASK_STACK_MINIMUM ((size_t)4096)
#define HEDDLE_TASK_STACK_MAXIMUM ((size_t)1 << 30)
#define HEDDLE_TASK_STACK_GROWTH  ((size_t)1 << 20)
#define HEDDLE_TASK_STACK_DEFAULT ((size_t)16384)

/* Instructions; a task that sets no quantum has quantum= of the command line, 65,536 by default. One of 32,768 or more
 * may last 32,768 longer in a loop that calls nothing; a shorter one is exact. */
#define HEDDLE_TASK_QUANTUM_MAXIMUM 0x7fffffffu

/* What a task runs. In C++ no exception may leave it. */
typedef intptr_t (*task_function)(void *argument);

/* What a task is made with. Zero in a field means the default, so zeroed options make a task of normal priority, on any
 * processor, to be joined. */
struct task_options {
	const char *name; /* copied and cut to HEDDLE_TASK_NAME_MAXIMUM - 1; NULL: "task" */
	enum heddle_priority priority;
	enum heddle_task_stack stack;
	/* Bytes. Of a whole stack: rounded up to a power of two; 0: HEDDLE_TASK_STACK_DEFAULT. A 16th of it at most stays
	 * unused, so that stacks begin in different sets of the cache (colour=). Its memory is kept for further stacks of
	 * that size. Of one that grows: how large it may become; 0: HEDDLE_TASK_STACK_GROWTH. */
	size_t stack_size;
	/* The caller's memory for a whole stack: `stack_size` bytes, HEDDLE_TASK_STACK_MINIMUM or more. It must stay until
	 * the task is joined. NULL: Heddle has memory for it. */
	void *stack_memory;
	bool bound;       /* to `processor`, from the start */
	int processor;    /* without `bound` 0, or HEDDLE_TASK_ANY_PROCESSOR */
	bool detached;    /* it is never joined, but reclaimed when it ends */
	uint32_t quantum; /* instructions that it runs until another gets its turn; 0: the default */
};
#ifdef HEDDLE_STACKS_GROW
#	define HEDDLE_TASK_GROWS HEDDLE_TASK_STACK_GROWS
#else
#	define HEDDLE_TASK_GROWS HEDDLE_TASK_STACK_AS_COMPILED
#endif
#ifdef __cplusplus
#	define HEDDLE_TASK_OPTIONS                                                                         \
		(heddle::task_options{nullptr, HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_GROWS, 0, nullptr, false, 0, \
		                      false, 0})
#else
#	define HEDDLE_TASK_OPTIONS ((struct task_options){.stack = HEDDLE_TASK_GROWS})
#endif

/* Make a task that runs function(argument), and make it ready. `options` may be NULL. `task` may be NULL if it is
 * detached. HEDDLE_NO_MEMORY, HEDDLE_BAD_ARGUMENT: no task was made. */
HEDDLE_MAY_WAKE enum heddle_error task_create(struct task **task, task_function function, void *argument,
                                              const struct task_options *options);

#ifdef HEDDLE_STACKS_GROW
/* The options with the kind of stack that the calling code is compiled for, if they leave it open: then they are copied
 * to `room`. */
static inline const struct task_options *task_options_as_compiled(const struct task_options *options,
                                                                  struct task_options *room)
{
	static const struct task_options usual = {
	    NULL, HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_STACK_GROWS, 0, NULL, false, 0, false, 0};
	if (!options)
		return &usual;
	if (options->stack != HEDDLE_TASK_STACK_AS_COMPILED || options->stack_memory)
		return options;
	*room = *options;
	room->stack = HEDDLE_TASK_STACK_GROWS;
	return room;
}

HEDDLE_MAY_WAKE static inline enum heddle_error task_create_as_compiled(struct task **task,
                                                                        task_function function,
                                                                        void *argument,
                                                                        const struct task_options *options)
{
	struct task_options room;
	return task_create(task, function, argument, task_options_as_compiled(options, &room));
}
#	define task_create task_create_as_compiled
#endif

/* Wait until a task ends, store what its function returned (or passed to task_exit()), and reclaim the task. `result`
 * may be NULL. HEDDLE_TASK_FAULT: it ended by a fault; it is reclaimed, too. HEDDLE_JOINED: nothing was done.
 * HEDDLE_CANCELLED: it can still be joined. */
HEDDLE_MAY_SWITCH enum heddle_error task_join(struct task *task, intptr_t *result);

/* Let a task be reclaimed when it ends. HEDDLE_JOINED as above. */
enum heddle_error task_detach(struct task *task);

/* End the calling task; the same as returning from its function. */
HEDDLE_MAY_SWITCH void task_exit(intptr_t result) __attribute__((noreturn));

/* Let other ready tasks of the same or a higher priority run first; returns at once if there are none. */
HEDDLE_MAY_SWITCH HEDDLE_SWITCHES_BY("heddle_yield") void task_yield(void);

/* Call this before changing how the vector or the x87 unit rounds, or what it reports (MXCSR, the x87 control word;
 * fesetround() and the like): from now on the calling task keeps these words over all its switches. A new task has
 * the defaults. The plugin inserts the call where it sees a function change them; other code must make it. It makes
 * the task's switches slower. */
void task_keep_control(void);

/* Wait until heddle_clock() has reached `deadline`; return at once if it has. HEDDLE_CANCELLED; HEDDLE_NO_MEMORY. */
HEDDLE_MAY_SWITCH enum heddle_error task_sleep_until(uint64_t deadline);

/* Wait for task_resume(). A resume that comes first is kept (one, not several) and ends the next task_suspend() at
 * once. So test the condition in a loop. HEDDLE_CANCELLED. */
HEDDLE_MAY_SWITCH HEDDLE_SWITCHES_BY("heddle_suspend") enum heddle_error task_suspend(void);

/* End the task_suspend() of a task, or its next one. The pointer must be valid; if the task has ended there is no
 * effect. */
HEDDLE_MAY_WAKE void task_resume(struct task *task);

/* End the wait of a task, whatever it waits for, or its next wait, once: that returns HEDDLE_CANCELLED. A task that
 * does not wait is not interrupted. */
HEDDLE_MAY_WAKE enum heddle_error task_cancel(struct task *task);

/* The calling task. */
struct task *task_current(void);

const char *task_name(const struct task *task);

/* Where the calling task's stack lies: `*size` bytes from `*low` on. A stack that grows moves: it has 0 bytes here. */
void task_stack_bounds(void **low, size_t *size);

/* Run on this processor only (and go there before returning), or anywhere again with HEDDLE_TASK_ANY_PROCESSOR. */
HEDDLE_MAY_SWITCH enum heddle_error task_bind(int processor);

/* Change the priority of the calling task; takes effect at its next switch. */
HEDDLE_MAY_WAKE enum heddle_error task_set_priority(enum heddle_priority priority);

/* Change the quantum of the calling task. A smaller one takes effect at once, a larger one from its next turn on; 0:
 * the default. HEDDLE_BAD_ARGUMENT: more than HEDDLE_TASK_QUANTUM_MAXIMUM. */
HEDDLE_MAY_WAKE enum heddle_error task_set_quantum(uint32_t instructions);

/* Change by how much the quantum of the calling task is extended, once a turn, if it is spent in a critical section
 * (heddle/mutex.h, heddle/reader_writer_lock.h), and again and again while it carries out sections for others
 * (heddle/qd_lock.h); 0: not at all, so the task is switched away there. The default is extension= of the command line,
 * 10,000. HEDDLE_BAD_ARGUMENT as above. */
enum heddle_error task_set_extension(uint32_t instructions);

/* Between these two the calling task is uncooperative: no check switches it away, however long it takes. They nest;
 * the last end makes up for a switch that was due. Inside, the task must not end, nor call what may switch
 * (HEDDLE_MAY_SWITCH): that is a panic, and so is an end without a begin. Keep it short: nothing else runs on this
 * processor, and requests from other processors wait. */
void uncooperative_begin(void);
HEDDLE_MAY_WAKE void uncooperative_end(void);

/* Values of the calling task; NULL at its start. 0 <= slot < HEDDLE_TASK_LOCAL_SLOTS, else NULL or no effect. */
void *task_local_get(unsigned slot);
void task_local_set(unsigned slot, void *value);

HEDDLE_END

#endif
