/*
 * The queues of requests, and the tasks that a step lets go on.
 */
#include "sync/deferral.h"
#include "sync/foresee.h"
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

/* All but the first. */
static void granted_publish_others(struct granted *granted)
{
	struct task *first = granted->first;
	struct granted others = {first->ready_next, granted->last};
	first->ready_next = NULL;
	granted->last = first;
	granted_publish(&others);
}

/* Fetch ahead what it takes to grant a request, and the place of the one behind it. Each waiting task has run elsewhere
 * or long ago. */
FORESEE_INLINE void foresee_request(const struct request *request)
{
	foresee((uintptr_t)&request->task->wait);
	foresee((uintptr_t)&request->task->ready_next);
	foresee((uintptr_t)request->next);
	foresee((uintptr_t)request->next + CACHE_LINE);
}

void request_grant_all(struct request_queue *queue, enum heddle_error result, struct granted *granted)
{
	struct request *request = queue->first;
	struct task *kept = NULL;
	/* First, and once: tasks that come meanwhile take the object's line away. */
	if (request)
		queue->first = queue->last = NULL;
	while (request) {
		struct request *next = request->next; /* read before the request may be gone */
		if (next)
			foresee_request(next);
		struct granted one = {0};
		request->queue = NULL;
		request_grant(request, result, &one);
		if (kept)
			granted_publish(&one);
		else
			kept = one.first;
		request = next;
	}
	if (kept)
		granted_add(granted, kept);
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
	granted_publish_others(granted);
	exchange_to(first);
}
