#include "heddle/latch.h"

#include "sync/serve.h"

enum { WAIT = 1, COUNT_DOWN };

static struct latch *latch_of(struct served *served)
{
	return (struct latch *)((char *)served - offsetof(struct latch, served));
}

/* Only the server changes it. */
static uint32_t latch_count_of(const struct latch *latch)
{
	/* acquire: what was done before the count came to 0; pairs with the store in latch_step. */
	return atomic_load_explicit(&latch->count, memory_order_acquire);
}

static void latch_step(struct served *object, struct request *request, struct granted *granted)
{
	struct latch *latch = latch_of(object);
	enum heddle_error result = HEDDLE_OK;
	if (request->operation == WAIT && latch_count_of(latch) != 0) {
		request_queue_put(&latch->waiting, request);
		return;
	}
	if (request->operation == COUNT_DOWN && request->count > latch_count_of(latch))
		result = HEDDLE_OVERFLOW;
	else if (request->operation == COUNT_DOWN)
		/* release: pairs with latch_count_of. */
		atomic_store_explicit(&latch->count, latch_count_of(latch) - request->count, memory_order_release);
	if (latch_count_of(latch) == 0)
		request_grant_all(&latch->waiting, HEDDLE_OK, granted);
	request_grant(request, result, granted);
}

static const struct serve_kind kind = {"latch", latch_step};

STACK_ENTRY(latch_count_down)
enum heddle_error latch_count_down(struct latch *latch, uint32_t count)
{
	struct request request = {.operation = COUNT_DOWN, .immediate = true, .count = count};
	enum heddle_error error = serve(&latch->served, &kind, &request, HEDDLE_NO_DEADLINE, true);
	if (error == HEDDLE_OVERFLOW)
		return lock_misused("latch_count_down()", kind.name, latch, error);
	return error;
}

bool latch_is_open(const struct latch *latch)
{
	return latch_count_of(latch) == 0;
}

STACK_ENTRY(latch_wait_until)
enum heddle_error latch_wait_until(struct latch *latch, uint64_t deadline)
{
	struct request request = {.operation = WAIT};
	/* Not while another serves: that may still touch the latch when the caller frees it. */
	if (latch_is_open(latch) && serve_is_left(&latch->served))
		return HEDDLE_OK;
	return serve(&latch->served, &kind, &request, deadline, false);
}

STACK_ENTRY(latch_wait)
enum heddle_error latch_wait(struct latch *latch)
{
	return latch_wait_until(latch, HEDDLE_NO_DEADLINE);
}

enum heddle_error latch_destroy(struct latch *latch)
{
	return serve_is_free(&latch->served, &latch->waiting)
	           ? HEDDLE_OK
	           : lock_misused("latch_destroy()", kind.name, latch, HEDDLE_IN_USE);
}
