#include "heddle/barrier.h"

#include "sync/serve.h"

enum { ARRIVE = 1 };

static struct barrier *barrier_of(struct served *served)
{
	return (struct barrier *)((char *)served - offsetof(struct barrier, served));
}

/* The task that comes last gets HEDDLE_BUSY; the others do not. */
static void barrier_step(struct served *object, struct request *request, struct granted *granted)
{
	struct barrier *barrier = barrier_of(object);
	if (request->operation == REQUEST_WITHDRAW) {
		barrier->arrived -= !request->target->done;
		request_grant(request, HEDDLE_OK, granted);
		return;
	}
	request_queue_put(&barrier->waiting, request);
	if (++barrier->arrived < barrier->parties)
		return;
	barrier->arrived = 0;
	request_grant(request, HEDDLE_BUSY, granted);
	request_grant_all(&barrier->waiting, HEDDLE_OK, granted);
}

static const struct serve_kind kind = {"barrier", barrier_step};

STACK_ENTRY(barrier_wait_until)
enum heddle_error barrier_wait_until(struct barrier *barrier, bool *last, uint64_t deadline)
{
	struct request request = {.operation = ARRIVE};
	if (barrier->parties == 0)
		return HEDDLE_BAD_ARGUMENT;
	enum heddle_error error = serve(&barrier->served, &kind, &request, deadline, false);
	/* A task that was counted before it gave up has come. */
	if (request.done && request.result != HEDDLE_TIMED_OUT)
		error = HEDDLE_OK;
	if (last)
		*last = request.done && request.result == HEDDLE_BUSY;
	return error;
}

STACK_ENTRY(barrier_wait)
enum heddle_error barrier_wait(struct barrier *barrier, bool *last)
{
	return barrier_wait_until(barrier, last, HEDDLE_NO_DEADLINE);
}

enum heddle_error barrier_destroy(struct barrier *barrier)
{
	return serve_is_free(&barrier->served, &barrier->waiting)
	           ? HEDDLE_OK
	           : lock_misused("barrier_destroy()", kind.name, barrier, HEDDLE_IN_USE);
}
