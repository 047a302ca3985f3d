/* Cancelled waits of coroutines: what the cancellation itself keeps of them. */
#include "coroutines.hpp"

#include "heddle/coroutine/cancellation.hpp"
#include "heddle/coroutine/event.hpp"

namespace co = heddle::coroutine;

static model::made<co::event> event, never;
static model::made<co::cancellation> stop, second;
static model::made<model::owned> victim;

static void prepare()
{
	event.make("event");
	never.make("never");
	stop.make("stop");
	second.make("second");
}

static void finish()
{
	event.destroy();
	never.destroy();
	stop.destroy();
	second.destroy();
}

static void requests()
{
	stop->request();
}

static void sets_and_requests()
{
	event->set_dispatch();
	stop->request();
}

/* Others come between the end of the wait and that of the expression. */
static void between(bool)
{
	explore_pause();
}

static co::task<> waits_within()
{
	between(co_await co::cancellable(*stop, event->wait()));
}

/* Its wait ends by the request only. */
static co::task<> waits_for_ever()
{
	bool is_done = co_await co::cancellable(*stop, never->wait());
	model::expect(!is_done, "a wait ends that is not cancelled");
	model::expect(stop->is_requested(), "a wait was cancelled without a request");
}

static co::task<> waits_within_expression()
{
	between(co_await co::cancellable(*stop, never->wait()));
}

static co::task<> sets()
{
	co_await event->set();
}

static void requests_both()
{
	stop->request();
	second->request();
}

static co::task<> waits_by_first_then_second()
{
	co_await co::cancellable(*stop, never->wait());
	model::expect(stop->is_requested(), "a wait was cancelled without a request");
	bool is_done = co_await co::cancellable(*second, never->wait());
	model::expect(!is_done && second->is_requested(), "a wait ends that is not cancelled");
}

static model::owned victim_waits()
{
	co_await co::cancellable(*stop, never->wait());
}

static void prepare_victim()
{
	prepare();
	victim.make("victim", victim_waits());
	victim->begin(model::executors[0]);
}

static co::task<> destroys_and_requests()
{
	victim.destroy();
	stop->request();
	co_return;
}

const explore_case explore_cases[] = {
    COROUTINES("coroutine_cancellation.one", false, 2, 1, prepare, finish, {waits_for_ever}, requests, true),
    COROUTINES("coroutine_cancellation.two", false, 2, 1, prepare, finish,
               {waits_for_ever, waits_within_expression}, requests),
    COROUTINES("coroutine_cancellation.within-expression", false, 2, 1, prepare, finish,
               {waits_within, waits_for_ever}, sets_and_requests),
    COROUTINES("coroutine_cancellation.set", false, 2, 1, prepare, finish, {waits_within, sets}, requests),
    COROUTINES("coroutine_cancellation.second", false, 2, 1, prepare, finish, {waits_by_first_then_second},
               requests_both),
    COROUTINES("coroutine_cancellation.destroyed", false, 2, 2, prepare_victim, finish,
               {destroys_and_requests, waits_for_ever}),
    {},
};
