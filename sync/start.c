#include "sync/start.h"

#include "kernel/console.h"
#include "sync/delegation/delegation.h"
#include "sync/future.h"
#include "sync/mutex.h"
#include "sync/reader_writer_lock.h"
#include "sync/reads.h"
#include "sync/serve.h"

static void end(struct task *task)
{
	if (task->buffer)
		qd_abandon_buffer(task);
	mutex_release_all(task);
	reader_writer_lock_release_all(task);
	if (task->sections > 0)
		log_error("task %s (%u) ends while it holds %u locks that are not handed on, which stay taken",
		          task->name, task->pooled.number, task->sections);
	waiter_forget(task);
}

void sync_start(void)
{
	waiter_start();
	serve_start();
	reads_start();
	future_start();
	task_ends = end;
}
