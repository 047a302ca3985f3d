/* The channel, and select. Messages are numbers. */
#include "script.h"

#include "sync/channel.h"

#define OK_OR(call, other) script_expect(#call, call, HEDDLE_OK, other)
#define OK(call)           OK_OR(call, HEDDLE_OK)

static struct channel channels[2];
static uint64_t buffers[2];
static uint64_t sent, received; /* sums: each message is another power of two */

static void prepare_with(uint32_t message_size)
{
	for (unsigned i = 0; i < 2; i++) {
		OK(channel_create(&channels[i], &buffers[i], message_size, 1));
		explore_name(&channels[i], sizeof channels[i], "channel%u", i);
		script_watch(&channels[i].senders, &channels[i] + 1);
		explore_name(&channels[i].served, sizeof channels[i].served, "word%u", i);
	}
}

static void prepare(void)
{
	prepare_with(sizeof buffers[0]);
}

/* Only the lower half of each message, which has all of it. */
static void prepare_halves(void)
{
	prepare_with(sizeof buffers[0] / 2);
}

static const char *check(void)
{
	uint64_t inside = 0;
	for (unsigned i = 0; i < 2; i++) {
		const struct channel *channel = &channels[i];
		if (channel->served.word || channel->senders.first || channel->receivers.first)
			return "a task is left at a channel";
		inside += channel->count ? buffers[i] : 0;
	}
	return sent != received + inside ? "a message was lost, or came twice" : NULL;
}

static void note_received(uint64_t message)
{
	explore_note("-- receives %lu", (unsigned long)message);
	if (message == 0 || received & message)
		explore_fail("a message came twice, or is none");
	received += message;
}

static void note_sent(uint64_t message, enum heddle_error error, enum heddle_error other)
{
	script_expect("channel_send()", error, HEDDLE_OK, other);
	if (error == HEDDLE_OK)
		sent += message;
}

static void send(unsigned index, uint64_t message, enum heddle_error other)
{
	note_sent(message, channel_send(&channels[index], &message), other);
}

static enum heddle_error receive(enum heddle_error other)
{
	uint64_t message = 0;
	enum heddle_error error = channel_receive(&channels[0], &message);
	script_expect("channel_receive()", error, HEDDLE_OK, other);
	if (error == HEDDLE_OK)
		note_received(message);
	return error;
}

/* ---- one channel ---- */

static intptr_t send_one(void *unused)
{
	(void)unused;
	send(0, 1, HEDDLE_OK);
	return 0;
}

static intptr_t send_two(void *unused)
{
	(void)unused;
	send(0, 2, HEDDLE_OK);
	send(0, 4, HEDDLE_OK);
	return 0;
}

static intptr_t receive_one(void *unused)
{
	(void)unused;
	receive(HEDDLE_OK);
	return 0;
}

/* In order. */
static intptr_t receive_two(void *unused)
{
	(void)unused;
	receive(HEDDLE_OK);
	if (received != 2)
		explore_fail("the second message came first");
	receive(HEDDLE_OK);
	return 0;
}

static intptr_t receive_three(void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < 3; i++)
		receive(HEDDLE_OK);
	return 0;
}

static intptr_t receive_until(void *unused)
{
	(void)unused;
	uint64_t message = 0;
	enum heddle_error error = channel_receive_until(&channels[0], &message, SOON);
	script_expect("channel_receive_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		note_received(message);
	else if (message)
		explore_fail("a message was received, and is said not to be");
	return 0;
}

static intptr_t receive_cancelled(void *unused)
{
	(void)unused;
	receive(HEDDLE_CANCELLED);
	return 0;
}

static intptr_t send_two_until(void *unused)
{
	(void)unused;
	for (uint64_t message = 2; message <= 4; message *= 2)
		note_sent(message, channel_send_until(&channels[0], &message, SOON), HEDDLE_TIMED_OUT);
	return 0;
}

static intptr_t send_two_or_closed(void *unused)
{
	(void)unused;
	send(0, 2, HEDDLE_CLOSED);
	send(0, 4, HEDDLE_CLOSED);
	return 0;
}

static intptr_t close_it(void *unused)
{
	(void)unused;
	OK(channel_close(&channels[0]));
	return 0;
}

static intptr_t receive_until_closed(void *unused)
{
	(void)unused;
	while (receive(HEDDLE_CLOSED) == HEDDLE_OK)
		continue;
	return 0;
}

static intptr_t receive_and_free(void *unused)
{
	(void)unused;
	receive(HEDDLE_OK);
	explore_free(&channels[0], sizeof channels[0]);
	return 0;
}

static intptr_t receive_until_and_free(void *unused)
{
	(void)unused;
	uint64_t message;
	enum heddle_error error = channel_receive_until(&channels[0], &message, SOON);
	script_expect("channel_receive_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		explore_free(&channels[0], sizeof channels[0]);
	return 0;
}

static intptr_t try_receive_and_free(void *unused)
{
	(void)unused;
	uint64_t message;
	enum heddle_error error = channel_try_receive(&channels[0], &message);
	script_expect("channel_try_receive()", error, HEDDLE_OK, HEDDLE_BUSY);
	if (error == HEDDLE_OK)
		explore_free(&channels[0], sizeof channels[0]);
	return 0;
}

static intptr_t find_closed_and_free(void *unused)
{
	(void)unused;
	uint64_t message;
	script_expect("channel_receive()", channel_receive(&channels[0], &message), HEDDLE_CLOSED, HEDDLE_CLOSED);
	explore_free(&channels[0], sizeof channels[0]);
	return 0;
}

static intptr_t send_one_until(void *unused)
{
	(void)unused;
	uint64_t message = 1;
	if (channel_send_until(&channels[0], &message, SOON) != HEDDLE_OK)
		OK(channel_send(&channels[0], &message));
	return 0;
}

static intptr_t try_send_one(void *unused)
{
	(void)unused;
	uint64_t message = 1;
	OK(channel_try_send(&channels[0], &message));
	return 0;
}

/* ---- select ---- */

static intptr_t send_other(void *unused)
{
	(void)unused;
	send(1, 8, HEDDLE_OK);
	return 0;
}

static enum heddle_error select_receive(uint64_t deadline, enum heddle_error other)
{
	uint64_t messages[2] = {0, 0};
	size_t chosen = 2;
	const struct channel_case cases[2] = {{&channels[0], false, &messages[0]},
	                                      {&channels[1], false, &messages[1]}};
	enum heddle_error error = channel_select(cases, 2, &chosen, deadline);
	script_expect("channel_select()", error, HEDDLE_OK, other);
	if (error == HEDDLE_OK && (chosen > 1 || messages[1 - chosen]))
		explore_fail("more than one case was done");
	if (error == HEDDLE_OK)
		note_received(messages[chosen]);
	else if (error != HEDDLE_CLOSED && (messages[0] || messages[1]))
		explore_fail("a case was done, and is said not to be");
	return error;
}

static intptr_t choose(void *unused)
{
	(void)unused;
	select_receive(HEDDLE_NO_DEADLINE, HEDDLE_OK);
	return 0;
}

static intptr_t choose_twice(void *unused)
{
	choose(unused);
	return choose(unused);
}

static intptr_t choose_until(void *unused)
{
	(void)unused;
	select_receive(SOON, HEDDLE_TIMED_OUT);
	return 0;
}

static intptr_t choose_cancelled(void *unused)
{
	(void)unused;
	select_receive(HEDDLE_NO_DEADLINE, HEDDLE_CANCELLED);
	return 0;
}

static intptr_t choose_or_closed(void *unused)
{
	(void)unused;
	select_receive(HEDDLE_NO_DEADLINE, HEDDLE_CLOSED);
	return 0;
}

/* Sends to one channel, or receives from the other. */
static intptr_t choose_send(void *unused)
{
	(void)unused;
	uint64_t out = 16, in = 0;
	size_t chosen = 2;
	const struct channel_case cases[2] = {{&channels[0], true, &out}, {&channels[1], false, &in}};
	OK(channel_select(cases, 2, &chosen, HEDDLE_NO_DEADLINE));
	if (chosen == 0)
		sent += out;
	else
		note_received(in);
	return 0;
}

/* The chosen channel may be freed as soon as the select has returned. */
static intptr_t choose_and_free(void *unused)
{
	choose(unused);
	explore_free(&channels[0], sizeof channels[0]);
	return 0;
}

#define CASE(title, limit, longer, count, world, last, ...) \
	SCRIPT_CASE("channel", title, limit, longer, count, world, prepare, last, __VA_ARGS__)
#define CASE_OF_HALVES(title, count, ...) \
	SCRIPT_CASE("channel", title, 0, false, count, ALONE, prepare_halves, check, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("one", 0, false, 2, ALONE, check, send_one, receive_one),
    CASE("in-order", 0, false, 2, ALONE, check, send_two, receive_two),
    CASE_OF_HALVES("halves", 2, send_two, receive_two),
    CASE("three", 0, false, 2, ALONE, check, send_one, receive_three, send_two),
    CASE("deadline-receive", 0, false, 2, TIME, check, receive_until, send_one),
    CASE("deadline-receive-three", 0, false, 2, TIME, check, receive_until, send_two, receive_one),
    CASE("deadline-send", 0, false, 2, TIME, check, send_two_until, receive_until),
    CASE("cancel", 0, false, 2, CANCEL, check, receive_cancelled, send_one),
    CASE("close", 0, false, 2, ALONE, check, send_two_or_closed, receive_until_closed, close_it),
    CASE("freed", 0, false, 2, ALONE, NULL, receive_and_free, send_one),
    CASE("freed-deadline", 0, false, 2, TIME, NULL, receive_until_and_free, send_one_until),
    CASE("freed-try", 0, false, 2, ALONE, NULL, try_receive_and_free, send_one),
    CASE("freed-tried", 0, false, 2, ALONE, NULL, receive_and_free, try_send_one),
    CASE("freed-closed", 0, false, 2, ALONE, NULL, find_closed_and_free, close_it),
    CASE("select", 0, false, 2, ALONE, check, choose, send_one),
    CASE("select-two", 0, false, 2, ALONE, check, choose_twice, send_one, send_other),
    CASE("select-against", 0, false, 2, ALONE, check, choose_twice, choose_send, send_other),
    CASE("select-close", 0, false, 2, ALONE, check, choose_or_closed, close_it),
    CASE("select-deadline", 0, false, 2, TIME, check, choose_until, send_one),
    CASE("select-deadline-two", 0, false, 2, TIME, check, choose_until, send_one, send_other),
    CASE("select-cancel", 0, false, 2, CANCEL, check, choose_cancelled, send_one),
    CASE("select-freed", 0, false, 2, ALONE, NULL, choose_and_free, send_one),
    {0},
};
