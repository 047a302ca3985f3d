/*
 * The quantum: how many instructions a task runs until the checks that the compiler inserted switch to another task
 * (scheduler paper, section 3.1). Each check subtracts its number of instructions from the counter, a register of the
 * task (arch/x86_64/quantum_counter.h), and calls quantum_spent(), through arch/, when that is spent. While the
 * scheduler works, the counter is in the processor's block: quantum_spent() and the calls that are HEDDLE_MAY_SWITCH or
 * HEDDLE_MAY_WAKE find and leave it there.
 *
 * Every switch gives the next task a new quantum. A long one is handed out in slices, so that requests are seen that
 * soon. In a loop that calls nothing a slice may be twice as long; the quantum is charged for that. So a quantum of
 * QUANTUM_SLICE instructions or more may last as much longer, and a shorter one is exact.
 *
 * A flag of the scheduler, `asked`, asks for an early switch, to a task of higher priority that became ready. It is
 * read at the end of a quantum or slice, which is the latency. The counter in the block is spent as well, so
 * that a task that made the other ready itself makes way at its next check. Either way the task loses the rest of its
 * slice. The processor that is asked runs a lower task. It is the one that made the task ready, or the home of a
 * bound task, or else, if none is idle, one of the QUANTUM_ASKED nearest. If none of them runs a lower task, or the
 * request crosses with a switch, the task waits as ready.h says.
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

/* In instructions: as many as a counter holds. The end of a slice costs some 50 ns, though little is done there: the
 * branch was predicted wrongly, and the code around it has been evicted from the processor's predictors. */
#define QUANTUM_SLICE QUANTUM_COUNTER_HALF
#define QUANTUM_ASKED 8

/* Bytes of stack that a switch may take. A task that has less left at a check is not switched there: it goes on to
 * the next check, or overflows its stack in its own code and ends alone. */
#define QUANTUM_STACK_RESERVE 1024

/* In place of a priority, if no task runs: such a processor is never asked. */
#define RUNNING_NOTHING HEDDLE_PRIORITIES

/* Split a quantum, 1 to HEDDLE_TASK_QUANTUM_MAXIMUM instructions, into what the counter gets and the rest. */
static inline void quantum_place(struct task_schedule *schedule, uint32_t instructions)
{
	bool is_short = instructions < QUANTUM_SLICE;
	schedule->slice = is_short ? quantum_counter_exact(instructions) : quantum_counter_late(QUANTUM_SLICE);
	schedule->rest = is_short ? 0 : instructions - QUANTUM_SLICE;
}

/* The counter in the block (arch/x86_64/quantum_counter.h): owner only, while it is there. */
static inline int32_t quantum_counter(const struct processor *processor)
{
	return atomic_load_explicit(&processor->quantum, memory_order_relaxed);
}

static inline void quantum_counter_set(struct processor *processor, int32_t counter)
{
	atomic_store_explicit(&processor->quantum, counter, memory_order_relaxed);
}

/* Add the difference of two counters, whatever was subtracted meanwhile. */
static inline void quantum_counter_move(struct processor *processor, int32_t difference)
{
	quantum_counter_set(processor, (int32_t)((uint32_t)quantum_counter(processor) + (uint32_t)difference));
}

/* The current task makes way at its next check. */
static inline void quantum_counter_end(struct processor *processor)
{
	quantum_counter_set(processor, quantum_counter_exact(0));
}

/* Called at each switch to a task that may have another priority. Usually it is the same, and a comparison costs less
 * than a store. */
static inline void quantum_set_running(struct scheduler *scheduler, const struct task *task)
{
	if (atomic_load_explicit(&scheduler->running, memory_order_relaxed) != task->schedule.priority)
		atomic_store_explicit(&scheduler->running, task->schedule.priority, memory_order_relaxed);
}

/* Called at each switch: give the task that now runs here its quantum. */
static inline void quantum_begin(struct scheduler *scheduler, const struct task *task)
{
	atomic_store_explicit(&scheduler->processor->quantum, task->schedule.slice, memory_order_relaxed);
	quantum_set_running(scheduler, task);
}

/* The task, whose quantum was spent in a critical section, has left the section: it makes way at its next check. A
 * turn is extended only once, but for what follows: so if the task enters another section before that, it makes way
 * inside it. */
void quantum_end_extension(struct task *task);

/* The current task, in a critical section, has done a piece of work for others that wait for the section: its quantum
 * is extended once more if it is spent. The caller bounds how many pieces there are. */
static inline void quantum_extend_again(struct scheduler *scheduler)
{
	scheduler->extended_again = true;
}

/* quantum_end_extension() at once if the task may be switched away; else at its next check. */
void quantum_make_way(struct task *task);

/* Whether the current task makes way at its next check: it has left a critical section, or the processor was
 * asked. */
static inline bool quantum_is_spent(const struct scheduler *scheduler)
{
	return quantum_counter_left(quantum_counter(scheduler->processor)) <= 0;
}

/* Ask a processor for an early switch, for a task that was published before. */
void quantum_ask(struct processor *processor);

/* The same if it runs a task of lower priority than `level`. */
void quantum_ask_if_lower(struct processor *processor, unsigned level);

/* One of the nearest that runs such a task, preferably one that was not asked yet; NULL: none. */
struct processor *quantum_lower_nearby(const struct scheduler *scheduler, unsigned level);

/* The lowest priority that a task ever had. While no task was below another, no processor need be asked. */
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

/* The task faulted: the next one begins outside all uncooperative regions. */
void quantum_reset_uncooperative(struct scheduler *scheduler);

/* The function of that name tried to switch in an uncooperative region: panic. Only if the region consisted of calls
 * back that a jump has left, return. */
void quantum_switch_refused(const char *function);

/* Called then, before the usual reason is given: panics and names the lock, if a lock is the reason. Set by sync/ at
 * boot; NULL: no lock ever is. */
extern void (*lock_refuses_switch)(const char *function, const struct task *task);

/* Every function that may switch does this first, even if it then does not switch. */
static inline void quantum_check_cooperative(const char *function)
{
	if (__builtin_expect(arch_is_uncooperative(), 0))
		quantum_switch_refused(function);
}

/* Boot processor. */
void quantum_start(void);

#endif
