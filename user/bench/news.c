/*
 * A broadcasting agency (scheduler paper, Table 1: 1,000 customers, 10 reporters, 10 messages each): all customers
 * read everything that a reporter publishes, at the same time. The agency is a monitor; a published message does not
 * change, so it is read outside.
 */
#include "heddle/program.h"
#include "heddle/system.h"
#include "user/bench/condition_choice.h"
#include "user/bench/measure.h"
#include "user/bench/witness.h"

#define READING_FACTOR UINT64_C(1099511628211)

struct message {
	uint32_t reporter, number; /* each reporter counts its own from 0 on */
};

struct agency {
	struct chosen_mutex mutex;
	struct witness witness;
	struct chosen_condition news;
	struct message *messages;
	uint64_t published;
};

struct news {
	struct agency agency;
	uint64_t customers, reporters, rounds, messages;
	uint64_t *readings; /* of each customer */
};

static void agency_publish(struct agency *agency, struct message message)
{
	chosen_mutex_lock(&agency->mutex);
	uint64_t entered = witness_enter(&agency->witness);
	agency->messages[agency->published++] = message;
	witness_leave(&agency->witness, entered);
	chosen_condition_notify_all(&agency->news, &agency->mutex);
	chosen_mutex_unlock(&agency->mutex);
}

/* Wait until there are more than `known` messages; returns how many there are. */
static uint64_t agency_await(struct agency *agency, uint64_t known)
{
	chosen_mutex_lock(&agency->mutex);
	while (agency->published == known)
		chosen_condition_wait(&agency->news, &agency->mutex);
	uint64_t published = agency->published;
	chosen_mutex_unlock(&agency->mutex);
	return published;
}

/* Combines a message with the earlier ones; the result depends on their order. */
static uint64_t message_read(const struct message *message, uint64_t reading)
{
	reading = (reading ^ message->reporter) * READING_FACTOR;
	return (reading ^ message->number) * READING_FACTOR;
}

static uint64_t customer(struct news *news)
{
	uint64_t known = 0, reading = 0;
	while (known < news->messages) {
		uint64_t published = agency_await(&news->agency, known);
		for (; known < published; known++)
			reading = message_read(&news->agency.messages[known], reading);
	}
	return reading;
}

/* The customers come first, then the reporters. */
static intptr_t member(size_t number, void *argument)
{
	struct news *news = argument;
	if (number < news->customers) {
		news->readings[number] = customer(news);
		return 0;
	}
	for (uint64_t i = 0; i < news->rounds; i++)
		agency_publish(&news->agency, (struct message){(uint32_t)(number - news->customers), (uint32_t)i});
	return 0;
}

/* Whether the messages of each reporter were published in order. */
static bool published_is_right(const struct news *news)
{
	uint64_t found = 0;
	for (uint32_t reporter = 0; reporter < news->reporters; reporter++) {
		uint64_t next = 0;
		for (uint64_t i = 0; i < news->messages; i++)
			if (news->agency.messages[i].reporter == reporter && news->agency.messages[i].number == next)
				next++;
		found += next;
	}
	return news->agency.published == news->messages && found == news->messages;
}

/* Whether every customer has read everything that was published, in that order. */
static bool readings_are_right(const struct news *news)
{
	uint64_t reading = 0, right = 0;
	for (uint64_t i = 0; i < news->messages; i++)
		reading = message_read(&news->agency.messages[i], reading);
	for (uint64_t i = 0; i < news->customers; i++)
		right += news->readings[i] == reading;
	return right == news->customers;
}

static bool news_measure(struct program_run *run, struct news *news)
{
	struct crew crew = {
	    .name = "news", .function = member, .argument = news, .count = news->customers + news->reporters};
	uint64_t duration;
	intptr_t unused;
	if (!crew_measure(run, &crew, &duration, &unused))
		return false;
	bool alone = witness_is_content(&news->agency.witness, news->messages);
	bool all = published_is_right(news) && readings_are_right(news);
	program_result(run, NULL, news->customers * news->messages, duration, alone && all);
	if (!alone)
		return program_failed(run, "a message was lost, or two reporters were in the monitor at once");
	return all || program_failed(run, "not every customer has read every message, in its order");
}

static bool run(struct program_run *run)
{
	struct news news = {.customers = program_value(run, "tasks"),
	                    .reporters = program_value(run, "reporters"),
	                    .rounds = program_value(run, "rounds")};
	news.messages = news.reporters * news.rounds;
	size_t bytes = news.messages * sizeof(struct message), readings_bytes = news.customers * sizeof(uint64_t);
	news.agency.messages = heddle_allocate(bytes);
	news.readings = heddle_allocate(readings_bytes);
	bool ok = news.agency.messages && news.readings
	              ? chosen_mutex_create(&news.agency.mutex, run) && news_measure(run, &news)
	              : program_failed(run, "no memory for %lu messages", news.messages);
	chosen_mutex_destroy(&news.agency.mutex);
	heddle_free(news.readings, readings_bytes);
	heddle_free(news.agency.messages, bytes);
	return ok;
}

static const struct program_parameter parameters[] = {LOCK_PARAMETERS,
                                                      {"tasks", 1000, 1, 1000000, "how many customers"},
                                                      {"reporters", 10, 1, 1000, "how many reporters"},
                                                      {"rounds", 10, 1, 10000, "messages of each reporter"},
                                                      {0}};

HEDDLE_PROGRAM(news, "reporters and their readers (scheduler paper, Table 1)", parameters, run);
