#include "sched/run_next.h"

#include "sched/plain.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/wake.h"

void run_next_publish(struct task *task, unsigned index)
{
	struct processor *home = &processors[index];
	struct task *expected = NULL;
	bool elsewhere = task->bound != TASK_ANY_PROCESSOR && (unsigned)task->bound != index;
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
	/* NULL -> task; seq_cst: before the home is looked at, if it is idle; pairs with ready_take. */
	if (elsewhere || !atomic_compare_exchange_strong_explicit(&home->scheduler->run_next, &expected, task,
	                                                          memory_order_seq_cst, memory_order_relaxed)) {
		ready_publish(task);
		return;
	}
	plain_forbid(home->scheduler);
	wake_home(home);
	quantum_ask(home);
}

struct task *run_next_take(struct scheduler *scheduler, unsigned lowest)
{
	/* acquire: from run_next_publish. Only we take it out. */
	struct task *task = atomic_load_explicit(&scheduler->run_next, memory_order_acquire);
	if (!task || task->priority < lowest)
		return NULL;
	atomic_store_explicit(&scheduler->run_next, NULL, memory_order_relaxed);
	return task;
}

struct task *run_next_take_first(struct scheduler *scheduler, unsigned lowest)
{
	uint32_t levels = atomic_load_explicit(&scheduler->levels, memory_order_relaxed);
	unsigned highest = levels ? 31 - (unsigned)__builtin_clz(levels) : 0;
	scheduler->ran_next = !scheduler->ran_next;
	return scheduler->ran_next ? run_next_take(scheduler, highest > lowest ? highest : lowest) : NULL;
}
