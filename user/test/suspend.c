/*
 * Suspend and resume: no resume is lost, and an early one is kept, once.
 */
#include <stdatomic.h>

#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/test.h"

TEST(suspend, resume_before_is_kept)
{
	uint64_t start = heddle_clock();
	for (unsigned i = 0; i < 1000; i++) {
		task_resume(task_current());
		task_suspend();
	}
	CHECK(heddle_clock() - start < UINT64_C(10000000000));
}

struct late_resume {
	struct task *target;
	atomic_bool once; /* the target was resumed by the early one */
	atomic_bool given;
};

static intptr_t resume_late(void *argument)
{
	struct late_resume *late = argument;
	while (!atomic_load_explicit(&late->once, memory_order_relaxed))
		task_yield();
	task_sleep_until(heddle_clock() + 2000000);
	atomic_store_explicit(&late->given, true, memory_order_release);
	task_resume(late->target);
	return 0;
}

/* Of two early resumes only one is kept: the second suspend waits for a third resume. */
TEST(suspend, only_one_is_kept)
{
	struct late_resume late = {.target = task_current()};
	struct task *task;
	CHECK_EQUAL(task_create(&task, resume_late, &late, NULL), HEDDLE_OK);
	task_resume(task_current());
	task_resume(task_current());
	task_suspend();
	atomic_store_explicit(&late.once, true, memory_order_relaxed);
	task_suspend();
	bool waited = atomic_load_explicit(&late.given, memory_order_acquire);
	CHECK_EQUAL(task_join(task, NULL), HEDDLE_OK);
	CHECK(waited);
}

/* Two tasks take turns; `turn` says whose turn it is. If time runs out before the rounds are done, both stop at the
 * same turn. */
struct ping_pong {
	struct crew crew;
	_Atomic uint64_t turn; /* turns taken so far; the next is that of task `turn` modulo 2 */
	uint64_t turns;
};

static intptr_t take_turns(size_t number, void *argument)
{
	struct ping_pong *game = argument;
	struct task *other = crew_task(&game->crew, 1 - number);
	intptr_t taken = 0;
	for (uint64_t own = number; own < game->turns; own += 2, taken++) {
		/* acquire: pairs with the release below */
		while (atomic_load_explicit(&game->turn, memory_order_acquire) != own)
			task_suspend();
		atomic_store_explicit(&game->turn, own + 1, memory_order_release);
		task_resume(other);
	}
	return taken;
}

static bool play(unsigned processors, uint64_t turns)
{
	struct ping_pong game = {.turns = turns};
	game.crew = (struct crew){.function = take_turns,
	                          .argument = &game,
	                          .count = 2,
	                          .bound = processors > 0,
	                          .processors = processors};
	intptr_t taken;
	if (crew_create(&game.crew) != HEDDLE_OK)
		return false;
	crew_start(&game.crew);
	return crew_join(&game.crew, &taken) == HEDDLE_OK && (uint64_t)taken == turns;
}

/* A million turns, or as many as half a second allows. */
static bool play_long(unsigned processors)
{
	enum { A_GAME = 2000, MILLION = 1000000 };
	uint64_t end = heddle_clock() + 500000000;
	for (uint64_t turns = 0; turns < MILLION && heddle_clock() < end; turns += A_GAME)
		if (!play(processors, A_GAME))
			return false;
	return true;
}

TEST(suspend, ping_pong_on_one_processor)
{
	CHECK(play_long(1));
}

TEST(suspend, ping_pong_between_processors)
{
	if (heddle_processors() < 2) {
		test_skip(test, "needs two processors");
		return;
	}
	CHECK(play_long(2));
}

TEST(suspend, ping_pong_anywhere)
{
	CHECK(play_long(0));
}

/* Many resume one task: nothing that was counted before a resume is missed. */
struct crowd {
	struct task *target;
	_Atomic uint64_t counted;
	uint64_t rounds;
};

static intptr_t count_and_resume(size_t number, void *argument)
{
	struct crowd *crowd = argument;
	(void)number;
	for (uint64_t round = 0; round < crowd->rounds; round++) {
		atomic_fetch_add_explicit(&crowd->counted, 1, memory_order_release);
		task_resume(crowd->target);
		if (round % 8 == 7)
			task_yield();
	}
	return 0;
}

TEST(suspend, many_resume_one)
{
	struct crowd crowd = {.target = task_current(), .rounds = 20000 / heddle_processors() + 1};
	struct crew crew = {
	    .function = count_and_resume, .argument = &crowd, .count = heddle_processors(), .bound = true};
	uint64_t expected = crew.count * crowd.rounds;
	intptr_t unused;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	/* acquire: pairs with the release of the counts */
	while (atomic_load_explicit(&crowd.counted, memory_order_acquire) < expected)
		task_suspend();
	CHECK_EQUAL(crew_join(&crew, &unused), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&crowd.counted), expected);
}

/* Pairs that play on all processors at the same time. */
static intptr_t play_one_game(size_t number, void *argument)
{
	(void)number;
	return play(*(const unsigned *)argument, 200);
}

TEST(suspend, many_games)
{
	for (unsigned processors = 0; processors <= heddle_processors(); processors += heddle_processors()) {
		struct crew crew = {
		    .function = play_one_game, .argument = &processors, .count = 50, .stack_size = 32768};
		intptr_t won;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &won), HEDDLE_OK);
		CHECK_EQUAL(won, 50);
	}
}
