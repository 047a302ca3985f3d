/*
 * What a wait keeps in its task: two parts of struct task (task.h), and the arithmetic of the wait word. wait.h has
 * the protocol.
 */
#ifndef SCHED_TASK_WAIT_H
#define SCHED_TASK_WAIT_H

#include <stdatomic.h>
#include <stdint.h>

#include "heddle/task.h"

struct task;
struct timer;

enum wait_phase { WAIT_DONE = 0, WAIT_PREPARING, WAIT_ARMED, WAIT_KEPT, WAIT_SUSPENDED };
#define WAIT_PHASES 7                 /* the low bits of the word are the phase; */
#define WAIT_ONE    (WAIT_PHASES + 1) /* the bits above count the waits */

/* Values of a request; any other value is the ticket of the wait that it is about to end. */
enum { WAIT_NONE, WAIT_REQUESTED };

/* The word of a wait. Its ticket is its word in the phase DONE. */
static inline uint64_t wait_word(uint64_t ticket, enum wait_phase phase)
{
	return ticket | phase;
}

/* The word of the same wait in another phase. */
static inline uint64_t wait_moved(uint64_t word, enum wait_phase from, enum wait_phase to)
{
	return word + to - from;
}

static inline enum wait_phase wait_phase_of(uint64_t word)
{
	return (enum wait_phase)(word & WAIT_PHASES);
}

/* The same as whether its phase is SUSPENDED, which alone has that bit. */
static inline bool wait_is_suspended(uint64_t word)
{
	_Static_assert(WAIT_SUSPENDED > (WAIT_PREPARING | WAIT_ARMED | WAIT_KEPT), "a bit of its own");
	return word & WAIT_SUSPENDED;
}

static inline uint64_t wait_ticket_of(uint64_t word)
{
	return word & ~(uint64_t)WAIT_PHASES;
}

/* What a report says of a wait: "waits for KIND at OBJECT, which OWNER holds". */
struct wait_object {
	const char *kind;
	const void *object;
	_Atomic(struct task *) const *owner; /* NULL: it has none */
};

/* The wait of the task, and the requests to end it (wait.h); and when to defer the wake-ups that it does. */
struct task_wait {
	_Atomic uint64_t word;
	_Atomic uint64_t permit;       /* a request of task_resume() to go on */
	_Atomic uint64_t cancelled;    /* a request to end the wait */
	enum heddle_error outcome : 8; /* written by the operation that ends the wait */
	uint8_t phase;       /* of this wait: WAIT_ARMED; or WAIT_KEPT, which no deadline or cancellation ends */
	uint16_t home;       /* the processor that the task last waited on */
	uint16_t wake_pause; /* how many of its next wake-ups are not deferred (sync/deferral.h); */
	uint16_t wake_pause_next; /* and how many after one more in vain. The next task here keeps both */
};

/* The rest of a wait; a suspension does not use it. Set when the wait begins. */
struct task_wait_cold {
	struct timer *timer;       /* of the present wait, if it has a deadline */
	struct wait_object object; /* for reports */
	struct task *next;         /* the next task in a list of tasks to be resumed */
};

/* For a new task. The word stays: it keeps counting when the memory becomes another task. */
static inline void task_wait_reset(struct task_wait *wait)
{
	atomic_store_explicit(&wait->cancelled, WAIT_NONE, memory_order_relaxed);
	atomic_store_explicit(&wait->permit, WAIT_NONE, memory_order_relaxed);
}

#endif
