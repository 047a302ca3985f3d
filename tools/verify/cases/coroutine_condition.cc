/* What coroutines wait for under a mutex. */
#include "coroutines.hpp"

#include "heddle/coroutine/cancellation.hpp"
#include "heddle/coroutine/condition.hpp"

namespace co = heddle::coroutine;

static model::made<co::mutex> mutex;
static model::made<co::condition> condition;
static model::made<co::cancellation> stop;
static model::made<model::owned> victim;
static unsigned items, consumed;

static void prepare()
{
	mutex.make("mutex");
	condition.make("condition");
	stop.make("stop");
}

static void finish()
{
	condition.destroy();
	mutex.destroy();
	stop.destroy();
}

static void section()
{
	model::alone here;
}

static co::task<> consumer()
{
	co_await mutex->lock();
	while (items == 0)
		co_await condition->wait(*mutex);
	section();
	items--;
	consumed++;
	co_await mutex->unlock();
}

static co::task<> scoped_consumer()
{
	auto held = co_await mutex->scoped();
	while (items == 0)
		co_await condition->wait(*mutex);
	section();
	items--;
	consumed++;
}

static co::task<> producer()
{
	co_await mutex->lock();
	section();
	items++;
	co_await condition->notify_one();
	co_await mutex->unlock();
}

/* Notifies after it has left. */
static co::task<> late_producer()
{
	co_await mutex->lock();
	section();
	items++;
	co_await mutex->unlock();
	condition->notify_one_dispatch();
}

static co::task<> producer_of_two()
{
	co_await mutex->lock();
	section();
	items += 2;
	co_await condition->notify_all();
	co_await mutex->unlock();
}

static co::task<> late_producer_of_two()
{
	co_await mutex->lock();
	section();
	items += 2;
	mutex->unlock_dispatch();
	condition->notify_all_dispatch();
}

/* ---- cancelled, destroyed ---- */

static void requests()
{
	stop->request();
}

/* It has the mutex again, whether or not it was notified. */
static co::task<> cancelled_consumer()
{
	co_await mutex->lock();
	bool is_notified = true;
	while (items == 0 && is_notified)
		is_notified = co_await co::cancellable(*stop, condition->wait(*mutex));
	section();
	if (items > 0) {
		items--;
		consumed++;
		condition->notify_all_dispatch();
	}
	co_await mutex->unlock();
}

/* Ends when there is nothing more to come. */
static co::task<> patient_consumer()
{
	co_await mutex->lock();
	while (items == 0 && consumed == 0)
		co_await condition->wait(*mutex);
	section();
	if (items > 0) {
		items--;
		consumed++;
		condition->notify_all_dispatch();
	}
	co_await mutex->unlock();
}

static model::owned waits()
{
	auto held = co_await mutex->scoped();
	for (;;)
		co_await condition->wait(*mutex);
}

static void prepare_victim()
{
	prepare();
	victim.make("victim", waits());
	victim->begin(model::executors[0]);
}

static co::task<> once()
{
	co_await mutex->lock();
	section();
	co_await mutex->unlock();
}

static co::task<> destroys()
{
	victim.destroy();
	co_return;
}

/* The victim is notified and waits for the mutex: the notification must go to another. */
static co::task<> notifies_and_destroys()
{
	co_await mutex->lock();
	items++;
	condition->notify_one_dispatch();
	explore_pause();
	victim.destroy();
	co_await mutex->unlock();
}

const explore_case explore_cases[] = {
    COROUTINES("coroutine_condition.two", false, 2, 1, prepare, finish, {consumer, producer}, nullptr, true),
    COROUTINES("coroutine_condition.two-late", false, 2, 1, prepare, finish, {consumer, late_producer}),
    COROUTINES("coroutine_condition.two-consumers", false, 2, 1, prepare, finish,
               {consumer, scoped_consumer, producer_of_two}),
    COROUTINES("coroutine_condition.two-consumers-late", false, 2, 1, prepare, finish,
               {consumer, consumer, late_producer_of_two}),
    COROUTINES("coroutine_condition.two-producers", false, 2, 1, prepare, finish,
               {consumer, consumer, producer, late_producer}),
    COROUTINES("coroutine_condition.executors", false, 2, 2, prepare, finish,
               {consumer, producer_of_two, scoped_consumer}),
    COROUTINES("coroutine_condition.cancelled", false, 2, 1, prepare, finish, {cancelled_consumer, once},
               requests),
    COROUTINES("coroutine_condition.cancelled-or-notified", false, 2, 2, prepare, finish,
               {cancelled_consumer, patient_consumer, producer}, requests),
    COROUTINES("coroutine_condition.cancelled-or-notified-anywhere", true, 2, 1, prepare, finish,
               {cancelled_consumer, patient_consumer, producer}, requests),
    COROUTINES("coroutine_condition.destroyed", false, 2, 2, prepare_victim, finish, {destroys, once}),
    COROUTINES("coroutine_condition.destroyed-when-notified", false, 2, 2, prepare_victim, finish,
               {notifies_and_destroys, consumer}),
    {},
};
