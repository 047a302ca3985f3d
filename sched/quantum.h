/*
 * The quantum: how many instructions a task runs until the checks that the compiler inserted into it switch
 * to another (scheduler paper, section 3.1). Each check takes what it stands for off the counter, a register
 * of the task, and when that falls below zero calls quantum_spent(), through arch/. The processor's block has
 * the counter while the scheduler works: quantum_spent() and the calls that are HEDDLE_MAY_SWITCH or
 * HEDDLE_MAY_WAKE find and leave it there.
 *
 * Every switch gives the next task a new quantum. A long one is handed out in slices: the counter never holds
 * more than QUANTUM_SLICE, so that what others ask for is seen that soon.
 *
 * An early switch, to a task of higher priority that became ready, is asked for by a flag of the scheduler,
 * `asked`, which is read where a quantum or a slice of it ends: a slice is the latency. The counter in the
 * block is set to 0 as well, so that a task which made the other ready itself makes way at its next check.
 * Either way it loses what was left of the slice. A processor is
 * asked if it runs a lower task: that which made the task ready, the home of a bound task, else, if nobody is
 * idle, one of the QUANTUM_ASKED nearest. None of them lower, or a request that crosses with a switch: then
 * the task waits as it says in ready.h.
 *
 * | operation          | progress  | takes effect                              |
 * |--------------------|-----------|-------------------------------------------|
 * | quantum_begin      | wait-free | at its stores; only by the owner          |
 * | quantum_ask        | wait-free | at the exchange of `asked`                |
 * | quantum_lower_     | wait-free | a hint: load by load                      |
 * |   nearby           |           |                                           |
 * | quantum_spent      | as ready_ | at the exchange of `asked`, then where    |
 * |                    | take      | ready_take does                           |
 */
#ifndef SCHED_QUANTUM_H
#define SCHED_QUANTUM_H

#include "sched/scheduler.h"

/* Instructions. The end of one costs some 50 ns, though little is done there: the branch was not foreseen, and the
 * processor has lost what it had learnt of the code around it. */
#define QUANTUM_SLICE 50000
#define QUANTUM_ASKED 8

/* Bytes of stack that a switch may take. A task that has less left at a check is not switched there: it goes
 * on and comes to the next check, or overflows its stack in its own code and ends alone. */
#define QUANTUM_STACK_RESERVE 1024

/* In place of a priority, where no task runs: nobody asks there. */
#define RUNNING_NOTHING HEDDLE_PRIORITIES

/* Split a quantum, 1 to HEDDLE_TASK_QUANTUM_MAXIMUM instructions, into what the counter gets and the rest: a count
 * that falls below zero with the last one of them. */
static inline void quantum_place(struct task *task, uint32_t instructions)
{
	uint32_t slice = instructions < QUANTUM_SLICE ? instructions : QUANTUM_SLICE;
	task->schedule.slice = (int32_t)slice - 1;
	task->schedule.rest = instructions - slice;
}

/* What is left of the slice that runs, and that set. By the owner, while the counter is in its block. */
static inline int32_t quantum_counter(const struct processor *processor)
{
	return atomic_load_explicit(&processor->quantum, memory_order_relaxed);
}

static inline void quantum_counter_set(struct processor *processor, int32_t instructions)
{
	atomic_store_explicit(&processor->quantum, instructions, memory_order_relaxed);
}

/* At each switch to a task that may have another priority. Mostly it is the same: that costs less than storing it. */
static inline void quantum_set_running(struct scheduler *scheduler, const struct task *task)
{
	if (atomic_load_explicit(&scheduler->running, memory_order_relaxed) != task->schedule.priority)
		atomic_store_explicit(&scheduler->running, task->schedule.priority, memory_order_relaxed);
}

/* At each switch: the task that this processor now runs gets its quantum. */
static inline void quantum_begin(struct scheduler *scheduler, const struct task *task)
{
	atomic_store_explicit(&scheduler->processor->quantum, task->schedule.slice, memory_order_relaxed);
	quantum_set_running(scheduler, task);
}

/* The task whose quantum was spent in a critical section is out of it: it makes way at its next check. A turn is
 * extended once, so one that begins another section before that makes way within it. */
void quantum_end_extension(struct task *task);

/* The same at once, where the task may be switched away; else at its next check. */
void quantum_make_way(struct task *task);

/* Whether the current task makes way at its next check: it was in a critical section that ended, or the processor was
 * asked for. */
bool quantum_is_spent(const struct scheduler *scheduler);

/* Ask a processor for an early switch, for a task that was published before. */
void quantum_ask(struct processor *processor);

/* The same if it runs a task of lower priority than `level`. */
void quantum_ask_if_lower(struct processor *processor, unsigned level);

/* One of the nearest that runs such a task, if possible one that was not asked yet; NULL: none. */
struct processor *quantum_lower_nearby(const struct scheduler *scheduler, unsigned level);

/* The lowest priority that a task ever had. While there was none below another's, nobody need ever be asked. */
extern _Atomic uint32_t quantum_lowest;

/* There is a lower one now. */
void quantum_lower(unsigned level);

static inline void quantum_note_priority(unsigned level)
{
	if (__builtin_expect(level < atomic_load_explicit(&quantum_lowest, memory_order_relaxed), 0))
		quantum_lower(level);
}

static inline bool quantum_has_lower(unsigned level)
{
	return __builtin_expect(atomic_load_explicit(&quantum_lowest, memory_order_relaxed) < level, 0);
}

/* Whether no other processor need know of a task of that priority which becomes ready. */
static inline bool quantum_is_alone(unsigned level)
{
	return processor_count == 1 && !quantum_has_lower(level);
}

/* The task faulted: whatever it was in, the next one begins anew. */
void quantum_reset_uncooperative(struct scheduler *scheduler);

/* A switch was tried in an uncooperative region, by the function of that name: a panic, but where all that made it so
 * were calls back that a jump had left. */
void quantum_switch_refused(const char *function);

/* Called then, before the usual reason is given: a panic that names the lock, if that is why the task must not be
 * switched. Set by sync/ at boot; NULL: no lock has such a reason. */
extern void (*lock_refuses_switch)(const char *function, const struct task *task);

/* What every function that may switch does first, whether it then does or not. */
static inline void quantum_check_cooperative(const char *function)
{
	if (__builtin_expect(arch_is_uncooperative(), 0))
		quantum_switch_refused(function);
}

/* Boot processor. */
void quantum_start(void);

#endif
