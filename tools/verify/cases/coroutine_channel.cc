/* Channels of coroutines: without room, and with room for one message. Messages are numbers from 1; a case adds up what
 * was received. */
#include "coroutines.hpp"

#include "heddle/coroutine/cancellation.hpp"
#include "heddle/coroutine/channel.hpp"

namespace co = heddle::coroutine;

static model::made<co::channel<int>> channel;
static model::made<co::cancellation> stop;
static model::made<model::owned> victim;
static int sent, received;

static void prepare_with(std::size_t room)
{
	channel.make("channel", room);
	stop.make("stop");
}

static void prepare()
{
	prepare_with(0);
}

static void prepare_room()
{
	prepare_with(1);
}

/* All that was sent is received, or still there. */
static void finish()
{
	while (auto message = channel->try_receive())
		received += *message;
	model::expect(received == sent, "a message was lost, or received twice");
	channel.destroy();
	stop.destroy();
}

static void requests()
{
	stop->request();
}

template <int message> static co::task<> sends()
{
	bool is_sent = co_await channel->send(message);
	if (is_sent)
		sent += message;
}

static co::task<> sends_two()
{
	co_await sends<1>();
	co_await sends<2>();
}

static co::task<> receives()
{
	auto message = co_await channel->receive();
	if (message)
		received += *message;
}

/* In the order in which they were sent. */
static co::task<> receives_two()
{
	for (int expected = 1; expected <= 2; expected++) {
		auto message = co_await channel->receive();
		model::expect(message == expected, "a message overtakes another");
		received += *message;
	}
}

static co::task<> receives_all()
{
	for (;;) {
		auto message = co_await channel->receive();
		if (!message)
			break;
		received += *message;
	}
}

static co::task<> closes()
{
	co_await channel->close();
}

static co::task<> sends_and_closes()
{
	co_await sends_two();
	co_await channel->close();
}

static void closes_outside()
{
	channel->close_dispatch();
}

static void tries_to_send()
{
	int message = 4;
	if (channel->try_send(message))
		sent += 4;
	else
		model::expect(message == 4, "a message that is not sent is gone");
}

static void tries_to_receive()
{
	auto message = channel->try_receive();
	if (message)
		received += *message;
}

/* ---- cancelled, destroyed ---- */

static co::task<> receives_cancellable()
{
	auto message = co_await co::cancellable(*stop, channel->receive());
	if (message)
		received += *message;
	else
		model::expect(stop->is_requested(), "nothing was received, and nobody has cancelled that");
}

static co::task<> sends_cancellable()
{
	bool is_sent = co_await co::cancellable(*stop, channel->send(1));
	if (is_sent)
		sent += 1;
	else
		model::expect(stop->is_requested(), "nothing was sent, and nobody has cancelled that");
}

static model::owned victim_receives()
{
	co_await channel->receive();
}

static model::owned victim_sends()
{
	co_await channel->send(4);
}

static void prepare_receiving_victim()
{
	prepare();
	victim.make("victim", victim_receives());
	victim->begin(model::executors[0]);
}

/* The other message has the room. */
static void prepare_sending_victim()
{
	prepare_room();
	int message = 1;
	if (!channel->try_send(message))
		explore_fail("there is no room");
	sent = 1;
	victim.make("victim", victim_sends());
	victim->begin(model::executors[0]);
}

template <co::task<> (*then)()> static co::task<> destroys()
{
	victim.destroy();
	co_await then();
}

const explore_case explore_cases[] = {
    COROUTINES("coroutine_channel.two", false, 2, 1, prepare, finish, {sends<1>, receives}, nullptr, true),
    COROUTINES("coroutine_channel.two-room", false, 2, 1, prepare_room, finish, {sends<1>, receives}, nullptr,
               true),
    COROUTINES("coroutine_channel.order", false, 2, 1, prepare, finish, {sends_two, receives_two}),
    COROUTINES("coroutine_channel.order-room", false, 2, 1, prepare_room, finish, {sends_two, receives_two}),
    COROUTINES("coroutine_channel.senders", false, 2, 1, prepare, finish,
               {sends<1>, receives, sends<2>, receives}),
    COROUTINES("coroutine_channel.senders-room", false, 2, 1, prepare_room, finish,
               {sends<1>, receives, sends<2>}),
    COROUTINES("coroutine_channel.executors", false, 2, 2, prepare, finish, {sends_two, receives_two}),
    COROUTINES("coroutine_channel.executors-room", false, 2, 2, prepare_room, finish,
               {sends_two, receives_two}),
    COROUTINES("coroutine_channel.close-sender", false, 2, 1, prepare, finish, {sends<1>, sends<2>, closes}),
    COROUTINES("coroutine_channel.close-receiver", false, 2, 1, prepare, finish,
               {receives, sends<1>, receives}, closes_outside),
    COROUTINES("coroutine_channel.close-room", false, 2, 1, prepare_room, finish,
               {receives_all, sends_and_closes}),
    COROUTINES("coroutine_channel.close-room-sender", false, 2, 1, prepare_room, finish,
               {sends_two, receives}, closes_outside),
    COROUTINES("coroutine_channel.try-send", false, 2, 1, prepare_room, finish, {receives, sends<1>},
               tries_to_send),
    COROUTINES("coroutine_channel.try-receive", false, 2, 1, prepare_room, finish, {sends<1>, closes},
               tries_to_receive),
    COROUTINES("coroutine_channel.try-receive-sender", false, 2, 1, prepare, finish, {sends<1>, closes},
               tries_to_receive),
    COROUTINES("coroutine_channel.cancelled-receiver", false, 2, 1, prepare_room, finish,
               {receives_cancellable, sends<1>}, requests),
    COROUTINES("coroutine_channel.cancelled-sender", false, 2, 1, prepare, finish,
               {sends_cancellable, receives_cancellable}, requests),
    COROUTINES("coroutine_channel.destroyed-receiver", false, 2, 2, prepare_receiving_victim, finish,
               {destroys<sends<1>>, receives}),
    COROUTINES("coroutine_channel.destroyed-sender", false, 2, 2, prepare_sending_victim, finish,
               {destroys<receives>, sends<2>}),
    {},
};
