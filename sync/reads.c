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
	memcpy(block->locks, task->read, sizeof block->locks);
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
	memcpy(task->read, block->locks, sizeof task->read);
	task->read_count = TASK_READS;
	task->reads = block->older;
	pool_give(&reads_pool, &block->pooled);
}

static struct reader_writer_lock **find_in(struct reader_writer_lock **locks, uint32_t count,
                                           const struct reader_writer_lock *lock)
{
	while (count > 0)
		if (locks[--count] == lock)
			return &locks[count];
	return NULL;
}

/* NULL: it is nowhere. */
static struct reader_writer_lock **find(struct task *task, const struct reader_writer_lock *lock)
{
	struct reader_writer_lock **found = find_in(task->read, task->read_count, lock);
	for (struct reads *block = task->reads; block && !found; block = block->older)
		found = find_in(block->locks, TASK_READS, lock);
	return found;
}

bool reads_remove_slowly(struct task *task, const struct reader_writer_lock *lock)
{
	refill(task);
	struct reader_writer_lock **found = find(task, lock);
	if (found)
		*found = task->read[--task->read_count];
	return found;
}

bool reads_has(struct task *task, const struct reader_writer_lock *lock)
{
	return find(task, lock);
}

struct reader_writer_lock *reads_any(struct task *task)
{
	refill(task);
	return task->read_count ? task->read[task->read_count - 1] : NULL;
}
