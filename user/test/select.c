/* Select: exactly one of several channels, whether ready, late or closed. */
#include "heddle/channel.h"

#include <string.h>

#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define CHANNELS 4

struct choices {
	struct channel channels[CHANNELS];
	uint32_t buffers[CHANNELS];
	uint32_t messages[CHANNELS]; /* received, or to be sent */
	bool send[CHANNELS];
};

static bool choices_create(struct choices *choices)
{
	memset(choices, 0, sizeof(*choices));
	for (unsigned i = 0; i < CHANNELS; i++)
		if (channel_create(&choices->channels[i], &choices->buffers[i], sizeof(uint32_t), 1) != HEDDLE_OK)
			return false;
	return true;
}

static bool choices_destroy(struct choices *choices)
{
	bool ok = true;
	for (unsigned i = 0; i < CHANNELS; i++)
		ok &= channel_destroy(&choices->channels[i]) == HEDDLE_OK;
	return ok;
}

static enum heddle_error choose(struct choices *choices, size_t *chosen, uint64_t deadline)
{
	struct channel_case cases[CHANNELS];
	for (unsigned i = 0; i < CHANNELS; i++)
		cases[i] = (struct channel_case){&choices->channels[i], choices->send[i], &choices->messages[i]};
	return channel_select(cases, CHANNELS, chosen, deadline);
}

/* `number` is the chosen case. */
static enum heddle_error choose_waiting(struct waiting *waiting)
{
	return choose(waiting->object, &waiting->number, waiting->deadline);
}

TEST(select, bad_arguments)
{
	struct channel_case cases[HEDDLE_CHANNEL_SELECT_MAXIMUM + 1] = {0};
	size_t chosen;
	CHECK_EQUAL(channel_select(cases, 0, &chosen, 0), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(channel_select(cases, HEDDLE_CHANNEL_SELECT_MAXIMUM + 1, &chosen, 0), HEDDLE_BAD_ARGUMENT);
}

/* Exactly one of those that are ready, the first. */
TEST(select, several_are_ready)
{
	struct choices choices;
	size_t chosen = CHANNELS;
	CHECK(choices_create(&choices));
	for (uint32_t i = 1; i < CHANNELS; i++) {
		uint32_t message = 10 * i;
		CHECK_EQUAL(channel_send(&choices.channels[i], &message), HEDDLE_OK);
	}
	for (uint32_t i = 1; i < CHANNELS; i++) {
		CHECK_EQUAL(choose(&choices, &chosen, i % 2 ? HEDDLE_NO_DEADLINE : 0), HEDDLE_OK);
		CHECK_EQUAL(chosen, i);
		CHECK_EQUAL(choices.messages[i], 10 * i);
		for (uint32_t j = 1; j < CHANNELS; j++)
			CHECK_EQUAL(choices.channels[j].count, j > i);
	}
	CHECK_EQUAL(choose(&choices, &chosen, 1), HEDDLE_TIMED_OUT);
	CHECK(choices_destroy(&choices));
}

TEST(select, deadline_passes)
{
	struct choices choices;
	struct waiting soon = {.wait = choose_waiting, .object = &choices, .deadline = after(3)};
	uint32_t message = 3;
	CHECK(choices_create(&choices));
	CHECK(waiting_create(&soon));
	CHECK_EQUAL(waiting_end(&soon), HEDDLE_TIMED_OUT);
	CHECK(heddle_clock() >= soon.deadline);
	/* It has left nothing behind that would take a message. */
	for (unsigned i = 0; i < CHANNELS; i++) {
		CHECK_EQUAL(channel_try_send(&choices.channels[i], &message), HEDDLE_OK);
		CHECK_EQUAL(choices.channels[i].count, 1);
	}
	CHECK(choices_destroy(&choices));
}

/* It waits, to send to some and to receive from others: whichever is ready first. */
TEST(select, waits_for_the_first)
{
	for (uint32_t which = 0; which < CHANNELS; which++) {
		struct choices choices;
		struct waiting waiting = {.wait = choose_waiting, .object = &choices, .deadline = HEDDLE_NO_DEADLINE};
		uint32_t message = 77;
		CHECK(choices_create(&choices));
		for (unsigned i = 1; i < CHANNELS; i += 2) {
			choices.send[i] = true;
			choices.messages[i] = 100 + i;
			CHECK_EQUAL(channel_send(&choices.channels[i], &message), HEDDLE_OK);
		}
		CHECK(waiting_start(&waiting));
		if (choices.send[which])
			CHECK_EQUAL(channel_receive(&choices.channels[which], &message), HEDDLE_OK);
		else
			CHECK_EQUAL(channel_send(&choices.channels[which], &message), HEDDLE_OK);
		CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
		CHECK_EQUAL(waiting.number, which);
		CHECK_EQUAL(message, 77);
		for (unsigned i = 0; i < CHANNELS; i++)
			CHECK_EQUAL(choices.channels[i].count, i % 2);
		if (choices.send[which]) {
			CHECK_EQUAL(channel_receive(&choices.channels[which], &message), HEDDLE_OK);
			CHECK_EQUAL(message, 100 + which);
		} else {
			CHECK_EQUAL(choices.messages[which], 77);
		}
		CHECK(choices_destroy(&choices));
	}
}

TEST(select, closed_ones)
{
	struct choices choices;
	struct waiting waiting = {.wait = choose_waiting, .object = &choices, .deadline = HEDDLE_NO_DEADLINE};
	size_t chosen = CHANNELS;
	uint32_t message = 5;
	CHECK(choices_create(&choices));
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(channel_close(&choices.channels[2]), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_CLOSED);
	CHECK_EQUAL(waiting.number, 2);
	CHECK_EQUAL(choose(&choices, &chosen, 0), HEDDLE_CLOSED);
	CHECK_EQUAL(chosen, 2);
	/* Also for sending. */
	choices.send[2] = true;
	CHECK_EQUAL(choose(&choices, &chosen, HEDDLE_NO_DEADLINE), HEDDLE_CLOSED);
	CHECK_EQUAL(chosen, 2);
	/* Closed, but not empty. */
	CHECK_EQUAL(channel_send(&choices.channels[1], &message), HEDDLE_OK);
	CHECK_EQUAL(channel_close(&choices.channels[1]), HEDDLE_OK);
	CHECK_EQUAL(choose(&choices, &chosen, HEDDLE_NO_DEADLINE), HEDDLE_OK);
	CHECK_EQUAL(chosen, 1);
	CHECK_EQUAL(choices.messages[1], 5);
	CHECK_EQUAL(choose(&choices, &chosen, HEDDLE_NO_DEADLINE), HEDDLE_CLOSED);
	CHECK_EQUAL(chosen, 1);
	CHECK(choices_destroy(&choices));
}

/* The same channel several times, in both directions: it is served, once. */
TEST(select, the_same_channel_twice)
{
	struct choices choices;
	uint32_t sent = 1, received = 0;
	size_t chosen = CHANNELS;
	CHECK(choices_create(&choices));
	struct channel *channel = &choices.channels[0];
	struct channel_case cases[3] = {
	    {channel, false, &received}, {channel, false, &received}, {channel, true, &sent}};
	CHECK_EQUAL(channel_select(cases, 3, &chosen, HEDDLE_NO_DEADLINE), HEDDLE_OK);
	CHECK_EQUAL(chosen, 2);
	CHECK_EQUAL(channel->count, 1);
	CHECK_EQUAL(channel_select(cases, 3, &chosen, HEDDLE_NO_DEADLINE), HEDDLE_OK);
	CHECK_EQUAL(chosen, 0);
	CHECK_EQUAL(received, 1);
	CHECK_EQUAL(channel->count, 0);
	CHECK_EQUAL(channel_select(cases, 2, &chosen, after(2)), HEDDLE_TIMED_OUT);
	CHECK(choices_destroy(&choices));
}

/* ------------------------------------------------------------------------------ uncooperative regions -- */

TEST(select, uncooperative_regions)
{
	struct choices choices;
	struct waiting inside = {.wait = choose_waiting, .object = &choices, .deadline = HEDDLE_NO_DEADLINE};
	uint32_t message = 6;
	CHECK(choices_create(&choices));
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_UNCOOPERATIVE);
	CHECK_EQUAL(channel_send(&choices.channels[3], &message), HEDDLE_OK);
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(inside.number, 3);
	CHECK_EQUAL(choices.messages[3], 6);
	CHECK(choices_destroy(&choices));
}

/* -------------------------------------------------------------------------------------------- stress -- */

#define PRODUCERS 8
#define CONSUMERS 8
#define MESSAGES  200

struct traffic {
	struct choices choices;
	_Atomic uint8_t received[PRODUCERS * MESSAGES];
	_Atomic unsigned producers, wrong;
	bool rude; /* some tasks select where they must not wait */
};

/* Sends each message through whichever of two channels has room first. */
static intptr_t produce(struct traffic *traffic, size_t number)
{
	for (uint32_t i = 0; i < MESSAGES; i++) {
		uint32_t message = (uint32_t)number * MESSAGES + i;
		struct channel *channels = traffic->choices.channels;
		struct channel_case cases[2] = {{&channels[i % CHANNELS], true, &message},
		                                {&channels[(i + 1) % CHANNELS], true, &message}};
		enum heddle_error error;
		size_t chosen;
		do
			error = channel_select(cases, 2, &chosen, i % 3 ? HEDDLE_NO_DEADLINE : heddle_clock() + 10000);
		while (error == HEDDLE_TIMED_OUT);
		if (error != HEDDLE_OK)
			return 0;
	}
	if (atomic_fetch_sub(&traffic->producers, 1) == 1)
		for (unsigned i = 0; i < CHANNELS; i++)
			channel_close(&traffic->choices.channels[i]);
	return 1;
}

/* From all channels that are not closed, until all are. */
static intptr_t consume(struct traffic *traffic, size_t number)
{
	struct channel_case cases[CHANNELS];
	uint32_t messages[CHANNELS];
	size_t count = CHANNELS, chosen = 0;
	for (size_t i = 0; i < CHANNELS; i++)
		cases[i] =
		    (struct channel_case){&traffic->choices.channels[(i + number) % CHANNELS], false, &messages[i]};
	for (unsigned i = 0; count > 0; i++) {
		bool rudely = traffic->rude && i % 2;
		enum heddle_error (*volatile select)(const struct channel_case *, size_t, size_t *, uint64_t) =
		    channel_select;
		if (rudely)
			uncooperative_begin();
		enum heddle_error error =
		    select(cases, count, &chosen, i % 3 ? HEDDLE_NO_DEADLINE : heddle_clock() + 10000);
		if (rudely)
			uncooperative_end();
		if (error == HEDDLE_OK) {
			uint32_t message = *(uint32_t *)cases[chosen].message;
			if (message >= PRODUCERS * MESSAGES)
				return 0;
			atomic_fetch_add(&traffic->received[message], 1);
		} else if (error == HEDDLE_CLOSED) {
			cases[chosen] = cases[--count];
		} else if (error != HEDDLE_TIMED_OUT && !(rudely && error == HEDDLE_UNCOOPERATIVE)) {
			return 0;
		}
	}
	return 1;
}

static intptr_t produce_or_consume(size_t number, void *traffic)
{
	return number < PRODUCERS ? produce(traffic, number) : consume(traffic, number);
}

TEST(select, each_message_once)
{
	struct traffic *traffic = heddle_allocate(sizeof(*traffic));
	CHECK(traffic);
	for (unsigned round = 0; round < 4; round++) {
		struct crew crew = {.function = produce_or_consume,
		                    .argument = traffic,
		                    .count = PRODUCERS + CONSUMERS,
		                    .bound = round % 2};
		intptr_t done = 0;
		memset(traffic, 0, sizeof(*traffic));
		traffic->rude = round & 2;
		CHECK(choices_create(&traffic->choices));
		atomic_store(&traffic->producers, PRODUCERS);
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, PRODUCERS + CONSUMERS);
		for (unsigned i = 0; i < PRODUCERS * MESSAGES; i++)
			CHECK_EQUAL(atomic_load(&traffic->received[i]), 1);
		CHECK(choices_destroy(&traffic->choices));
	}
	heddle_free(traffic, sizeof(*traffic));
}
