/*
 * Producers and consumers around one buffer (scheduler paper, Table 1: a buffer of 10, and 10,000 messages of 1 or 64
 * producers). The buffer is a monitor or, with lock=channel, Heddle's channel. The paper speaks of 10,000 messages in
 * total, but its times only fit 10,000 per producer; so does this program.
 *
 * With work= both sides are busy for that long with each message, outside the buffer: then it is fastest if they run
 * in parallel, and a late wake-up shows.
 */
#include "heddle/channel.h"
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/condition_choice.h"
#include "user/bench/measure.h"
#include "user/bench/witness.h"
#include "user/bench/work.h"

#define VARIANT_CHANNEL LOCK_VARIANTS

struct message {
	uint32_t producer, number; /* each producer counts its own from 0 on */
};

struct buffer {
	struct chosen_mutex mutex;
	struct witness witness;
	struct chosen_condition has_room, has_some;
	struct message *messages;
	uint64_t put, taken, capacity; /* message i is at i modulo the capacity */
};

struct market {
	struct buffer buffer;
	struct channel channel; /* instead of the buffer */
	bool by_channel;
	uint64_t pairs, rounds, work;
	uint8_t *received;  /* count, for each number of each producer */
	uint32_t *expected; /* for each consumer and producer: the lowest number that may still come */
};

static void buffer_put(struct buffer *buffer, const struct message *message)
{
	chosen_mutex_lock(&buffer->mutex);
	while (buffer->put - buffer->taken == buffer->capacity)
		chosen_condition_wait(&buffer->has_room, &buffer->mutex);
	uint64_t entered = witness_enter(&buffer->witness);
	buffer->messages[buffer->put++ % buffer->capacity] = *message;
	witness_leave(&buffer->witness, entered);
	chosen_condition_notify_one(&buffer->has_some, &buffer->mutex);
	chosen_mutex_unlock(&buffer->mutex);
}

static void buffer_take(struct buffer *buffer, struct message *message)
{
	chosen_mutex_lock(&buffer->mutex);
	while (buffer->put == buffer->taken)
		chosen_condition_wait(&buffer->has_some, &buffer->mutex);
	uint64_t entered = witness_enter(&buffer->witness);
	*message = buffer->messages[buffer->taken++ % buffer->capacity];
	witness_leave(&buffer->witness, entered);
	chosen_condition_notify_one(&buffer->has_room, &buffer->mutex);
	chosen_mutex_unlock(&buffer->mutex);
}

static void produce(struct market *market, uint32_t producer)
{
	for (uint32_t i = 0; i < market->rounds; i++) {
		struct message message = {producer, i};
		work_linger(market->work);
		if (market->by_channel)
			channel_send(&market->channel, &message);
		else
			buffer_put(&market->buffer, &message);
	}
}

/* Returns how many messages were invalid, or came after a later one of their producer. */
static uint64_t consume(struct market *market, uint64_t consumer)
{
	uint32_t *expected = &market->expected[consumer * market->pairs];
	uint64_t wrong = 0;
	for (uint64_t i = 0; i < market->rounds; i++) {
		struct message message = {UINT32_MAX, 0};
		if (market->by_channel)
			channel_receive(&market->channel, &message);
		else
			buffer_take(&market->buffer, &message);
		work_linger(market->work);
		if (message.producer >= market->pairs || message.number >= market->rounds ||
		    message.number < expected[message.producer]) {
			wrong++;
			continue;
		}
		expected[message.producer] = message.number + 1;
		market->received[message.producer * market->rounds + message.number]++;
	}
	return wrong;
}

/* Producers and consumers take turns. */
static intptr_t member(size_t number, void *argument)
{
	struct market *market = argument;
	if (number % 2)
		return (intptr_t)consume(market, number / 2);
	produce(market, (uint32_t)(number / 2));
	return 0;
}

static bool report(struct program_run *run, struct market *market, uint64_t duration, uint64_t wrong)
{
	uint64_t messages = market->pairs * market->rounds, once = 0;
	for (uint64_t i = 0; i < messages; i++)
		once += market->received[i] == 1;
	bool alone = market->by_channel || witness_is_content(&market->buffer.witness, 2 * messages);
	bool all = once == messages && wrong == 0;
	program_result(run, NULL, messages, duration, alone && all);
	if (!alone)
		return program_failed(run, "a section was lost, or two tasks were in the monitor at once");
	return all || program_failed(run, "%lu of %lu messages came exactly once, and %lu after a later one",
	                             once, messages, wrong);
}

static bool producer_measure(struct program_run *run, struct market *market)
{
	uint64_t duration;
	struct crew crew = {
	    .name = "producer", .function = member, .argument = market, .count = 2 * market->pairs};
	intptr_t wrong;
	for (uint64_t i = 0; i < market->pairs * market->rounds; i++)
		market->received[i] = 0;
	for (uint64_t i = 0; i < market->pairs * market->pairs; i++)
		market->expected[i] = 0;
	market->by_channel = program_value(run, "lock") == VARIANT_CHANNEL;
	if (!market->by_channel && !chosen_mutex_create(&market->buffer.mutex, run))
		return false;
	if (market->by_channel &&
	    channel_create(&market->channel, market->buffer.messages, sizeof(struct message),
	                   (uint32_t)market->buffer.capacity) != HEDDLE_OK)
		return program_failed(run, "there is no channel of %lu messages", market->buffer.capacity);
	bool ok = crew_measure(run, &crew, &duration, &wrong) && report(run, market, duration, (uint64_t)wrong);
	chosen_mutex_destroy(&market->buffer.mutex);
	return ok;
}

static bool run(struct program_run *run)
{
	struct market market = {.pairs = program_value(run, "pairs"),
	                        .rounds = program_value(run, "rounds"),
	                        .work = program_value(run, "work")};
	market.buffer.capacity = program_value(run, "size");
	size_t messages_bytes = market.buffer.capacity * sizeof(struct message);
	size_t received_bytes = market.pairs * market.rounds * sizeof(*market.received);
	size_t expected_bytes = market.pairs * market.pairs * sizeof(*market.expected);
	market.buffer.messages = heddle_allocate(messages_bytes);
	market.received = heddle_allocate(received_bytes);
	market.expected = heddle_allocate(expected_bytes);
	bool ok = market.buffer.messages && market.received && market.expected
	              ? producer_measure(run, &market)
	              : program_failed(run, "no memory for %lu messages", market.pairs * market.rounds);
	heddle_free(market.expected, expected_bytes);
	heddle_free(market.received, received_bytes);
	heddle_free(market.buffer.messages, messages_bytes);
	return ok;
}

static const struct program_parameter parameters[] = {
    LOCK_PARAMETERS_OR("|channel"),
    {"pairs", 1, 1, 10000, "how many producers, and how many consumers; the paper has 1 and 64"},
    {"rounds", 10000, 1, 10000000, "messages of each producer"},
    {"size", 10, 1, 1000000, "messages that the buffer holds"},
    {"work", 0, 0, 1000000, "nanoseconds of work with each message, on either side"},
    {0}};

HEDDLE_PROGRAM(producer, "producers and consumers around a buffer (scheduler paper, Table 1)", parameters,
               run);
