#include "sync/serve.h"

#include "kernel/list.h"
#include "sync/deferral.h"
#include "sync/select.h"

static struct pool request_pool;

void serve_start(void)
{
	pool_create(&request_pool, "requests", sizeof(struct request), NULL);
}

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
	task->wait_next = NULL;
	if (granted->last)
		granted->last->wait_next = task;
	else
		granted->first = task;
	granted->last = task;
}

bool request_grant(struct request *request, enum heddle_error result, struct granted *granted)
{
	if (request->queue)
		request_queue_remove(request);
	/* Before the wait ends: then the request is gone. */
	struct task *task = request->task;
	request->result = result;
	request->done = true;
	if (request->own || request->detached)
		return true;
	if (request->choice)
		return choice_take(request, granted);
	if (!wait_grant(task, request->ticket, HEDDLE_OK))
		return false;
	granted_add(granted, task);
	return true;
}

void granted_publish(struct granted *granted)
{
	struct task *task = granted->first;
	while (task) {
		struct task *next = task->wait_next;
		ready_publish(task);
		task = next;
	}
}

/* Of the current task, which goes on. */
static void granted_defer(struct granted *granted)
{
	struct task *first = granted->first;
	if (!first || first->wait_next || !deferral_of_wake(first))
		granted_publish(granted);
}

void granted_exchange(struct granted *granted)
{
	struct task *first = granted->first;
	if (!first)
		return;
	struct granted others = {first->wait_next, granted->last};
	granted_publish(&others);
	exchange_to(first);
}

/* ---------------------------------------------------------------------------------------------- serve -- */

/* Returns whether the caller serves now; else the request was left. */
static bool enter_or_post(struct served *object, struct request *request)
{
	uintptr_t word = atomic_load_explicit(&object->word, memory_order_relaxed);
	uintptr_t changed;
	do {
		request->next = word > SERVE_BUSY ? (struct request *)word : NULL;
		changed = word == SERVE_FREE ? SERVE_BUSY : (uintptr_t)request;
		/* FREE -> BUSY; BUSY, a request -> this one; release: the request, for serve_leave; acquire: as
		 * in serve_enter. */
	} while (!atomic_compare_exchange_weak_explicit(&object->word, &word, changed, memory_order_acq_rel,
	                                                memory_order_relaxed));
	return word == SERVE_FREE;
}

/* NULL; else what was left meanwhile, oldest first, and the caller still serves. */
static struct request *serve_leave(struct served *object)
{
	if (serve_try_leave(object))
		return NULL;
	/* requests -> BUSY; acquire: from enter_or_post. */
	return list_reverse(
	    (struct request *)atomic_exchange_explicit(&object->word, SERVE_BUSY, memory_order_acquire));
}

/* Withdrawing is the same for all kinds, but for what it lets go on. */
static void carry_out_once(struct served *object, serve_step step, struct request *request,
                           struct granted *granted)
{
	request->queue = NULL;
	if (request->operation == REQUEST_WITHDRAW && request->target->queue)
		request_queue_remove(request->target);
	step(object, request, granted);
}

/* The caller serves, and the request was queued, but it must not wait. */
static void serve_give_up(struct served *object, serve_step step, struct request *request,
                          struct granted *granted)
{
	struct request withdrawal = {.operation = REQUEST_WITHDRAW, .own = true, .target = request};
	carry_out_once(object, step, &withdrawal, granted);
}

static void serve_carry_out(struct served *object, serve_step step, struct request *request,
                            struct granted *granted)
{
	/* Before it may be done, and gone. */
	bool once = request->once;
	carry_out_once(object, step, request, granted);
	if (once && !request->done) {
		serve_give_up(object, step, request, granted);
		request_grant(request, HEDDLE_TIMED_OUT, granted);
	}
}

/* What is rare, and deep, is done on the processor's stack. */
struct errand {
	struct served *object;
	serve_step step;
	struct request *requests;
	struct granted *granted;
};

static void give_up_now(void *argument)
{
	struct errand *errand = argument;
	serve_give_up(errand->object, errand->step, errand->requests, errand->granted);
}

static bool is_pooled(const struct request *request)
{
	return request->detached && !request->lent;
}

static void serve_left(void *argument)
{
	struct errand *errand = argument;
	struct request *request = errand->requests;
	do {
		while (request) {
			struct request *next = request->next;
			bool pooled = is_pooled(request);
			serve_carry_out(errand->object, errand->step, request, errand->granted);
			if (pooled)
				pool_give(&request_pool, &request->pooled);
			request = next;
		}
	} while ((request = serve_leave(errand->object)));
}

static void serve_others(struct served *object, serve_step step, struct granted *granted)
{
	struct errand errand = {object, step, serve_leave(object), granted};
	if (errand.requests)
		arch_call_on_processor_stack(serve_left, &errand);
}

void serve_in_finalizer(struct served *object, serve_step step, struct request *request,
                        struct granted *granted)
{
	if (!enter_or_post(object, request))
		return;
	serve_carry_out(object, step, request, granted);
	serve_others(object, step, granted);
}

/* One of serve(); on the stack of the task that waits, so that it is gone when the object is left. */
struct call {
	struct served *object;
	const struct serve_kind *kind;
	struct request *request;
	uint64_t deadline;
	bool gives;
	bool entered;   /* the caller serves already */
	bool abandoned; /* its wait has ended early, and the request is to be withdrawn */
};

/* The caller serves, and its request was queued. */
static void finalize_served(struct task *left, void *argument)
{
	struct call call = *(struct call *)argument;
	struct granted granted = {0};
	uint64_t ticket = wait_leave(left);
	serve_others(call.object, call.kind->step, &granted);
	wait_arm(left, ticket);
	granted_publish(&granted);
}

/* Another serves. */
static void finalize_post(struct task *left, void *argument)
{
	struct call call = *(struct call *)argument;
	struct granted granted = {0};
	uint64_t ticket = wait_leave(left);
	serve_in_finalizer(call.object, call.kind->step, call.request, &granted);
	wait_arm(left, ticket);
	granted_publish(&granted);
}

/* NULL: no memory. */
static struct request *copy_of(const struct request *request)
{
	struct request *copy = request->lent ? request->copy : (struct request *)pool_take(&request_pool);
	if (!copy)
		return NULL;
	uint32_t number = copy->pooled.number;
	*copy = *request;
	copy->pooled.number = number;
	copy->detached = true;
	return copy;
}

static enum heddle_error post_detached(struct served *object, const struct serve_kind *kind,
                                       const struct request *request)
{
	struct request *copy = copy_of(request);
	struct granted granted = {0};
	if (!copy)
		return HEDDLE_NO_MEMORY;
	if (!enter_or_post(object, copy))
		return HEDDLE_OK;
	carry_out_once(object, kind->step, copy, &granted);
	enum heddle_error result = copy->result;
	if (is_pooled(copy))
		pool_give(&request_pool, &copy->pooled);
	serve_others(object, kind->step, &granted);
	granted_publish(&granted);
	return result;
}

/* The wait of the request: begun before it is queued, if it is to be. */
static enum heddle_error serve_begin(const struct call *call, bool kept)
{
	struct wait_object report = {call->kind->name, call->object, NULL};
	return kept ? wait_begin_kept(&report) : wait_begin(&report, call->deadline);
}

/* Returns when the request is done, or the wait has ended early. */
static enum heddle_error serve_await(struct call *call, finalizer finalize)
{
	call->request->waited = true;
	switch_away(finalize, call);
	enum heddle_error error = wait_finish();
	call->abandoned = error != HEDDLE_OK;
	return call->abandoned ? error : call->request->result;
}

/* The caller serves. */
static enum heddle_error serve_own(struct call *call)
{
	struct granted granted = {0};
	struct request *request = call->request;
	request->own = true;
	carry_out_once(call->object, call->kind->step, request, &granted);
	if (!request->done) {
		request->result = serve_begin(call, false);
		if (request->result == HEDDLE_OK) {
			request->own = false;
			request->ticket = wait_ticket(request->task);
			granted_publish(&granted);
			return serve_await(call, finalize_served);
		}
		arch_call_on_processor_stack(give_up_now,
		                             &(struct errand){call->object, call->kind->step, request, &granted});
	}
	serve_others(call->object, call->kind->step, &granted);
	if (call->gives)
		granted_exchange(&granted);
	else
		granted_defer(&granted);
	return request->result;
}

static enum heddle_error serve_once(struct call *call)
{
	struct request *request = call->request;
	request->task = task_current();
	if (call->entered || serve_enter(call->object))
		return serve_own(call);
	if (call->gives && processor_current()->uncooperative != 0)
		return post_detached(call->object, call->kind, request);
	request->once =
	    !request->immediate && call->deadline != HEDDLE_NO_DEADLINE && arch_clock() >= call->deadline;
	enum heddle_error error = serve_begin(call, request->immediate || request->once);
	if (error != HEDDLE_OK)
		return error;
	request->ticket = wait_ticket(request->task);
	return serve_await(call, finalize_post);
}

/* Nobody may come back to the request. Apart from it, so that a task that waits has the stack for one of both. */
__attribute__((noinline)) static void serve_withdraw(struct call *call)
{
	struct request withdrawal = {.operation = REQUEST_WITHDRAW, .immediate = true, .target = call->request};
	call->request = &withdrawal;
	call->deadline = HEDDLE_NO_DEADLINE;
	call->gives = true;
	call->entered = false;
	serve_once(call);
}

static inline enum heddle_error carry_through(struct call *call)
{
	enum heddle_error error = serve_once(call);
	if (call->abandoned)
		serve_withdraw(call);
	return error;
}

enum heddle_error serve(struct served *object, const struct serve_kind *kind, struct request *request,
                        uint64_t deadline, bool gives)
{
	struct call call = {object, kind, request, deadline, gives, false, false};
	return carry_through(&call);
}

enum heddle_error serve_entered(struct served *object, const struct serve_kind *kind, struct request *request,
                                uint64_t deadline)
{
	struct call call = {object, kind, request, deadline, false, true, false};
	return carry_through(&call);
}

static void serve_left_and_publish(void *argument)
{
	struct errand *errand = argument;
	struct granted granted = {0};
	errand->granted = &granted;
	errand->requests = serve_leave(errand->object);
	if (errand->requests)
		serve_left(errand);
	granted_publish(&granted);
}

/* All of it on the processor's stack: the caller has no room for more. */
void serve_leave_with_others(struct served *object, const struct serve_kind *kind)
{
	struct errand errand = {.object = object, .step = kind->step};
	arch_call_on_processor_stack(serve_left_and_publish, &errand);
}
