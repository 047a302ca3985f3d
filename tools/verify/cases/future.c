/* Futures: in the caller's memory, and with two ends. */
#include "pool.h"
#include "script.h"

#include "heddle/future.h"

#define OK_OR(call, other) script_expect(#call, call, HEDDLE_OK, other)
#define OK(call)           OK_OR(call, HEDDLE_OK)
#define VALUE              42

static struct future own;
static struct promise promise;
static struct future *shared;
static unsigned set_count;

static void name_future(struct future *future)
{
	explore_name(future, sizeof *future, "future");
	script_watch(&future->waiting, &future->state);
	script_watch(&future->destroy, future + 1);
	explore_name(&future->served, sizeof future->served, "word");
	explore_name(&future->state, sizeof future->state, "future.state");
	explore_name(&future->ends, sizeof future->ends, "future.ends");
}

static void prepare_own(void)
{
	name_future(&own);
}

static void prepare_ends(void)
{
	OK(promise_create(&promise, &shared));
	name_future(shared);
}

static void prepare_no_request(void)
{
	prepare_ends();
	model_pool_limit("requests", 0);
}

static void prepare_own_no_request(void)
{
	prepare_own();
	model_pool_limit("requests", 0);
}

static const char *check_own(void)
{
	return *(const uintptr_t *)&own.served == 0 && !own.waiting.first && own.value == VALUE && set_count == 1
	           ? NULL
	           : "a task is left at the future, or it was not set once";
}

static void look(struct future *future)
{
	if (future_value(future) != VALUE)
		explore_fail("it is set, and has no value");
}

static intptr_t set(void *unused)
{
	(void)unused;
	enum heddle_error error = future_set(&own, VALUE);
	script_expect("future_set()", error, HEDDLE_OK, HEDDLE_ALREADY_SET);
	set_count += error == HEDDLE_OK;
	return 0;
}

static intptr_t await(void *unused)
{
	(void)unused;
	OK(future_wait(&own));
	look(&own);
	return 0;
}

static intptr_t await_until(void *unused)
{
	(void)unused;
	OK_OR(future_wait_until(&own, SOON), HEDDLE_TIMED_OUT);
	if (future_is_set(&own))
		look(&own);
	return 0;
}

static intptr_t await_cancelled(void *unused)
{
	(void)unused;
	OK_OR(future_wait(&own), HEDDLE_CANCELLED);
	return 0;
}

static intptr_t await_and_free(void *unused)
{
	(void)unused;
	OK(future_wait(&own));
	explore_free(&own, sizeof own);
	return 0;
}

static intptr_t await_until_and_free(void *unused)
{
	(void)unused;
	enum heddle_error error = future_wait_until(&own, SOON);
	script_expect("future_wait_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		explore_free(&own, sizeof own);
	return 0;
}

static intptr_t await_broken_and_free(void *unused)
{
	(void)unused;
	script_expect("future_wait()", future_wait(&own), HEDDLE_BROKEN, HEDDLE_BROKEN);
	explore_free(&own, sizeof own);
	return 0;
}

static intptr_t publish(void *unused)
{
	(void)unused;
	*(intptr_t *)future_claim(&own) = VALUE;
	OK(future_publish(&own));
	return 0;
}

static intptr_t break_it(void *unused)
{
	(void)unused;
	OK(future_break(&own));
	return 0;
}

static intptr_t keep(void *unused)
{
	(void)unused;
	OK(promise_set(&promise, VALUE));
	return 0;
}

static intptr_t give_up(void *unused)
{
	(void)unused;
	promise_release(&promise);
	return 0;
}

/* Operations on a promise in an uncooperative section need no memory. */
static intptr_t keep_inside(void *unused)
{
	(void)unused;
	OK(SCRIPT_INSIDE(promise_set(&promise, VALUE)));
	return 0;
}

static intptr_t give_up_inside(void *unused)
{
	(void)unused;
	uncooperative_begin();
	promise_release(&promise);
	uncooperative_end();
	return 0;
}

/* What was refused for lack of memory can be tried again. */
static intptr_t break_inside(void *unused)
{
	(void)unused;
	enum heddle_error error = SCRIPT_INSIDE(future_break(&own));
	script_expect("future_break()", error, HEDDLE_OK, HEDDLE_NO_MEMORY);
	if (error != HEDDLE_OK)
		OK(future_break(&own));
	set_count++;
	return 0;
}

static intptr_t await_broken(void *unused)
{
	(void)unused;
	script_expect("future_wait()", future_wait(&own), HEDDLE_BROKEN, HEDDLE_BROKEN);
	return 0;
}

static intptr_t await_broken_until(void *unused)
{
	(void)unused;
	script_expect("future_wait_until()", future_wait_until(&own, SOON), HEDDLE_BROKEN, HEDDLE_TIMED_OUT);
	return 0;
}

static const char *check_broken(void)
{
	return *(const uintptr_t *)&own.served == 0 && !own.waiting.first && set_count == 1
	           ? NULL
	           : "a task is left at the future";
}

/* Two tasks at that end: the last gives it up. */
static intptr_t await_shared_until(void *unused)
{
	static unsigned left;
	(void)unused;
	enum heddle_error error = future_wait_until(shared, SOON);
	if (error == HEDDLE_OK)
		look(shared);
	else if (error != HEDDLE_TIMED_OUT)
		script_expect("future_wait_until()", error, HEDDLE_BROKEN, HEDDLE_BROKEN);
	if (++left == 2)
		OK(future_release(shared));
	return 0;
}

static intptr_t await_end(void *unused)
{
	(void)unused;
	enum heddle_error error = future_wait(shared);
	script_expect("future_wait()", error, HEDDLE_OK, HEDDLE_BROKEN);
	if (error == HEDDLE_OK)
		look(shared);
	OK(future_release(shared));
	return 0;
}

static intptr_t await_end_until(void *unused)
{
	(void)unused;
	enum heddle_error error = future_wait_until(shared, SOON);
	script_expect("future_wait_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		look(shared);
	OK(future_release(shared));
	return 0;
}

#define CASE(title, limit, longer, count, world, first, last, ...) \
	SCRIPT_CASE("future", title, limit, longer, count, world, first, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("set", 0, false, 2, ALONE, prepare_own, check_own, await, set, await),
    CASE("set-twice", 0, false, 2, ALONE, prepare_own, check_own, set, await, set),
    CASE("deadline", 0, false, 2, TIME, prepare_own, check_own, await_until, set),
    CASE("cancelled", 0, false, 2, CANCEL, prepare_own, check_own, await_cancelled, set),
    CASE("freed", 0, false, 2, ALONE, prepare_own, NULL, await_and_free, set),
    CASE("freed-deadline", 0, false, 2, TIME, prepare_own, NULL, await_until_and_free, set),
    CASE("freed-published", 0, false, 2, ALONE, prepare_own, NULL, await_and_free, publish),
    CASE("freed-broken", 0, false, 2, ALONE, prepare_own, NULL, await_broken_and_free, break_it),
    CASE("ends", 0, false, 2, ALONE, prepare_ends, NULL, await_end, keep),
    CASE("ends-deadline", 0, false, 2, TIME, prepare_ends, NULL, await_end_until, keep),
    CASE("broken", 0, false, 2, ALONE, prepare_ends, NULL, await_end, give_up),
    CASE("kept-inside", 0, false, 2, TIME, prepare_no_request, NULL, await_end_until, keep_inside),
    CASE("kept-inside-three", 0, true, 2, TIME, prepare_no_request, NULL, await_shared_until, keep_inside,
         await_shared_until),
    CASE("given-up-inside", 0, false, 2, ALONE, prepare_no_request, NULL, await_end, give_up_inside),
    CASE("given-up-inside-three", 3, false, 2, TIME, prepare_no_request, NULL, await_shared_until,
         give_up_inside, await_shared_until),
    CASE("broken-inside", 0, false, 2, TIME, prepare_own_no_request, check_broken, await_broken_until,
         break_inside, await_broken),
    {0},
};
