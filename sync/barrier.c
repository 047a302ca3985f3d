#include "heddle/barrier.h"

#include "sync/serve.h"

enum { ARRIVE = 1, QUIESCE };

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
	if (request->operation == QUIESCE) {
		request_grant(request, barrier->waiting.first ? HEDDLE_IN_USE : HEDDLE_OK, granted);
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

static enum heddle_error barrier_arrive(struct barrier *barrier, bool *last, uint64_t deadline, bool kept)
{
	struct request request = {.operation = ARRIVE};
	if (barrier->parties == 0)
		return HEDDLE_BAD_ARGUMENT;
	enum heddle_error error = kept ? serve_kept(&barrier->served, &kind, &request)
	                               : serve(&barrier->served, &kind, &request, deadline, false);
	/* A task that was counted before it gave up has come. */
	if (request.done && request.result != HEDDLE_TIMED_OUT)
		error = HEDDLE_OK;
	if (last)
		*last = request.done && request.result == HEDDLE_BUSY;
	return error;
}

STACK_ENTRY(barrier_wait_until)
enum heddle_error barrier_wait_until(struct barrier *barrier, bool *last, uint64_t deadline)
{
	return barrier_arrive(barrier, last, deadline, false);
}

STACK_ENTRY(barrier_wait_kept)
enum heddle_error barrier_wait_kept(struct barrier *barrier, bool *last)
{
	return barrier_arrive(barrier, last, HEDDLE_NO_DEADLINE, true);
}

STACK_ENTRY(barrier_wait)
enum heddle_error barrier_wait(struct barrier *barrier, bool *last)
{
	return barrier_wait_until(barrier, last, HEDDLE_NO_DEADLINE);
}

STACK_ENTRY(barrier_quiesce)
enum heddle_error barrier_quiesce(struct barrier *barrier)
{
	struct request request = {.operation = QUIESCE, .done = true}; /* if it is withdrawn, no task has left */
	if (serve_is_free(&barrier->served, &barrier->waiting))
		return HEDDLE_OK;
	return serve(&barrier->served, &kind, &request, HEDDLE_NO_DEADLINE, false);
}

enum heddle_error barrier_destroy(struct barrier *barrier)
{
	return serve_is_free(&barrier->served, &barrier->waiting)
	           ? HEDDLE_OK
	           : lock_misused("barrier_destroy()", kind.name, barrier, HEDDLE_IN_USE);
}
