/*
 * The queues of requests, and the tasks that a step lets go on.
 */
#include "sync/deferral.h"
#include "sync/select.h"
#include "sync/serve.h"

/* --------------------------------------------------------------------------------------------- queues -- */

void request_queue_put(struct request_queue *queue, struct request *request)
{
	request->queue = queue;
	request->next = NULL;
	request->previous = queue->last;
	if (queue->last)
		queue->last->next = request;
	else
		queue->first = request;
	queue->last = request;
}

void request_queue_remove(struct request *request)
{
	struct request_queue *queue = request->queue;
	if (request->previous)
		request->previous->next = request->next;
	else
		queue->first = request->next;
	if (request->next)
		request->next->previous = request->previous;
	else
		queue->last = request->previous;
	request->queue = NULL;
}

/* -------------------------------------------------------------------------------------------- granted -- */

void granted_add(struct granted *granted, struct task *task)
{
	task->ready_next = NULL;
	if (granted->last)
		granted->last->ready_next = task;
	else
		granted->first = task;
	granted->last = task;
}

bool request_grant(struct request *request, enum heddle_error result, struct granted *granted)
{
	if (request->queue)
		request_queue_remove(request);
	/* Before the wait ends: after that the request may be gone. */
	struct task *task = request->task;
	request->result = result;
	request->done = true;
	if (request->own || request->detached)
		return true;
	if (request->choice)
		return choice_take(request, granted);
	if (!wait_grant_armed(task, request->ticket))
		return false;
	granted_add(granted, task);
	return true;
}

void granted_publish(struct granted *granted)
{
	struct task *task = granted->first;
	while (task) {
		struct task *next = task->ready_next;
		ready_publish(task);
		task = next;
	}
}

void granted_defer(struct granted *granted)
{
	struct task *first = granted->first;
	if (!first || first->ready_next || !deferral_of_wake(first))
		granted_publish(granted);
}

void granted_exchange(struct granted *granted)
{
	struct task *first = granted->first;
	if (!first)
		return;
	struct granted others = {first->ready_next, granted->last};
	granted_publish(&others);
	exchange_to(first);
}
