/* Events, latches and barriers of coroutines. */
#include "coroutines.hpp"

#include "heddle/coroutine/barrier.hpp"
#include "heddle/coroutine/cancellation.hpp"
#include "heddle/coroutine/event.hpp"
#include "heddle/coroutine/latch.hpp"

namespace co = heddle::coroutine;

static model::made<co::event> event;
static model::made<co::latch> latch;
static model::made<co::barrier> barrier;
static model::made<co::cancellation> stop;
static model::made<model::owned> victim;
static unsigned come;

static void prepare_with(unsigned meet)
{
	event.make("event");
	latch.make("latch", meet);
	barrier.make("barrier", meet);
	stop.make("stop");
}

static void prepare()
{
	prepare_with(2);
}

static void prepare_three()
{
	prepare_with(3);
}

static void finish()
{
	event.destroy();
	latch.destroy();
	barrier.destroy();
	stop.destroy();
}

static void requests()
{
	stop->request();
}

/* ---- event ---- */

static co::task<> waits()
{
	co_await event->wait();
	model::expect(event->is_set(), "a coroutine goes on without the event");
}

static co::task<> sets()
{
	co_await event->set();
}

static void sets_outside()
{
	event->set_dispatch();
}

/* Those that wait by then go on, though it is reset at once. */
static co::task<> sets_and_resets()
{
	co_await event->set();
	event->reset();
	model::expect(!event->is_set(), "an event is set that was reset");
	co_await event->set();
}

static co::task<> waits_only()
{
	co_await event->wait();
}

static co::task<> waits_cancellable()
{
	bool is_set = co_await co::cancellable(*stop, event->wait());
	model::expect(is_set || stop->is_requested(), "a wait was cancelled without a request");
}

static model::owned victim_waits()
{
	co_await event->wait();
}

static void prepare_victim()
{
	prepare();
	victim.make("victim", victim_waits());
	victim->begin(model::executors[0]);
}

static co::task<> destroys_and_sets()
{
	victim.destroy();
	co_await event->set();
}

/* ---- latch ---- */

static co::task<> counts()
{
	come++;
	co_await latch->count_down();
}

static co::task<> awaits()
{
	co_await latch->wait();
	model::expect(come == 2, "a coroutine passes a latch before its count");
}

static co::task<> arrives()
{
	come++;
	co_await latch->arrive_and_wait();
	model::expect(come == 2, "a coroutine passes a latch before its count");
}

static void counts_outside()
{
	come++;
	latch->count_down_dispatch();
}

/* It counts, whether or not it waits until the end. */
static co::task<> arrives_cancellable()
{
	come++;
	bool is_over = co_await co::cancellable(*stop, latch->arrive_and_wait());
	model::expect(is_over ? come == 2 : stop->is_requested(), "a wait ends too early");
}

/* ---- barrier ---- */

static unsigned phase_of(unsigned arrivals)
{
	return arrivals / 2;
}

static co::task<> meets_twice()
{
	for (unsigned phase = 1; phase <= 2; phase++) {
		come++;
		co_await barrier->arrive_and_wait();
		model::expect(phase_of(come) >= phase, "a coroutine passes a barrier before the other has come");
	}
}

static co::task<> meets_three()
{
	come++;
	co_await barrier->arrive_and_wait();
	model::expect(come == 3, "a coroutine passes a barrier before the others have come");
}

static co::task<> meets_cancellable()
{
	come++;
	bool is_over = co_await co::cancellable(*stop, barrier->arrive_and_wait());
	model::expect(is_over ? come == 2 : stop->is_requested(), "a wait ends too early");
}

static co::task<> meets()
{
	come++;
	co_await barrier->arrive_and_wait();
	model::expect(come == 2, "a coroutine passes a barrier before the other has come");
}

const explore_case explore_cases[] = {
    COROUTINES("coroutine_meet.event", false, 2, 1, prepare, finish, {waits, sets}, nullptr, true),
    COROUTINES("coroutine_meet.event-two", false, 2, 1, prepare, finish, {waits, sets, waits}),
    COROUTINES("coroutine_meet.event-outside", false, 2, 1, prepare, finish, {waits, waits}, sets_outside),
    COROUTINES("coroutine_meet.event-reset", false, 2, 1, prepare, finish,
               {waits_only, sets_and_resets, waits_only}),
    COROUTINES("coroutine_meet.event-cancelled", false, 2, 1, prepare, finish,
               {waits_cancellable, sets, waits}, requests),
    COROUTINES("coroutine_meet.event-destroyed", false, 2, 2, prepare_victim, finish,
               {destroys_and_sets, waits}),
    COROUTINES("coroutine_meet.latch", false, 2, 1, prepare, finish, {counts, awaits, arrives}),
    COROUTINES("coroutine_meet.latch-executors", false, 2, 2, prepare, finish, {arrives, awaits, counts}),
    COROUTINES("coroutine_meet.latch-outside", false, 2, 1, prepare, finish, {awaits, arrives},
               counts_outside),
    COROUTINES("coroutine_meet.latch-cancelled", false, 2, 1, prepare, finish, {arrives_cancellable, arrives},
               requests),
    COROUTINES("coroutine_meet.barrier-twice", false, 2, 1, prepare, finish, {meets_twice, meets_twice}),
    COROUTINES("coroutine_meet.barrier-three", false, 2, 1, prepare_three, finish,
               {meets_three, meets_three, meets_three}),
    COROUTINES("coroutine_meet.barrier-executors", false, 2, 2, prepare, finish, {meets_twice, meets_twice}),
    COROUTINES("coroutine_meet.barrier-cancelled", false, 2, 1, prepare, finish, {meets_cancellable, meets},
               requests),
    {},
};
