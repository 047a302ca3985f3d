/* What the tests of quanta share: tasks with a quantum, flags, and a task that counts its turns. */
#ifndef HEDDLE_TEST_QUANTUM_H
#define HEDDLE_TEST_QUANTUM_H

#include "sched/quantum.h"

#include "heddle/task.h"

static inline enum heddle_error task_start(struct task **task, task_function function, void *argument,
                                           uint32_t quantum, enum heddle_priority priority, int processor)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.quantum = quantum;
	options.priority = priority;
	options.bound = processor != HEDDLE_TASK_ANY_PROCESSOR;
	options.processor = processor;
	return task_create(task, function, argument, &options);
}

static inline intptr_t set_flag(void *flag)
{
	atomic_store_explicit((atomic_bool *)flag, true, memory_order_release);
	return 0;
}

static inline bool is_set(const atomic_bool *flag)
{
	return atomic_load_explicit(flag, memory_order_acquire);
}

struct turns {
	atomic_bool over;
	_Atomic unsigned taken;
};

static inline intptr_t take_turns(void *argument)
{
	struct turns *turns = argument;
	while (!atomic_load_explicit(&turns->over, memory_order_relaxed)) {
		atomic_fetch_add_explicit(&turns->taken, 1, memory_order_relaxed);
		task_yield();
	}
	return 0;
}

/* A larger quantum counts from the next turn on: spend what is left of this one. */
static inline void turn_end(void)
{
	for (unsigned i = 0; i < 10; i++)
		quantum_spent();
}

#endif
