#include "heddle/future.h"

#include "sync/future.h"
#include "sync/serve.h"

enum { EMPTY, CLAIMED, SET, BROKEN }; /* of a future */
enum { WAIT = 1, PUBLISH, BREAK };    /* of a request */

#define ENDS 2

/* A future that belongs to both ends. It is set or broken once, so it has the memory to leave that request to another
 * processor. Such a processor serves a task that waits, so the future has not been given up. */
struct shared_future {
	struct pool_object pooled;
	struct future future;
	struct request copy;
};

static struct shared_future *shared_of(struct future *future)
{
	return (struct shared_future *)((char *)future - offsetof(struct shared_future, future));
}

static struct pool future_pool;

void future_start(void)
{
	pool_create(&future_pool, "futures", sizeof(struct shared_future), NULL);
}

static uint32_t future_state_of(const struct future *future)
{
	/* acquire: the value, and what was done before it was set; pairs with the store in future_step. */
	return atomic_load_explicit(&future->state, memory_order_acquire);
}

/* Relaxed: it is either always 0, or never while the caller's end is there. */
static bool is_shared(const struct future *future)
{
	return atomic_load_explicit(&future->ends, memory_order_relaxed) != 0;
}

bool future_is_set(const struct future *future)
{
	return future_state_of(future) >= SET;
}

static enum heddle_error outcome(const struct future *future)
{
	return future_state_of(future) == SET ? HEDDLE_OK : HEDDLE_BROKEN;
}

intptr_t future_value(const struct future *future)
{
	return future->value;
}

void *future_room(struct future *future)
{
	return future->room;
}

/* ----------------------------------------------------------------------------------- setting, waiting -- */

static void future_step(struct served *object, struct request *request, struct granted *granted)
{
	struct future *future = (struct future *)((char *)object - offsetof(struct future, served));
	if (request->operation == WAIT && !future_is_set(future)) {
		request_queue_put(&future->waiting, request);
		return;
	}
	if (request->operation == PUBLISH || request->operation == BREAK)
		/* CLAIMED -> SET, BROKEN; release: the value, which came with the request; pairs with future_state_of. */
		atomic_store_explicit(&future->state, request->operation == PUBLISH ? SET : BROKEN,
		                      memory_order_release);
	if (future_is_set(future))
		request_grant_all(&future->waiting, outcome(future), granted);
	request_grant(request, request->operation == WAIT ? outcome(future) : HEDDLE_OK, granted);
}

static const struct serve_kind kind = {"future", future_step};

void *future_claim(struct future *future)
{
	uint32_t expected = EMPTY;
	/* EMPTY -> CLAIMED; relaxed: what follows publishes the value. */
	return atomic_compare_exchange_strong_explicit(&future->state, &expected, CLAIMED, memory_order_relaxed,
	                                               memory_order_relaxed)
	           ? future->room
	           : NULL;
}

static enum heddle_error future_finish(struct future *future, uint32_t operation)
{
	struct request request = {.operation = operation, .immediate = true, .lent = is_shared(future)};
	if (request.lent)
		request.copy = &shared_of(future)->copy;
	return serve(&future->served, &kind, &request, HEDDLE_NO_DEADLINE, true);
}

STACK_ENTRY(future_publish)
enum heddle_error future_publish(struct future *future)
{
	return future_finish(future, PUBLISH);
}

STACK_ENTRY(future_set)
enum heddle_error future_set(struct future *future, intptr_t value)
{
	if (!future_claim(future))
		return HEDDLE_ALREADY_SET;
	future->value = value;
	return future_publish(future);
}

STACK_ENTRY(future_break)
enum heddle_error future_break(struct future *future)
{
	if (!future_claim(future))
		return HEDDLE_ALREADY_SET;
	enum heddle_error error = future_finish(future, BREAK);
	/* CLAIMED -> EMPTY: no longer claimed, so that it can be tried again. */
	if (error == HEDDLE_NO_MEMORY)
		atomic_store_explicit(&future->state, EMPTY, memory_order_relaxed);
	return error;
}

STACK_ENTRY(future_wait_until)
enum heddle_error future_wait_until(struct future *future, uint64_t deadline)
{
	struct request request = {.operation = WAIT};
	/* Not while another serves a future in the caller's memory: that may still touch it when the caller frees it. The
	 * promise keeps a shared one until its setter is done. */
	if (future_is_set(future) && (is_shared(future) || serve_is_left(&future->served)))
		return outcome(future);
	return serve(&future->served, &kind, &request, deadline, false);
}

STACK_ENTRY(future_wait)
enum heddle_error future_wait(struct future *future)
{
	return future_wait_until(future, HEDDLE_NO_DEADLINE);
}

enum heddle_error future_destroy(struct future *future)
{
	return serve_is_free(&future->served, &future->waiting)
	           ? HEDDLE_OK
	           : lock_misused("future_destroy()", kind.name, future, HEDDLE_IN_USE);
}

/* ------------------------------------------------------------------------------------------ both ends -- */

enum heddle_error promise_create(struct promise *promise, struct future **future)
{
	struct shared_future *shared = (struct shared_future *)pool_take(&future_pool);
	if (!shared)
		return HEDDLE_NO_MEMORY;
	shared->future = (struct future){.ends = ENDS};
	promise->future = *future = &shared->future;
	return HEDDLE_OK;
}

static void give_up_end(struct future *future)
{
	/* release: what this end did to it; acquire: what the other end did, before the memory goes back. */
	if (atomic_fetch_sub_explicit(&future->ends, 1, memory_order_acq_rel) != 1)
		return;
	if (future->destroy && future_state_of(future) == SET)
		future->destroy(future->room);
	pool_give(&future_pool, &shared_of(future)->pooled);
}

STACK_ENTRY(promise_set)
enum heddle_error promise_set(struct promise *promise, intptr_t value)
{
	if (!promise->future)
		return HEDDLE_ALREADY_SET;
	enum heddle_error error = future_set(promise->future, value);
	promise_release(promise);
	return error;
}

STACK_ENTRY(promise_release)
void promise_release(struct promise *promise)
{
	struct future *future = promise->future;
	if (!future)
		return;
	promise->future = NULL;
	future_break(future);
	give_up_end(future);
}

enum heddle_error future_release(struct future *future)
{
	if (!future)
		return HEDDLE_OK;
	if (future->waiting.first)
		return lock_misused("future_release()", kind.name, future, HEDDLE_IN_USE);
	give_up_end(future);
	return HEDDLE_OK;
}
