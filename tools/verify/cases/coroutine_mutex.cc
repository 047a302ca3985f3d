/* The mutex of coroutines. */
#include "coroutines.hpp"

#include "heddle/coroutine/cancellation.hpp"
#include "heddle/coroutine/mutex.hpp"

namespace co = heddle::coroutine;

static model::made<co::mutex> mutex;
static model::made<co::cancellation> stop;
static model::made<model::owned> victim;
static unsigned left;

static void prepare()
{
	mutex.make("mutex");
	stop.make("stop");
}

static void finish()
{
	mutex.destroy();
	stop.destroy();
}

static void section()
{
	model::alone here;
}

static co::task<> once()
{
	co_await mutex->lock();
	section();
	co_await mutex->unlock();
}

/* With a chain of one hand-over (explored/coroutine.py). */
static co::task<> once_in_turn()
{
	co_await mutex->lock();
	model::expect_in_turn(2);
	section();
	co_await mutex->unlock();
}

static co::task<> twice()
{
	co_await once();
	co_await once();
}

static co::task<> dispatches()
{
	co_await mutex->lock();
	section();
	mutex->unlock_dispatch();
}

static co::task<> scoped()
{
	auto held = co_await mutex->scoped();
	section();
}

static co::task<> scoped_unlocked()
{
	auto held = co_await mutex->scoped();
	section();
	co_await held.unlock();
}

static void tries()
{
	if (!mutex->try_lock())
		return;
	section();
	mutex->unlock_dispatch();
}

/* ---- on executors of their own ---- */

static co::task<> once_on_first()
{
	co_await mutex->lock();
	model::expect_on(model::executors[0]);
	section();
	co_await mutex->unlock();
	model::expect_on(model::executors[0]);
}

static co::task<> once_on_second()
{
	co_await mutex->lock();
	model::expect_on(model::executors[1]);
	section();
	co_await mutex->unlock();
	model::expect_on(model::executors[1]);
}

/* ---- cancelled, destroyed ---- */

static void requests()
{
	stop->request();
}

static co::task<> cancelled()
{
	bool is_locked = co_await co::cancellable(*stop, mutex->lock());
	if (!is_locked)
		co_return;
	section();
	co_await mutex->unlock();
}

static co::task<> scoped_cancelled()
{
	auto held = co_await co::cancellable(*stop, mutex->scoped());
	if (!held)
		co_return;
	section();
}

static model::owned waits()
{
	co_await mutex->lock();
	section();
	co_await mutex->unlock();
}

/* The mutex is held while the victim gets in line. */
static void prepare_victim()
{
	prepare();
	if (!mutex->try_lock())
		explore_fail("a free mutex is not had");
	victim.make("victim", waits());
	victim->begin(model::executors[0]);
}

static co::task<> destroys()
{
	victim.destroy();
	section();
	co_await mutex->unlock();
}

/* ---- the last one of all destroys it ---- */

static co::task<> leaves()
{
	co_await mutex->lock();
	bool is_last = ++left == 2;
	co_await mutex->unlock();
	if (is_last)
		mutex.destroy();
}

static void finish_left()
{
	stop.destroy();
}

const explore_case explore_cases[] = {
    COROUTINES("coroutine_mutex.two", false, 2, 1, prepare, finish, {once, once}, nullptr, true),
    COROUTINES("coroutine_mutex.three", false, 2, 1, prepare, finish, {once, once, once}),
    COROUTINES("coroutine_mutex.three-processors", false, 3, 1, prepare, finish, {once, once, once}),
    COROUTINES("coroutine_mutex.chain", false, 2, 1, prepare, finish,
               {once_in_turn, once_in_turn, once_in_turn}),
    COROUTINES("coroutine_mutex.two-twice", false, 2, 1, prepare, finish, {twice, twice}),
    COROUTINES("coroutine_mutex.dispatch", false, 2, 1, prepare, finish, {dispatches, once, dispatches}),
    COROUTINES("coroutine_mutex.scoped", false, 2, 1, prepare, finish, {scoped, scoped_unlocked, scoped}),
    COROUTINES("coroutine_mutex.try", false, 2, 1, prepare, finish, {once, scoped}, tries),
    COROUTINES("coroutine_mutex.executors", false, 2, 2, prepare, finish,
               {once_on_first, once_on_second, once_on_first}),
    COROUTINES("coroutine_mutex.cancelled", false, 2, 1, prepare, finish, {once, cancelled, once}, requests),
    COROUTINES("coroutine_mutex.scoped-cancelled", false, 2, 1, prepare, finish,
               {once, scoped_cancelled, once}, requests),
    COROUTINES("coroutine_mutex.destroyed", false, 2, 2, prepare_victim, finish, {destroys, once, once}),
    COROUTINES("coroutine_mutex.freed", false, 2, 1, prepare, finish_left, {leaves, leaves}),
    {},
};
