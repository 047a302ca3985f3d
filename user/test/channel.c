/* The channel: messages come out once, in order; full, empty and closed ones; deadlines. */
#include "heddle/channel.h"

#include <string.h>

#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

struct line {
	struct channel channel;
	uint32_t buffer[4];
};

static bool line_create(struct line *line, uint32_t capacity)
{
	return channel_create(&line->channel, line->buffer, sizeof(uint32_t), capacity) == HEDDLE_OK;
}

/* `number` is the message that is sent; or where the received one goes. */
static enum heddle_error send(struct waiting *waiting)
{
	uint32_t message = (uint32_t)waiting->number;
	return channel_send_until(waiting->object, &message, waiting->deadline);
}

static enum heddle_error receive(struct waiting *waiting)
{
	uint32_t message = UINT32_MAX;
	enum heddle_error error = channel_receive_until(waiting->object, &message, waiting->deadline);
	waiting->number = message;
	return error;
}

static struct waiting sender(struct line *line, uint32_t message)
{
	return (struct waiting){
	    .wait = send, .object = &line->channel, .number = message, .deadline = HEDDLE_NO_DEADLINE};
}

static struct waiting receiver(struct line *line)
{
	return (struct waiting){.wait = receive, .object = &line->channel, .deadline = HEDDLE_NO_DEADLINE};
}

TEST(channel, bad_arguments)
{
	struct line line;
	CHECK_EQUAL(channel_create(&line.channel, line.buffer, 0, 4), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(channel_create(&line.channel, line.buffer, 4, 0), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(channel_create(&line.channel, NULL, 4, 4), HEDDLE_BAD_ARGUMENT);
}

TEST(channel, keeps_order)
{
	struct line line;
	uint32_t message;
	CHECK(line_create(&line, 4));
	CHECK_EQUAL(channel_try_receive(&line.channel, &message), HEDDLE_BUSY);
	for (uint32_t round = 0; round < 10; round++) {
		for (uint32_t i = 0; i < 3 + round % 2; i++)
			CHECK_EQUAL(channel_send(&line.channel, &i), HEDDLE_OK);
		if (round % 2)
			CHECK_EQUAL(channel_try_send(&line.channel, &round), HEDDLE_BUSY);
		for (uint32_t i = 0; i < 3 + round % 2; i++) {
			CHECK_EQUAL(channel_try_receive(&line.channel, &message), HEDDLE_OK);
			CHECK_EQUAL(message, i);
		}
	}
	CHECK_EQUAL(channel_destroy(&line.channel), HEDDLE_OK);
}

/* Any size, odd ones too. */
TEST(channel, messages_of_any_size)
{
	for (uint32_t size = 1; size <= 300; size += 23) {
		unsigned char buffer[2 * 300], sent[300], received[301];
		struct channel channel;
		memset(sent, (int)size, sizeof(sent));
		memset(received, 0xee, sizeof(received));
		CHECK_EQUAL(channel_create(&channel, buffer, size, 2), HEDDLE_OK);
		for (unsigned i = 0; i < 5; i++) {
			CHECK_EQUAL(channel_send(&channel, sent), HEDDLE_OK);
			CHECK_EQUAL(channel_receive(&channel, received), HEDDLE_OK);
			CHECK(memcmp(sent, received, size) == 0);
			CHECK_EQUAL(received[size], 0xee);
		}
	}
}

#define WAITERS 8

TEST(channel, senders_wait_in_order)
{
	struct line line;
	struct waiting senders[WAITERS];
	uint32_t first = 1000, message;
	CHECK(line_create(&line, 1));
	CHECK_EQUAL(channel_send(&line.channel, &first), HEDDLE_OK);
	for (uint32_t i = 0; i < WAITERS; i++) {
		senders[i] = sender(&line, i);
		senders[i].bound = i % 2;
		senders[i].processor = i;
		senders[i].priority = HEDDLE_PRIORITY_IDLE + (int)(i % HEDDLE_PRIORITIES);
		CHECK(waiting_start(&senders[i]));
	}
	CHECK_EQUAL(channel_try_send(&line.channel, &first), HEDDLE_BUSY);
	CHECK_EQUAL(channel_receive(&line.channel, &message), HEDDLE_OK);
	CHECK_EQUAL(message, first);
	for (uint32_t i = 0; i < WAITERS; i++) {
		CHECK_EQUAL(channel_receive(&line.channel, &message), HEDDLE_OK);
		CHECK_EQUAL(message, i);
		CHECK_EQUAL(waiting_end(&senders[i]), HEDDLE_OK);
	}
	CHECK_EQUAL(channel_destroy(&line.channel), HEDDLE_OK);
}

TEST(channel, receivers_wait_in_order)
{
	struct line line;
	struct waiting receivers[WAITERS];
	CHECK(line_create(&line, 1));
	for (uint32_t i = 0; i < WAITERS; i++) {
		receivers[i] = receiver(&line);
		receivers[i].bound = i % 2;
		receivers[i].processor = i;
		CHECK(waiting_start(&receivers[i]));
	}
	for (uint32_t i = 0; i < WAITERS; i++) {
		CHECK_EQUAL(channel_try_send(&line.channel, &i), HEDDLE_OK);
		CHECK_EQUAL(waiting_end(&receivers[i]), HEDDLE_OK);
		CHECK_EQUAL(receivers[i].number, i);
	}
	CHECK_EQUAL(channel_destroy(&line.channel), HEDDLE_OK);
}

/* -------------------------------------------------------------------------------------------- closed -- */

TEST(channel, closed_one_is_drained)
{
	struct line line;
	uint32_t message = 1;
	struct waiting senders[2];
	CHECK(line_create(&line, 2));
	CHECK_EQUAL(channel_send(&line.channel, &message), HEDDLE_OK);
	message = 2;
	CHECK_EQUAL(channel_send(&line.channel, &message), HEDDLE_OK);
	for (unsigned i = 0; i < 2; i++) {
		senders[i] = sender(&line, 3);
		CHECK(waiting_start(&senders[i]));
	}
	CHECK_EQUAL(channel_close(&line.channel), HEDDLE_OK);
	CHECK_EQUAL(channel_close(&line.channel), HEDDLE_CLOSED);
	for (unsigned i = 0; i < 2; i++)
		CHECK_EQUAL(waiting_end(&senders[i]), HEDDLE_CLOSED);
	CHECK_EQUAL(channel_send(&line.channel, &message), HEDDLE_CLOSED);
	CHECK_EQUAL(channel_try_send(&line.channel, &message), HEDDLE_CLOSED);
	CHECK_EQUAL(channel_send_until(&line.channel, &message, 0), HEDDLE_CLOSED);
	for (uint32_t i = 1; i <= 2; i++) {
		CHECK_EQUAL(channel_receive(&line.channel, &message), HEDDLE_OK);
		CHECK_EQUAL(message, i);
	}
	CHECK_EQUAL(channel_receive(&line.channel, &message), HEDDLE_CLOSED);
	CHECK_EQUAL(channel_try_receive(&line.channel, &message), HEDDLE_CLOSED);
	CHECK_EQUAL(channel_receive_until(&line.channel, &message, 0), HEDDLE_CLOSED);
	CHECK_EQUAL(channel_destroy(&line.channel), HEDDLE_OK);
}

TEST(channel, close_wakes_receivers)
{
	struct line line;
	struct waiting receivers[4];
	CHECK(line_create(&line, 2));
	for (unsigned i = 0; i < 4; i++) {
		receivers[i] = receiver(&line);
		CHECK(waiting_start(&receivers[i]));
	}
	CHECK_EQUAL(channel_close(&line.channel), HEDDLE_OK);
	for (unsigned i = 0; i < 4; i++)
		CHECK_EQUAL(waiting_end(&receivers[i]), HEDDLE_CLOSED);
	CHECK_EQUAL(channel_destroy(&line.channel), HEDDLE_OK);
}

/* A debug build panics: user/demo/misbehave.c. */
#ifndef HEDDLE_DEBUG
TEST(channel, destroyed_in_use)
{
	struct line line;
	struct waiting waiting;
	uint32_t message = 0;
	CHECK(line_create(&line, 1));
	waiting = receiver(&line);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(channel_destroy(&line.channel), HEDDLE_IN_USE);
	CHECK_EQUAL(channel_send(&line.channel, &message), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(channel_destroy(&line.channel), HEDDLE_OK);
}
#endif

/* --------------------------------------------------------------- deadlines, uncooperative regions -- */

TEST(channel, deadlines)
{
	struct line line;
	uint32_t message = 7;
	CHECK(line_create(&line, 1));
	CHECK_EQUAL(channel_receive_until(&line.channel, &message, 1), HEDDLE_TIMED_OUT);
	struct waiting soon = receiver(&line);
	soon.deadline = after(3);
	CHECK(waiting_create(&soon));
	CHECK_EQUAL(waiting_end(&soon), HEDDLE_TIMED_OUT);
	CHECK(heddle_clock() >= soon.deadline);
	CHECK_EQUAL(channel_send_until(&line.channel, &message, 0), HEDDLE_OK);
	CHECK_EQUAL(channel_send_until(&line.channel, &message, 1), HEDDLE_TIMED_OUT);
	soon = sender(&line, 8);
	soon.deadline = after(3);
	CHECK(waiting_create(&soon));
	CHECK_EQUAL(waiting_end(&soon), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(channel_receive_until(&line.channel, &message, 0), HEDDLE_OK);
	CHECK_EQUAL(message, 7);
	/* What was not sent is not there. */
	CHECK_EQUAL(channel_try_receive(&line.channel, &message), HEDDLE_BUSY);
	CHECK_EQUAL(channel_destroy(&line.channel), HEDDLE_OK);
}

#define MANY 16

/* Takes one out and puts it back: there is always one, and room. Returns how often it was told to wait. */
static intptr_t exchange_one(size_t number, void *argument)
{
	struct channel *channel = argument;
	intptr_t wrong = 0;
	(void)number;
	for (unsigned i = 0; i < 200; i++) {
		uint32_t message = 0;
		if (channel_receive_until(channel, &message, 0) != HEDDLE_OK ||
		    channel_send_until(channel, &message, 0) != HEDDLE_OK)
			wrong++;
	}
	return wrong;
}

/* Nor do others that are at it make it fail. */
TEST(channel, deadlines_in_the_past_try_once)
{
	struct channel channel;
	uint32_t buffer[MANY];
	struct crew crew = {.function = exchange_one, .argument = &channel, .count = MANY};
	intptr_t wrong = 0;
	CHECK_EQUAL(channel_create(&channel, buffer, sizeof(uint32_t), MANY), HEDDLE_OK);
	for (uint32_t i = 0; i < MANY; i++)
		CHECK_EQUAL(channel_send(&channel, &i), HEDDLE_OK);
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &wrong), HEDDLE_OK);
	CHECK_EQUAL(wrong, 0);
	CHECK_EQUAL(channel.count, MANY);
}

TEST(channel, uncooperative_regions)
{
	struct line line;
	CHECK(line_create(&line, 1));
	struct waiting receiving = receiver(&line), sending = sender(&line, 5), waiting = receiver(&line);
	CHECK_EQUAL(uncooperatively(&receiving), HEDDLE_UNCOOPERATIVE);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(uncooperatively(&sending), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(waiting.number, 5);
	CHECK_EQUAL(uncooperatively(&sending), HEDDLE_OK);
	CHECK_EQUAL(uncooperatively(&sending), HEDDLE_UNCOOPERATIVE);
	CHECK_EQUAL(uncooperatively(&receiving), HEDDLE_OK);
	CHECK_EQUAL(receiving.number, 5);
	CHECK_EQUAL(channel_destroy(&line.channel), HEDDLE_OK);
}

/* -------------------------------------------------------------------------------------------- stress -- */

#define SENDERS  12
#define MESSAGES 150

struct message {
	uint16_t sender, number;
};

struct traffic {
	struct channel channel;
	struct message buffer[3];
	_Atomic uint8_t received[SENDERS][MESSAGES];
	_Atomic unsigned senders, wrong;
	bool deadlines;
};

static uint64_t soon_or_never(const struct traffic *traffic, unsigned nanoseconds)
{
	return traffic->deadlines ? heddle_clock() + nanoseconds : HEDDLE_NO_DEADLINE;
}

static intptr_t send_all(struct traffic *traffic, size_t number)
{
	for (unsigned i = 0; i < MESSAGES; i++) {
		struct message message = {(uint16_t)number, (uint16_t)i};
		enum heddle_error error;
		while ((error = channel_send_until(&traffic->channel, &message,
		                                   soon_or_never(traffic, i % 5 * 5000))) == HEDDLE_TIMED_OUT)
			task_yield();
		if (error != HEDDLE_OK)
			return 0;
	}
	/* The last one closes it. */
	if (atomic_fetch_sub(&traffic->senders, 1) == 1 && channel_close(&traffic->channel) != HEDDLE_OK)
		return 0;
	return 1;
}

/* Those of one sender come in their order. */
static intptr_t receive_all(struct traffic *traffic, size_t number)
{
	int last[SENDERS];
	memset(last, 0xff, sizeof(last));
	for (unsigned i = 0;; i++) {
		struct message message;
		enum heddle_error error = channel_receive_until(
		    &traffic->channel, &message, soon_or_never(traffic, (unsigned)(number + i) % 5 * 5000));
		if (error == HEDDLE_TIMED_OUT) {
			task_yield();
			continue;
		}
		if (error != HEDDLE_OK)
			return error == HEDDLE_CLOSED;
		if (message.sender >= SENDERS || message.number >= MESSAGES || message.number <= last[message.sender])
			return 0;
		last[message.sender] = message.number;
		atomic_fetch_add(&traffic->received[message.sender][message.number], 1);
	}
}

static intptr_t send_or_receive(size_t number, void *traffic)
{
	return number < SENDERS ? send_all(traffic, number) : receive_all(traffic, number);
}

TEST(channel, each_message_once)
{
	struct traffic *traffic = heddle_allocate(sizeof(*traffic));
	CHECK(traffic);
	for (unsigned round = 0; round < 6; round++) {
		struct crew crew = {
		    .function = send_or_receive, .argument = traffic, .count = 2 * SENDERS, .bound = round % 2};
		intptr_t done = 0;
		*traffic = (struct traffic){.senders = SENDERS, .deadlines = round & 2};
		CHECK_EQUAL(channel_create(&traffic->channel, traffic->buffer, sizeof(struct message), 1 + round % 3),
		            HEDDLE_OK);
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, 2 * SENDERS);
		for (unsigned i = 0; i < SENDERS * MESSAGES; i++)
			CHECK_EQUAL(atomic_load(&traffic->received[i / MESSAGES][i % MESSAGES]), 1);
		CHECK_EQUAL(channel_destroy(&traffic->channel), HEDDLE_OK);
	}
	heddle_free(traffic, sizeof(*traffic));
}
