/*
 * Two tasks pass a ball back and forth, through two semaphores or two channels with room for one message each. An
 * operation is one pass: a wake-up, a wait and a switch.
 */
#include "heddle/channel.h"
#include "heddle/program.h"
#include "heddle/semaphore.h"
#include "user/bench/measure.h"

enum by { BY_SEMAPHORE, BY_CHANNEL };

/* Each player waits at its own one of two. */
struct table {
	struct semaphore turns[2];
	struct channel channels[2];
	uint64_t places[2];
	uint64_t rounds;
	uint64_t ball; /* number of passes; belongs to the player whose turn it is */
};

/* Returns how often the ball was not the expected one. */
static intptr_t play_by_semaphore(size_t number, void *argument)
{
	struct table *table = argument;
	intptr_t wrong = 0;
	for (uint64_t i = 0; i < table->rounds; i++) {
		semaphore_acquire(&table->turns[number], 1);
		wrong += table->ball++ != 2 * i + number;
		semaphore_release(&table->turns[1 - number], 1);
	}
	return wrong;
}

/* The first player serves. */
static intptr_t play_by_channel(size_t number, void *argument)
{
	struct table *table = argument;
	uint64_t ball = 0;
	intptr_t wrong = 0;
	for (uint64_t i = 0; i < table->rounds; i++) {
		if (number == 1)
			channel_receive(&table->channels[1], &ball);
		wrong += ball++ != 2 * i + number;
		channel_send(&table->channels[1 - number], &ball);
		if (number == 0)
			channel_receive(&table->channels[0], &ball);
	}
	if (number == 0)
		table->ball = ball;
	return wrong;
}

static bool run(struct program_run *run)
{
	struct table table = {.turns = {HEDDLE_SEMAPHORE_INITIALIZER(1), HEDDLE_SEMAPHORE_INITIALIZER(0)},
	                      .rounds = program_value(run, "rounds")};
	struct crew crew = {.name = "pingpong", .argument = &table, .count = 2};
	crew.function = program_value(run, "by") == BY_CHANNEL ? play_by_channel : play_by_semaphore;
	intptr_t wrong;
	uint64_t duration;
	for (unsigned i = 0; i < 2; i++)
		channel_create(&table.channels[i], &table.places[i], sizeof(table.places[i]), 1);
	if (!crew_measure(run, &crew, &duration, &wrong))
		return false;
	bool ok = wrong == 0 && table.ball == 2 * table.rounds;
	program_result(run, NULL, 2 * table.rounds, duration, ok);
	return ok || program_failed(run, "the ball came %lu times, and %ld times it was not the one expected",
	                            table.ball, (long)wrong);
}

static const struct program_parameter parameters[] = {
    {"by", .help = "what they pass it through", .choices = "semaphore|channel"},
    {"rounds", 100000, 1, 1000000000, "how often each hits it"},
    {0}};

HEDDLE_PROGRAM(pingpong, "two tasks that pass a ball back and forth", parameters, run);
