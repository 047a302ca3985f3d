/* Channels, futures and requests, with an allocation failing. */
#include "heddle/channel.h"
#include "heddle/future.h"
#include "sync/serve.h"
#include "user/test/fail.h"
#include "user/test/waiting.h"

#define CAPACITY 2
#define MESSAGES 8

/* ------------------------------------------------------------------------------------------- channels -- */

struct pipe {
	struct channel channel;
	uint32_t buffer[CAPACITY];
	uint32_t received, sum; /* by the receiver */
};

static void receive_all(struct helper *helper)
{
	struct pipe *pipe = helper->object;
	for (;;) {
		uint32_t message = 0;
		uint64_t deadline = helper->number ? after(20000) : HEDDLE_NO_DEADLINE;
		enum heddle_error error = channel_receive_until(&pipe->channel, &message, deadline);
		if (error == HEDDLE_CLOSED)
			return;
		if (EXPECT(helper->attempt, error, HEDDLE_OK)) {
			pipe->received++;
			pipe->sum += message;
		} else if (error != HEDDLE_NO_MEMORY) {
			return;
		} else {
			task_yield(); /* the deadline needs memory, and there may be none later, either */
			helper->number = 0;
		}
	}
}

static void run_channel(struct attempt *attempt)
{
	for (unsigned way = 0; way < 2; way++) {
		struct pipe pipe = {.received = 0};
		struct helper helper = {.attempt = attempt, .run = receive_all, .object = &pipe, .number = way};
		uint32_t sent = 0, sum = 0;
		MUST(attempt, channel_create(&pipe.channel, pipe.buffer, sizeof(pipe.buffer[0]), CAPACITY));
		helper_start(&helper);
		/* Without a receiver only as many as fit. */
		for (uint32_t message = 1; message <= (helper.task ? MESSAGES : CAPACITY); message++)
			if (EXPECT(attempt, channel_send_until(&pipe.channel, &message, after(20000)), HEDDLE_OK)) {
				sent++;
				sum += message;
			}
		MUST(attempt, channel_close(&pipe.channel));
		bool was_received = helper.task;
		helper_end(&helper);
		HOLDS(attempt, !was_received || (pipe.received == sent && pipe.sum == sum));
		MUST(attempt, channel_destroy(&pipe.channel));
	}
}

/* -------------------------------------------------------------------------------------------- select -- */

struct pipes {
	struct pipe one, other;
	uint32_t taken;
};

static enum heddle_error select_of(struct pipes *pipes, uint64_t deadline)
{
	uint32_t in = 0, out = 7;
	size_t chosen = 9;
	const struct channel_case cases[] = {{&pipes->one.channel, false, &in},
	                                     {&pipes->other.channel, true, &out}};
	enum heddle_error error = channel_select(cases, 2, &chosen, deadline);
	if (error == HEDDLE_OK && chosen == 0)
		pipes->taken += in;
	return error;
}

static void select_once(struct helper *helper)
{
	uint64_t deadline = helper->number ? after(20000) : HEDDLE_NO_DEADLINE;
	enum heddle_error error = select_of(helper->object, deadline);
	if (error != HEDDLE_CLOSED)
		EXPECT(helper->attempt, error, HEDDLE_OK);
}

/* One end is empty, the other full. */
static void run_select(struct attempt *attempt)
{
	for (unsigned way = 0; way < 2; way++) {
		struct pipes pipes = {.taken = 0};
		struct helper helper = {.attempt = attempt, .run = select_once, .object = &pipes, .number = way};
		uint32_t message = 5;
		MUST(attempt, channel_create(&pipes.one.channel, pipes.one.buffer, sizeof(message), CAPACITY));
		MUST(attempt, channel_create(&pipes.other.channel, pipes.other.buffer, sizeof(message), CAPACITY));
		for (unsigned i = 0; i < CAPACITY; i++)
			EXPECT(attempt, channel_try_send(&pipes.other.channel, &message), HEDDLE_OK);
		EXPECT(attempt, select_of(&pipes, after(1)), HEDDLE_TIMED_OUT);
		bool waits = helper_start(&helper);
		EXPECT(attempt, channel_try_send(&pipes.one.channel, &message), HEDDLE_OK);
		MUST(attempt, channel_close(&pipes.one.channel));
		helper_end(&helper);
		HOLDS(attempt, !waits || pipes.taken == message);
		MUST(attempt, channel_destroy(&pipes.one.channel));
		MUST(attempt, channel_destroy(&pipes.other.channel));
	}
}

/* ------------------------------------------------------------------------------------------- futures -- */

struct expected_future {
	struct future *future;
	enum heddle_error outcome;
};

static void await_future(struct helper *helper)
{
	struct expected_future *expected = helper->object;
	uint64_t deadline = helper->number ? after(20000) : HEDDLE_NO_DEADLINE;
	if (EXPECT(helper->attempt, future_wait_until(expected->future, deadline), expected->outcome))
		HOLDS(helper->attempt, expected->outcome != HEDDLE_OK || future_value(expected->future) == 11);
}

static void use_future(struct attempt *attempt, bool set)
{
	struct expected_future expected = {NULL, set ? HEDDLE_OK : HEDDLE_BROKEN};
	struct promise promise;
	struct helper helpers[2];
	if (!EXPECT(attempt, promise_create(&promise, &expected.future), HEDDLE_OK))
		return;
	EXPECT(attempt, future_wait_until(expected.future, after(1)), HEDDLE_TIMED_OUT);
	for (unsigned i = 0; i < 2; i++) {
		helpers[i] =
		    (struct helper){.attempt = attempt, .run = await_future, .object = &expected, .number = i};
		helper_start(&helpers[i]);
	}
	if (set)
		MUST(attempt, promise_set(&promise, 11));
	promise_release(&promise);
	for (unsigned i = 0; i < 2; i++)
		helper_end(&helpers[i]);
	HOLDS(attempt, future_is_set(expected.future));
	MUST(attempt, future_release(expected.future));
}

static void run_future(struct attempt *attempt)
{
	use_future(attempt, true);
	use_future(attempt, false);
}

/* ------------------------------------------------------------------------------------------ requests -- */

enum { HOLD = 1, NOTE };

struct held {
	struct served served;
	atomic_bool ends;
	unsigned noted;
};

/* In the serving task. */
static void step(struct served *served, struct request *request, struct granted *granted)
{
	struct held *held = (struct held *)served;
	while (request->operation == HOLD && !atomic_load(&held->ends))
		task_yield();
	held->noted += request->operation == NOTE;
	request_grant(request, HEDDLE_OK, granted);
}

static const struct serve_kind held_kind = {"held", step};

static void serve_until_told(struct helper *helper)
{
	struct request request = {.operation = HOLD, .immediate = true};
	struct held *held = helper->object;
	MUST(helper->attempt, serve(&held->served, &held_kind, &request, HEDDLE_NO_DEADLINE, true));
}

/* What is given up in an uncooperative section is left with the serving task; that needs memory. */
static void run_requests(struct attempt *attempt)
{
	struct held held = {.noted = 0};
	struct helper helper = {.attempt = attempt, .run = serve_until_told, .object = &held};
	unsigned left = 0;
	atomic_store(&held.ends, false);
	if (!helper_create(&helper))
		return;
	while (atomic_load(&held.served.word) == 0)
		task_yield();
	for (unsigned i = 0; i < 3; i++) {
		struct request request = {.operation = NOTE, .immediate = true};
		uncooperative_begin();
		enum heddle_error error = serve(&held.served, &held_kind, &request, HEDDLE_NO_DEADLINE, true);
		uncooperative_end();
		left += EXPECT(attempt, error, HEDDLE_OK);
	}
	atomic_store(&held.ends, true);
	helper_end(&helper);
	HOLDS(attempt, held.noted == left);
}

const struct part fail_messages[] = {{"channel", run_channel},
                                     {"select", run_select},
                                     {"future", run_future},
                                     {"requests", run_requests},
                                     {0}};
