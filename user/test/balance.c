#include "user/test/balance.h"

#include "heddle/system.h"
#include "kernel/console.h"
#include "kernel/memory.h"
#include "kernel/pool.h"
#include "sched/task.h"

#define SLACK    ((uint64_t)1 << 20) /* bytes that a processor may keep for queue nodes and the like */
#define INTERVAL UINT64_C(1000000)   /* nanoseconds from one look to the next */

/* A task's place in queues is kept for the next task in its memory. */
static void count_kept(struct task *task, void *count)
{
	*(uint64_t *)count += task->locks.waiter != NULL;
}

struct balance balance_now(void)
{
	uint64_t kept = 0;
	struct memory_count memory = memory_count(MEMORY_ANY_NODE);
	struct pool_total pools = pool_total();
	task_visit_all(count_kept, &kept);
	return (struct balance){pools.used - kept, memory.total - memory.free - pools.bytes};
}

bool balance_returns(struct balance then, uint64_t patience)
{
	uint64_t end = heddle_clock() + patience;
	for (;;) {
		struct balance now = balance_now();
		if (now.objects == then.objects && now.bytes <= then.bytes + SLACK * heddle_processors())
			return true;
		if (heddle_clock() > end) {
			log_error("of the pools' objects %ld are not back, and of memory %ld bytes",
			          (long)(now.objects - then.objects), (long)(now.bytes - then.bytes));
			return false;
		}
		task_sleep_until(heddle_clock() + INTERVAL);
	}
}
