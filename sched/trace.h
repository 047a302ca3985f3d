/*
 * The trace: what each processor does to tasks, event by event, in a ring of its own (trace_ring.h). Code calls one
 * of the functions below where an event happens. Without trace=, such a call is an instruction that does nothing
 * (arch_branch()).
 *
 * An event, 16 bytes:
 *     when  bits 16 to 63: the processor's counter of cycles, without its highest 16 bits
 *           bits 12 to 15: which event (enum trace_kind)
 *           bits 0 to 11:  the upper part of a number of 28 bits
 *     what  bits 48 to 63: the lower part of that number
 *           bits 0 to 47:  a place: an address without its highest 16 bits, or what the kind of event says
 * The processor is that of the ring; the task is that of the last TRACE_SWITCH.
 *
 * Reading the counter takes longer than everything else that an event needs. So a switch that follows a wait or an
 * end in the same step of the kernel gets the time of that.
 */
#ifndef SCHED_TRACE_H
#define SCHED_TRACE_H

#include "sched/task.h"
#include "sched/trace_ring.h"

enum trace_kind {
	TRACE_NOTHING,
	TRACE_SWITCH, /* the processor goes on with task `number`, and leaves task `place` */
	TRACE_WAIT,  /* its task begins to wait for the object at `place`, of kind `number` in trace_area.kinds */
	TRACE_GRANT, /* its task ends the wait of task `number` for the object at `place` */
	TRACE_GRANT_LEFT, /* the same by the task that was left, in its finalizer */
	TRACE_EXPIRE,     /* the deadline of task `number`, for the object at `place`, has come */
	TRACE_REVOKE,     /* it waits again: what it was granted was taken back before it ran */
	TRACE_ACQUIRE,    /* its task has the lock at `place`, of kind `number` */
	TRACE_RELEASE,    /* its task gives the lock at `place` up */
	TRACE_CREATE,     /* task `number` is made */
	TRACE_END,        /* its task, `number`, ends; the switch follows */
	TRACE_HALT,       /* the processor halts */
	TRACE_RUN,        /* the processor halts no more */
	TRACE_WAKE,       /* the processor wakes processor `number` */
	TRACE_TAKE,       /* the processor takes `number` tasks from processor `place` */
	TRACE_KINDS
};

/* What lies in the memory that tools read (tools/tracing/area.py): this, then the rings, then their events. There is
 * room for the names of some tasks; each entry belongs to the task of that number, or to none. */
#define TRACE_MAGIC   UINT64_C(0x6563617274646568) /* "hedtrace" */
#define TRACE_VERSION 1
#define TRACE_TEXTS   64
#define TRACE_NAMES   16384

struct trace_moment {
	uint64_t cycles, nanoseconds; /* the counter of processor 0, and arch_clock() */
};

struct trace_text {
	_Atomic(const char *) key; /* NULL: free */
	char text[40];
};

struct trace_name {
	_Atomic uint32_t owner; /* a task's number + 1; 0: none */
	uint32_t changes;       /* how often that number has changed its name */
	char text[HEDDLE_TASK_NAME_MAXIMUM];
};

struct trace_area {
	uint64_t magic;
	uint32_t version, processors;
	uint64_t bytes, ring_offset, ring_bytes, ring_size, event_offset;
	struct trace_moment start, soon,
	    end;                 /* `soon` is a moment after the start; `end` is 0 until trace_finish() */
	_Atomic uint64_t untold; /* texts and names for which there was no room */
	struct trace_text kinds[TRACE_TEXTS];
	struct trace_name names[TRACE_NAMES];
};

extern struct trace_area *trace_area; /* NULL: nothing is traced */

/* Bit k: events of kind k are recorded. */
extern _Atomic uint32_t trace_wanted;
extern struct trace_ring *trace_rings; /* a processor's each */

/* Make the rings, if trace= asks for them. Boot processor, after the schedulers were made. */
void trace_start(void);

/* Record from now on the events that trace= asks for, or none. Any task. */
void trace_turn(bool on);

/* The run has ended: record nothing any more, and let what was recorded be dated. */
void trace_finish(void);

/* ------------------------------------------------------------------------------------------- places -- */

/* Writes an event (trace_record.c). Arguments are addresses and numbers. */
typedef void trace_recorder(uintptr_t first, uintptr_t second) ARCH_KEEPS_REGISTERS;
trace_recorder trace_record_switch, trace_record_wait, trace_record_grant, trace_record_expire,
    trace_record_revoke, trace_record_acquire, trace_record_release, trace_record_create, trace_record_halt,
    trace_record_wake, trace_record_take;

static inline void trace_switch(const struct task *left, const struct task *next)
{
	ARCH_RARELY(trace_record_switch, left, next);
}

/* The current task begins to wait for `object`. Its switch follows in the same step. */
static inline void trace_wait(const struct wait_object *object)
{
	ARCH_RARELY(trace_record_wait, object->kind, object->object);
}

/* The task's wait was ended, and it does not run yet. */
static inline void trace_grant(const struct task *task)
{
	ARCH_RARELY(trace_record_grant, task, task->wait_cold.object.object);
}

/* The same for a task that was suspended, for no object. */
static inline void trace_resume(const struct task *task)
{
	ARCH_RARELY(trace_record_grant, task, NULL);
}

static inline void trace_expire(const struct task *task)
{
	ARCH_RARELY(trace_record_expire, task, task->wait_cold.object.object);
}

static inline void trace_revoke(const struct task *task)
{
	ARCH_RARELY(trace_record_revoke, task, task->wait_cold.object.object);
}

/* The current task has the lock. `kind` is a text, another one for each kind of lock. */
static inline void trace_acquire(const char *kind, const void *lock)
{
	ARCH_RARELY(trace_record_acquire, lock, kind);
}

static inline void trace_release(const void *lock)
{
	ARCH_RARELY(trace_record_release, lock, NULL);
}

/* The task is not published yet. */
static inline void trace_create(const struct task *task)
{
	ARCH_RARELY(trace_record_create, task, NULL);
}

static inline void trace_halt(bool halts)
{
	ARCH_RARELY(trace_record_halt, (uintptr_t)halts, NULL);
}

static inline void trace_wake(unsigned processor)
{
	ARCH_RARELY(trace_record_wake, (uintptr_t)processor, NULL);
}

static inline void trace_take(const struct processor *victim, uint64_t tasks)
{
	ARCH_RARELY(trace_record_take, victim, tasks);
}

#endif
