#include "sync/reads.h"

#include <string.h>

static struct pool reads_pool;

void reads_start(void)
{
	pool_create(&reads_pool, "reads", sizeof(struct reads), NULL);
}

bool reads_spill(struct task *task)
{
	struct reads *block = (struct reads *)pool_take(&reads_pool);
	if (!block)
		return false;
	memcpy(block->shares, task->locks.read, sizeof block->shares);
	block->older = task->locks.reads;
	task->locks.reads = block;
	task->locks.read_count = 0;
	return true;
}

/* If the task itself has none, it gets those of a block. */
static void refill(struct task *task)
{
	struct reads *block = task->locks.reads;
	if (task->locks.read_count > 0 || !block)
		return;
	memcpy(task->locks.read, block->shares, sizeof task->locks.read);
	task->locks.read_count = TASK_READS;
	task->locks.reads = block->older;
	pool_give(&reads_pool, &block->pooled);
}

static const void **find_in(const void **shares, uint32_t count, const void *share)
{
	while (count > 0)
		if (shares[--count] == share)
			return &shares[count];
	return NULL;
}

/* NULL: the task does not have it. */
static const void **find(struct task *task, const void *share)
{
	const void **found = find_in(task->locks.read, task->locks.read_count, share);
	for (struct reads *block = task->locks.reads; block && !found; block = block->older)
		found = find_in(block->shares, TASK_READS, share);
	return found;
}

bool reads_remove_anywhere(struct task *task, const void *share)
{
	refill(task);
	const void **found = find(task, share);
	if (found)
		*found = task->locks.read[--task->locks.read_count];
	return found;
}

bool reads_has_anywhere(struct task *task, const void *share)
{
	return find(task, share);
}

const void *reads_take(struct task *task)
{
	refill(task);
	return task->locks.read_count ? task->locks.read[--task->locks.read_count] : NULL;
}
