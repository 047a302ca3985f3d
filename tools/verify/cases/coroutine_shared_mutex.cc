/* The mutex of coroutines that readers share. */
#include "coroutines.hpp"

#include "heddle/coroutine/cancellation.hpp"
#include "heddle/coroutine/event.hpp"
#include "heddle/coroutine/shared_mutex.hpp"

namespace co = heddle::coroutine;

static model::made<co::shared_mutex> mutex;
static model::made<co::event> read_by_second;
static model::made<co::cancellation> stop;
static model::made<model::owned> victim;
static unsigned readers, left;

static void prepare()
{
	mutex.make("mutex");
	read_by_second.make("read-by-second");
	stop.make("stop");
}

static void finish()
{
	model::expect(mutex->try_lock(), "the mutex is not free");
	mutex->unlock_dispatch();
	mutex.destroy();
	read_by_second.destroy();
	stop.destroy();
}

static void reads()
{
	model::shared here;
	explore_pause();
}

static void writes()
{
	model::expect(model::shared::count() == 0, "a writer comes while there are readers");
	model::alone here;
	model::expect(model::shared::count() == 0, "a reader comes while there is a writer");
}

static co::task<> reader()
{
	co_await mutex->lock_shared();
	reads();
	co_await mutex->unlock_shared();
}

static co::task<> writer()
{
	co_await mutex->lock();
	writes();
	co_await mutex->unlock();
}

static co::task<> dispatching_reader()
{
	co_await mutex->lock_shared();
	reads();
	mutex->unlock_shared_dispatch();
}

static co::task<> dispatching_writer()
{
	co_await mutex->lock();
	writes();
	mutex->unlock_dispatch();
}

static void tries()
{
	if (mutex->try_lock_shared()) {
		reads();
		mutex->unlock_shared_dispatch();
	}
	if (mutex->try_lock()) {
		writes();
		mutex->unlock_dispatch();
	}
}

/* ---- a writer that waits is cancelled or destroyed: a reader behind it must go on ---- */

/* The first reader stays until the second has come. */
static co::task<> first_reader()
{
	co_await mutex->lock_shared();
	co_await read_by_second->wait();
	co_await mutex->unlock_shared();
}

static co::task<> second_reader()
{
	co_await mutex->lock_shared();
	co_await read_by_second->set();
	co_await mutex->unlock_shared();
}

static co::task<> cancelled_writer()
{
	bool is_locked = co_await co::cancellable(*stop, mutex->lock());
	if (!is_locked)
		co_return;
	writes();
	co_await mutex->unlock();
}

static co::task<> cancelled_reader()
{
	bool is_locked = co_await co::cancellable(*stop, mutex->lock_shared());
	if (!is_locked)
		co_return;
	reads();
	co_await mutex->unlock_shared();
}

static void requests()
{
	stop->request();
}

static model::owned waiting_writer()
{
	co_await mutex->lock();
}

/* It is read while the victim gets in line. */
static void prepare_victim()
{
	prepare();
	if (!mutex->try_lock_shared())
		explore_fail("a free mutex is not had");
	victim.make("victim", waiting_writer());
	victim->begin(model::executors[0]);
}

static co::task<> destroys()
{
	victim.destroy();
	co_await read_by_second->wait();
	co_await mutex->unlock_shared();
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
	read_by_second.destroy();
	stop.destroy();
}

const explore_case explore_cases[] = {
    COROUTINES("coroutine_shared_mutex.reader-writer", false, 2, 1, prepare, finish, {reader, writer},
               nullptr, true),
    COROUTINES("coroutine_shared_mutex.two-writers", false, 2, 1, prepare, finish, {writer, reader, writer}),
    COROUTINES("coroutine_shared_mutex.two-readers", false, 2, 1, prepare, finish, {reader, writer, reader}),
    COROUTINES("coroutine_shared_mutex.dispatch", false, 2, 1, prepare, finish,
               {dispatching_writer, dispatching_reader, reader}),
    COROUTINES("coroutine_shared_mutex.try", false, 2, 1, prepare, finish, {reader, writer}, tries),
    COROUTINES("coroutine_shared_mutex.executors", false, 2, 2, prepare, finish, {reader, writer, writer}),
    COROUTINES("coroutine_shared_mutex.cancelled-writer", false, 2, 1, prepare, finish,
               {first_reader, cancelled_writer, second_reader}, requests),
    COROUTINES("coroutine_shared_mutex.cancelled-reader", false, 2, 1, prepare, finish,
               {writer, cancelled_reader, writer}, requests),
    COROUTINES("coroutine_shared_mutex.destroyed-writer", false, 2, 2, prepare_victim, finish,
               {destroys, second_reader}),
    COROUTINES("coroutine_shared_mutex.freed", false, 2, 1, prepare, finish_left, {leaves, leaves}),
    {},
};
