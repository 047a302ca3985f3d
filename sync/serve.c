#include "sync/serve.h"

#include "kernel/list.h"

static struct pool request_pool;

void serve_start(void)
{
	pool_create(&request_pool, "requests", sizeof(struct request), NULL);
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
		/* FREE -> BUSY; BUSY, a request -> this one; release: the request, for serve_take_left; acquire: as
		 * in serve_enter. */
	} while (
	    !word_compare_exchange(&object->word, &word, changed, memory_order_acq_rel, memory_order_relaxed));
	return word == SERVE_FREE;
}

/* Returns the requests that were left meanwhile, oldest first; then the caller still serves. NULL: none, and it
 * serves no longer. */
static struct request *serve_take_left(struct served *object)
{
	if (serve_try_leave(object))
		return NULL;
	/* requests -> BUSY; acquire: from enter_or_post. */
	return list_reverse((struct request *)word_exchange(&object->word, SERVE_BUSY, memory_order_acquire));
}

/* Withdrawing is the same for all kinds, except for the tasks that it lets go on. */
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
	/* Read before the request may be done, and gone. */
	bool once = request->once;
	carry_out_once(object, step, request, granted);
	if (once && !request->done) {
		serve_give_up(object, step, request, granted);
		request_grant(request, HEDDLE_TIMED_OUT, granted);
	}
}

/* Rare and deep work is done on the processor's stack. */
struct serve_errand {
	struct served *object;
	serve_step step;
	struct request *requests;
	struct granted *granted;
};

static void give_up_now(void *argument)
{
	struct serve_errand *errand = argument;
	serve_give_up(errand->object, errand->step, errand->requests, errand->granted);
}

static bool is_pooled(const struct request *request)
{
	return request->detached && !request->lent;
}

static void serve_left(void *argument)
{
	struct serve_errand *errand = argument;
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
	} while ((request = serve_take_left(errand->object)));
}

static void serve_others(struct served *object, serve_step step, struct granted *granted)
{
	struct serve_errand errand = {object, step, serve_take_left(object), granted};
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

/* A call of serve(). It is on the stack of the task that waits, so it may be gone when the object is left. */
struct call {
	struct served *object;
	const struct serve_kind *kind;
	struct request *request;
	uint64_t deadline;
	bool gives;
	bool entered;   /* the caller serves already */
	bool abandoned; /* its wait has ended early, and the request must be withdrawn */
};

/* Carry out the requests that were left meanwhile, for a task that was switched away. */
__attribute__((noinline)) static void serve_in_its_place(struct served *object, serve_step step)
{
	struct granted granted = {0};
	serve_others(object, step, &granted);
	granted_publish(&granted);
}

/* The caller serves, and its request was queued: so its wait cannot end before the object is left. */
static void finalize_served(struct task *left, void *argument)
{
	const struct call *call = argument;
	struct served *object = call->object;
	serve_step step = call->kind->step;
	wait_arm_unseen(left, wait_leave(left));
	/* From here on the call may be gone. */
	if (__builtin_expect(!serve_try_leave(object), 0))
		serve_in_its_place(object, step);
	wait_look(left);
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

/* The caller serves, and its own request is done. */
static void leave_with(struct call *call, struct granted *granted)
{
	serve_others(call->object, call->kind->step, granted);
	if (call->gives)
		granted_exchange(granted);
	else
		granted_defer(granted);
}

/* The caller serves, and its request is queued, but it must not wait. */
__attribute__((noinline)) static enum heddle_error give_up_at_once(struct call *call, enum heddle_error error,
                                                                   struct granted *granted)
{
	call->request->result = error;
	arch_call_on_processor_stack(
	    give_up_now, &(struct serve_errand){call->object, call->kind->step, call->request, granted});
	leave_with(call, granted);
	return call->request->result;
}

/* Returns when the request is done, or the wait has ended early. */
__attribute__((always_inline)) static inline enum heddle_error serve_wait(struct call *call,
                                                                          finalizer finalize)
{
	struct request *request = call->request;
	request->waited = true;
	switch_away(finalize, call);
	enum heddle_error error = wait_finish();
	call->abandoned = error != HEDDLE_OK;
	return __builtin_expect(call->abandoned, 0) ? error : request->result;
}

/* The caller serves, and its request is queued. */
__attribute__((always_inline)) static inline enum heddle_error await_served(struct call *call,
                                                                            struct granted *granted)
{
	struct request *request = call->request;
	struct wait_object report = {call->kind->name, call->object, NULL};
	enum heddle_error error = wait_begin(&report, call->deadline);
	if (__builtin_expect(error != HEDDLE_OK, 0))
		return give_up_at_once(call, error, granted);
	granted_publish(granted);
	request->own = false;
	request->ticket = wait_ticket(request->task);
	return serve_wait(call, finalize_served);
}

/* The caller serves. */
static enum heddle_error serve_own(struct call *call)
{
	struct granted granted = {0};
	struct request *request = call->request;
	request->own = true;
	carry_out_once(call->object, call->kind->step, request, &granted);
	if (!request->done)
		return await_served(call, &granted);
	leave_with(call, &granted);
	return request->result;
}

static enum heddle_error post(struct call *call)
{
	struct request *request = call->request;
	struct wait_object report = {call->kind->name, call->object, NULL};
	if (call->gives && arch_is_uncooperative())
		return post_detached(call->object, call->kind, request);
	request->once =
	    !request->immediate && call->deadline != HEDDLE_NO_DEADLINE && arch_clock() >= call->deadline;
	enum heddle_error error =
	    request->immediate || request->once ? wait_begin_kept(&report) : wait_begin(&report, call->deadline);
	if (error != HEDDLE_OK)
		return error;
	request->ticket = wait_ticket(request->task);
	return serve_wait(call, finalize_post);
}

static enum heddle_error serve_once(struct call *call)
{
	call->request->task = task_current();
	return call->entered || serve_enter(call->object) ? serve_own(call) : post(call);
}

/* After this no server has the request any more. Out of line, so that a waiting task needs stack for only one of the
 * two. */
__attribute__((noinline)) static void serve_withdraw(struct call *call)
{
	struct request withdrawal = {.operation = REQUEST_WITHDRAW, .immediate = true, .target = call->request};
	call->request = &withdrawal;
	call->deadline = HEDDLE_NO_DEADLINE;
	call->gives = true;
	call->entered = false;
	serve_once(call);
}

static inline enum heddle_error carry_through(struct call *call, enum heddle_error error)
{
	if (__builtin_expect(call->abandoned, 0))
		serve_withdraw(call);
	return error;
}

enum heddle_error serve(struct served *object, const struct serve_kind *kind, struct request *request,
                        uint64_t deadline, bool gives)
{
	struct call call = {object, kind, request, deadline, gives, false, false};
	return carry_through(&call, serve_once(&call));
}

enum heddle_error serve_kept(struct served *object, const struct serve_kind *kind, struct request *request)
{
	struct call call = {object, kind, request, HEDDLE_NO_DEADLINE, false, false, false};
	request->task = task_current();
	request->immediate = true; /* its wait cannot end early */
	return post(&call);
}

enum heddle_error serve_await(struct served *object, const struct serve_kind *kind, struct request *request,
                              uint64_t deadline)
{
	struct call call = {object, kind, request, deadline, false, true, false};
	struct granted granted = {0};
	request->task = task_current();
	return carry_through(&call, await_served(&call, &granted));
}

void serve_leave(struct served *object, const struct serve_kind *kind, struct granted *granted)
{
	serve_others(object, kind->step, granted);
	granted_defer(granted);
}

void serve_leave_and_give(struct served *object, const struct serve_kind *kind, struct granted *granted)
{
	serve_others(object, kind->step, granted);
	granted_exchange(granted);
}

static void serve_left_and_publish(void *argument)
{
	struct serve_errand *errand = argument;
	struct granted granted = {0};
	errand->granted = &granted;
	errand->requests = serve_take_left(errand->object);
	if (errand->requests)
		serve_left(errand);
	granted_publish(&granted);
}

/* All of this runs on the processor's stack: the caller has no room for more. */
void serve_leave_with_others(struct served *object, const struct serve_kind *kind)
{
	struct serve_errand errand = {.object = object, .step = kind->step};
	arch_call_on_processor_stack(serve_left_and_publish, &errand);
}
