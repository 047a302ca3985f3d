/* Semaphores of coroutines. */
#include "coroutines.hpp"

#include "heddle/coroutine/cancellation.hpp"
#include "heddle/coroutine/semaphore.hpp"

namespace co = heddle::coroutine;

static model::made<co::semaphore> semaphore;
static model::made<co::cancellation> stop;
static model::made<model::owned> victim;
static unsigned permits, taken, left;

static void prepare_with(unsigned count)
{
	permits = count;
	semaphore.make("semaphore", count);
	stop.make("stop");
}

static void prepare_one()
{
	prepare_with(1);
}

static void prepare_two()
{
	prepare_with(2);
}

static void finish()
{
	model::expect(semaphore->try_acquire(permits), "a permit was lost");
	model::expect(!semaphore->try_acquire(), "there is a permit more than before");
	semaphore.destroy();
	stop.destroy();
}

static void section(unsigned amount)
{
	taken += amount;
	model::expect(taken <= permits, "more permits are taken than there are");
	explore_pause();
	taken -= amount;
}

template <unsigned amount> static co::task<> takes()
{
	co_await semaphore->acquire(amount);
	section(amount);
	co_await semaphore->release(amount);
}

static co::task<> dispatches()
{
	co_await semaphore->acquire();
	section(1);
	semaphore->release_dispatch();
}

static void tries()
{
	if (!semaphore->try_acquire())
		return;
	section(1);
	semaphore->release_dispatch();
}

/* Two permits one by one: those behind it may go on by either. */
static co::task<> gives_singly()
{
	co_await semaphore->acquire(2);
	section(2);
	co_await semaphore->release();
	co_await semaphore->release();
}

/* ---- cancelled, destroyed ---- */

static void requests()
{
	stop->request();
}

static co::task<> cancelled()
{
	bool is_done = co_await co::cancellable(*stop, semaphore->acquire(2));
	if (!is_done)
		co_return;
	section(2);
	co_await semaphore->release(2);
}

/* There is one permit only. */
static co::task<> cancelled_for_sure()
{
	model::expect(!co_await co::cancellable(*stop, semaphore->acquire(2)), "there are two permits");
}

static model::owned wants_two()
{
	co_await semaphore->acquire(2);
}

static void prepare_victim()
{
	prepare_one();
	victim.make("victim", wants_two());
	victim->begin(model::executors[0]);
}

static co::task<> destroys()
{
	victim.destroy();
	co_return;
}

/* ---- the last one of all destroys it ---- */

static co::task<> leaves()
{
	co_await semaphore->acquire();
	bool is_last = ++left == 2;
	co_await semaphore->release();
	if (is_last)
		semaphore.destroy();
}

static void finish_left()
{
	stop.destroy();
}

const explore_case explore_cases[] = {
    COROUTINES("coroutine_semaphore.two", false, 2, 1, prepare_one, finish, {takes<1>, takes<1>}, nullptr,
               true),
    COROUTINES("coroutine_semaphore.three", false, 2, 1, prepare_two, finish, {takes<1>, takes<2>, takes<1>}),
    COROUTINES("coroutine_semaphore.singly", false, 2, 1, prepare_two, finish,
               {gives_singly, takes<1>, takes<2>}),
    COROUTINES("coroutine_semaphore.dispatch", false, 2, 1, prepare_two, finish,
               {dispatches, takes<2>, dispatches}),
    COROUTINES("coroutine_semaphore.try", false, 2, 1, prepare_one, finish, {takes<1>, takes<1>}, tries),
    COROUTINES("coroutine_semaphore.executors", false, 2, 2, prepare_two, finish,
               {takes<1>, takes<2>, takes<2>}),
    COROUTINES("coroutine_semaphore.cancelled", false, 2, 1, prepare_two, finish,
               {takes<1>, cancelled, takes<1>}, requests),
    COROUTINES("coroutine_semaphore.cancelled-for-sure", false, 2, 1, prepare_one, finish,
               {cancelled_for_sure, takes<1>}, requests),
    COROUTINES("coroutine_semaphore.destroyed", false, 2, 2, prepare_victim, finish, {destroys, takes<1>}),
    COROUTINES("coroutine_semaphore.freed", false, 2, 1, prepare_one, finish_left, {leaves, leaves}),
    {},
};
