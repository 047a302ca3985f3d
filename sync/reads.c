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
	memcpy(block->shares, task->read, sizeof block->shares);
	block->older = task->reads;
	task->reads = block;
	task->read_count = 0;
	return true;
}

/* Where the task itself has none, it gets those of a block. */
static void refill(struct task *task)
{
	struct reads *block = task->reads;
	if (task->read_count > 0 || !block)
		return;
	memcpy(task->read, block->shares, sizeof task->read);
	task->read_count = TASK_READS;
	task->reads = block->older;
	pool_give(&reads_pool, &block->pooled);
}

static const void **find_in(const void **shares, uint32_t count, const void *share)
{
	while (count > 0)
		if (shares[--count] == share)
			return &shares[count];
	return NULL;
}

/* NULL: it is nowhere. */
static const void **find(struct task *task, const void *share)
{
	const void **found = find_in(task->read, task->read_count, share);
	for (struct reads *block = task->reads; block && !found; block = block->older)
		found = find_in(block->shares, TASK_READS, share);
	return found;
}

bool reads_remove_anywhere(struct task *task, const void *share)
{
	refill(task);
	const void **found = find(task, share);
	if (found)
		*found = task->read[--task->read_count];
	return found;
}

bool reads_has_anywhere(struct task *task, const void *share)
{
	return find(task, share);
}

const void *reads_take(struct task *task)
{
	refill(task);
	return task->read_count ? task->read[--task->read_count] : NULL;
}
