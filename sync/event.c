#include "heddle/event.h"

#include "sync/serve.h"

enum { WAIT = 1, SET, RESET };

static struct event *event_of(struct served *served)
{
	return (struct event *)((char *)served - offsetof(struct event, served));
}

bool event_is_set(const struct event *event)
{
	/* acquire: what was done before it was set; pairs with the store in event_step. */
	return atomic_load_explicit(&event->set, memory_order_acquire);
}

static void event_step(struct served *object, struct request *request, struct granted *granted)
{
	struct event *event = event_of(object);
	if (request->operation == WAIT && !event_is_set(event)) {
		request_queue_put(&event->waiting, request);
		return;
	}
	if (request->operation == SET || request->operation == RESET)
		/* release: pairs with event_is_set. */
		atomic_store_explicit(&event->set, request->operation == SET, memory_order_release);
	if (event_is_set(event))
		request_grant_all(&event->waiting, HEDDLE_OK, granted);
	request_grant(request, HEDDLE_OK, granted);
}

static const struct serve_kind kind = {"event", event_step};

static enum heddle_error event_change(struct event *event, uint32_t operation)
{
	struct request request = {.operation = operation, .immediate = true};
	return serve(&event->served, &kind, &request, HEDDLE_NO_DEADLINE, true);
}

STACK_ENTRY(event_set)
enum heddle_error event_set(struct event *event)
{
	return event_change(event, SET);
}

STACK_ENTRY(event_reset)
enum heddle_error event_reset(struct event *event)
{
	return event_change(event, RESET);
}

STACK_ENTRY(event_wait_until)
enum heddle_error event_wait_until(struct event *event, uint64_t deadline)
{
	struct request request = {.operation = WAIT};
	/* Not while another serves: that may still touch the event when the caller frees it. */
	if (event_is_set(event) && serve_is_left(&event->served))
		return HEDDLE_OK;
	return serve(&event->served, &kind, &request, deadline, false);
}

STACK_ENTRY(event_wait)
enum heddle_error event_wait(struct event *event)
{
	return event_wait_until(event, HEDDLE_NO_DEADLINE);
}

enum heddle_error event_destroy(struct event *event)
{
	return serve_is_free(&event->served, &event->waiting)
	           ? HEDDLE_OK
	           : lock_misused("event_destroy()", kind.name, event, HEDDLE_IN_USE);
}
