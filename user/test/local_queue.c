/*
 * Other processors can always reach the ready tasks of a processor, even if all were busy when these were put there,
 * and if their own processor then runs a task that never comes to the scheduler.
 */
#include "sched/local_queue.h"

#include "heddle/system.h"
#include "user/test/quantum.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define BUSY_MOST 8
#define MANY      (3 * LOCAL_BLOCK + 5)

struct work {
	atomic_bool over;
	_Atomic unsigned started, done;
	unsigned made;
};

static intptr_t keep_busy(void *argument)
{
	struct work *work = argument;
	atomic_fetch_add_explicit(&work->started, 1, memory_order_release);
	while (!is_set(&work->over))
		task_yield();
	return 0;
}

static intptr_t count_done(void *argument)
{
	atomic_fetch_add_explicit(&((struct work *)argument)->done, 1, memory_order_release);
	return 0;
}

/* One task for each other processor, so that none is idle. */
static bool busy_start(struct work *work, struct task **tasks)
{
	while (work->made + 1 < processor_count &&
	       task_start(&tasks[work->made], keep_busy, work, 0, HEDDLE_PRIORITY_NORMAL, (int)work->made + 1) ==
	           HEDDLE_OK)
		work->made++;
	while (atomic_load_explicit(&work->started, memory_order_acquire) < work->made)
		task_yield();
	return work->made + 1 == processor_count;
}

/* Without checks: only an interrupt can intervene. */
HEDDLE_UNCOOPERATIVE_FUNCTION static void wait_stubbornly(const struct work *work, unsigned wanted,
                                                          uint64_t end)
{
	for (unsigned turn = 0; atomic_load_explicit(&work->done, memory_order_acquire) < wanted; turn++)
		if (turn % 1024 == 0 && heddle_clock() >= end)
			return;
}

static bool are_taken(unsigned count)
{
	struct work work = {0};
	struct task *busy[BUSY_MOST], *ready[MANY];
	unsigned made = 0;
	bool all_busy = busy_start(&work, busy);
	while (made < count && task_start(&ready[made], count_done, &work, 0, HEDDLE_PRIORITY_NORMAL,
	                                  HEDDLE_TASK_ANY_PROCESSOR) == HEDDLE_OK)
		made++;
	set_flag(&work.over);
	wait_stubbornly(&work, made, after(10000));
	bool taken = atomic_load_explicit(&work.done, memory_order_relaxed) == count;
	for (unsigned i = 0; i < made; i++)
		task_join(ready[i], NULL);
	for (unsigned i = 0; i < work.made; i++)
		task_join(busy[i], NULL);
	return all_busy && taken;
}

TEST(local_queue, nothing_is_stranded)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	test_skip(test, "a sanitizer's own code cannot be told from ours, so tasks are not interrupted");
	return;
#endif
	if (processor_count < 2 || processor_count > BUSY_MOST) {
		test_skip(test, "needs two to eight processors");
		return;
	}
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	for (unsigned round = 0; round < 20; round++) {
		CHECK(are_taken(1));
		CHECK(are_taken(LOCAL_BLOCK - 1));
		CHECK(are_taken(MANY));
	}
}
