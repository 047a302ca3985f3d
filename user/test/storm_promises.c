/*
 * Turns of the storm: futures. A worker makes a promise, leaves it where others find it, and waits for its value; the
 * worker that finds the promise sets it, breaks it or gives it up.
 */
#include "heddle/future.h"
#include "user/test/storm.h"

#define PLACES 6

static _Atomic(struct future *) left[PLACES]; /* the promise's end */

static bool prepare(void)
{
	for (unsigned i = 0; i < PLACES; i++)
		left[i] = NULL;
	return true;
}

static intptr_t value_of(const struct future *future)
{
	return (intptr_t)future ^ 0x5a5a;
}

/* In an uncooperative section there may be no memory for it; then try again. */
static void set(struct storm_task *self, struct future *future)
{
	struct promise promise = {future};
	enum heddle_error (*volatile set_it)(struct promise *, intptr_t) = promise_set;
	uint32_t draw = storm_draw(self, 8);
	enum heddle_error error = HEDDLE_OK;
	if (draw == 0) {
		promise_release(&promise);
		return;
	}
	if (draw == 1) {
		uncooperative_begin();
		error = set_it(&promise, value_of(future));
		uncooperative_end();
		STORM_GIVES(error, STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY));
		if (error == HEDDLE_NO_MEMORY) {
			STORM_OK(STORM_CALL(self, future_publish(future)));
			promise_release(&promise);
		}
	} else if (draw == 2) {
		STORM_OK(STORM_CALL(self, future_break(future)));
		promise_release(&promise);
	} else
		STORM_OK(STORM_CALL(self, promise_set(&promise, value_of(future))));
	STORM_CHECK(promise.future == NULL);
}

/* Leave a promise, or none, in a place; set the one that was there. */
static void exchange(struct storm_task *self, unsigned place, struct future *mine)
{
	struct future *found = atomic_exchange_explicit(&left[place], mine, memory_order_acq_rel);
	if (found)
		set(self, found);
}

static void await(struct storm_task *self, struct future *future)
{
	uint32_t allowed = STORM_BIT(HEDDLE_BROKEN);
	uint64_t deadline = storm_deadline(self);
	enum heddle_error error;
	STORM_GIVES(error = STORM_CALL(self, future_wait_until(future, deadline)),
	            storm_waits(deadline) | allowed);
	if (error == HEDDLE_OK)
		STORM_CHECK(future_is_set(future) && future_value(future) == value_of(future));
	STORM_OK(future_release(future));
}

static void turn(struct storm_task *self)
{
	struct promise promise;
	struct future *future;
	unsigned place = storm_draw(self, PLACES);
	if (storm_draw(self, 3) == 0) {
		exchange(self, place, NULL);
		return;
	}
	if (!STORM_GIVES(promise_create(&promise, &future), STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY)))
		return;
	exchange(self, place, promise.future);
	if (storm_draw(self, 4) == 0)
		STORM_OK(future_release(future));
	else
		await(self, future);
}

static void release(void)
{
	for (unsigned i = 0; i < PLACES; i++) {
		struct promise promise = {atomic_exchange_explicit(&left[i], NULL, memory_order_acq_rel)};
		promise_release(&promise);
	}
}

const struct storm_kind storm_promises = {
    .name = "promises", .weight = 4, .prepare = prepare, .turn = turn, .release = release, .finish = release};
