/*
 * Players in a ring pass on a token (scheduler paper, Table 1: 1000 players, 1000 rounds), by suspend and resume.
 */
#include <stdatomic.h>

#include "heddle/program.h"
#include "heddle/system.h"
#include "user/crew.h"

struct ring {
	struct crew crew;
	uint64_t rounds;
	_Atomic uint64_t
	    moves; /* how often the token was handed on; it is with player `moves` modulo the players */
};

/* Pass the token on `rounds` times; returns how often. The crew is joined only after all have ended, so the next
 * player's task is still there to be resumed. */
static intptr_t player(size_t number, void *argument)
{
	struct ring *ring = argument;
	size_t players = ring->crew.count;
	struct task *next = crew_task(&ring->crew, (number + 1) % players);
	uint64_t round = 0;
	for (; round < ring->rounds; round++) {
		uint64_t own_turn = round * players + number;
		/* acquire: pairs with the release below; what the previous player wrote comes with the token */
		while (atomic_load_explicit(&ring->moves, memory_order_acquire) != own_turn)
			task_suspend();
		atomic_store_explicit(&ring->moves, own_turn + 1, memory_order_release);
		task_resume(next);
	}
	return (intptr_t)round;
}

static bool run(struct program_run *run)
{
	uint64_t tasks = program_value(run, "tasks");
	struct ring ring = {.rounds = program_value(run, "rounds")};
	intptr_t handed_on;
	ring.crew = (struct crew){.name = "player",
	                          .function = player,
	                          .argument = &ring,
	                          .count = tasks,
	                          .stack_size = HEDDLE_TASK_STACK_MINIMUM,
	                          .bound = program_value(run, "bind")};
	enum heddle_error error = crew_create(&ring.crew);
	if (error != HEDDLE_OK)
		return program_failed(run, "cannot create %lu players: %s", tasks, heddle_error_text(error));
	uint64_t start = heddle_clock();
	crew_start(&ring.crew);
	error = crew_join(&ring.crew, &handed_on);
	uint64_t duration = heddle_clock() - start;
	uint64_t moves = atomic_load_explicit(&ring.moves, memory_order_relaxed);
	bool ok = error == HEDDLE_OK && moves == tasks * ring.rounds && (uint64_t)handed_on == moves;
	return program_result(run, NULL, moves, duration, ok);
}

static const struct program_parameter parameters[] = {
    {"tasks", 100, 1, 1000000, "how many players"},
    {"rounds", 200, 1, 1000000000, "how often each player hands the token on"},
    {"bind", 0, 0, 1, "1: bind the players to the processors in turn; 0: leave them to the scheduler"},
    {0}};

HEDDLE_PROGRAM(tokenring, "a token handed around a ring of tasks (scheduler paper, Table 1)", parameters,
               run);
