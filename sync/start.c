#include "sync/start.h"

#include "kernel/console.h"
#include "sync/delegation/delegation.h"
#include "sync/future.h"
#include "sync/mutex.h"
#include "sync/reader_writer_lock.h"
#include "sync/reads.h"
#include "sync/serve.h"
#include "sync/strategy/holder.h"

static void end_reading(struct task *task)
{
	const void *share;
	while ((share = reads_take(task)))
		if (mrqd_is_share(share))
			mrqd_release_share(task, share);
		else
			reader_writer_lock_release_share(task, (struct reader_writer_lock *)share);
}

static void sync_end(struct task *task)
{
	if (task->locks.buffer)
		qd_abandon_buffer(task);
	task->ending_wait = NULL;
	if (task->held && !mutex_release_all(task))
		return;
	if (task->locks.written)
		reader_writer_lock_release_all(task);
	if (task->locks.read_count > 0 || task->locks.reads)
		end_reading(task);
	uint32_t kept = holder_ends(task) + task->locks.sections;
	if (kept > 0)
		log_error("task %s (%u) ends while it holds %u locks that are not handed on, which stay taken",
		          task->name, task->pooled.number, kept);
	waiter_forget(task);
}

void sync_start(void)
{
	waiter_start();
	serve_start();
	reads_start();
	future_start();
	task_ends = sync_end;
	lock_refuses_switch = qd_refuse_switch;
}
