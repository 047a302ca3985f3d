#include "sched/control.h"

#include "sched/plain.h"

atomic_bool control_is_kept;

void task_keep_control(void)
{
	struct task *task = scheduler_current()->current;
	task->keeps_control = true;
	if (atomic_load_explicit(&control_is_kept, memory_order_relaxed))
		return;
	/* seq_cst: before yields are forbidden to be plain; pairs with the load in plain_is_wrong, which comes
	 * after one was allowed to be. */
	atomic_store_explicit(&control_is_kept, true, memory_order_seq_cst);
	for (unsigned index = 0; index < processor_count; index++)
		plain_forbid(processors[index].scheduler);
}
