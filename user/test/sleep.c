/*
 * Sleep: never too short, and it ends.
 */
#include <stdatomic.h>

#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/quantum.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

TEST(sleep, until_the_deadline)
{
	for (unsigned i = 1; i <= 5; i++) {
		uint64_t deadline = heddle_clock() + i * MILLISECOND;
		task_sleep_until(deadline);
		CHECK(heddle_clock() >= deadline);
	}
}

TEST(sleep, past_deadline_returns)
{
	uint64_t start = heddle_clock();
	for (unsigned i = 0; i < 1000; i++) {
		task_sleep_until(0);
		task_sleep_until(start);
	}
	CHECK(heddle_clock() - start < 10000 * MILLISECOND);
}

TEST(sleep, clock_is_monotonic)
{
	uint64_t last = heddle_clock();
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t now = heddle_clock();
		CHECK(now >= last);
		last = now;
	}
	task_sleep_until(last + MILLISECOND);
	CHECK(heddle_clock() > last);
}

static intptr_t sleep_often(size_t number, void *argument)
{
	uint64_t random = heddle_seed() + number * 7919 + 1;
	intptr_t early = 0;
	(void)argument;
	for (unsigned round = 0; round < 10; round++) {
		random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
		uint64_t deadline = heddle_clock() + (random >> 33) % (10 * MILLISECOND);
		task_sleep_until(deadline);
		early += heddle_clock() < deadline;
	}
	return early;
}

TEST(sleep, many_sleepers)
{
	for (int bound = 0; bound <= 1; bound++) {
		struct crew crew = {.function = sleep_often, .count = 100, .bound = bound};
		intptr_t early;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &early), HEDDLE_OK);
		CHECK_EQUAL(early, 0);
	}
}

/* Used on processor 0 only, so without atomics. */
#define SLEEPERS 20

struct order {
	unsigned arrived, woken;
	size_t numbers[SLEEPERS];
	uint64_t start; /* 0: not all have arrived yet */
};

/* The first one created sleeps longest. */
static intptr_t sleep_in_order(size_t number, void *argument)
{
	struct order *order = argument;
	if (++order->arrived == SLEEPERS)
		order->start = heddle_clock() + 50 * MILLISECOND; /* by then all are asleep */
	while (!order->start)
		task_yield();
	task_sleep_until(order->start + (SLEEPERS - number) * MILLISECOND);
	order->numbers[order->woken++] = number;
	return 0;
}

/* On one processor the sleepers wake in the order of their deadlines. */
TEST(sleep, order_of_deadlines)
{
	struct order order = {0};
	struct crew crew = {
	    .function = sleep_in_order, .argument = &order, .count = SLEEPERS, .bound = true, .processors = 1};
	intptr_t unused;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &unused), HEDDLE_OK);
	CHECK_EQUAL(order.woken, SLEEPERS);
	for (unsigned i = 0; i < SLEEPERS; i++)
		CHECK_EQUAL(order.numbers[i], SLEEPERS - 1 - i);
}

struct busy {
	atomic_bool over;
	atomic_uint home;  /* the processor that has the sleeper's timer */
	atomic_uint turns; /* of the busy tasks there, while it sleeps */
};

/* These give up: a sleep of a millisecond takes no more turns than thousands, whatever else the machine does meanwhile.
 * Seconds would not tell: an emulated processor at times gets no time for that long. */
enum { TURNS_MAXIMUM = 8000000 };

static bool has_patience(struct busy *busy)
{
	if (heddle_processor() != atomic_load_explicit(&busy->home, memory_order_relaxed))
		return true;
	return atomic_fetch_add_explicit(&busy->turns, 1, memory_order_relaxed) < TURNS_MAXIMUM;
}

static intptr_t yield_busily(size_t number, void *argument)
{
	struct busy *busy = argument;
	(void)number;
	while (!atomic_load_explicit(&busy->over, memory_order_relaxed) && has_patience(busy))
		task_yield();
	return 0;
}

/* Processors that are always busy still look at their sleepers. */
TEST(sleep, ends_while_others_are_busy)
{
	struct busy busy = {0};
	struct crew crew = {
	    .function = yield_busily, .argument = &busy, .count = 2 * heddle_processors(), .bound = true};
	intptr_t unused;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	bool in_time = true;
	for (unsigned i = 0; i < 5; i++) {
		atomic_store_explicit(&busy.home, heddle_processor(), memory_order_relaxed);
		atomic_store_explicit(&busy.turns, 0, memory_order_relaxed);
		task_sleep_until(heddle_clock() + MILLISECOND);
		in_time = in_time && atomic_load_explicit(&busy.turns, memory_order_relaxed) < TURNS_MAXIMUM;
	}
	atomic_store_explicit(&busy.over, true, memory_order_relaxed);
	CHECK_EQUAL(crew_join(&crew, &unused), HEDDLE_OK);
	CHECK(in_time);
}

struct night {
	atomic_bool asleep, awake;
	unsigned home;
};

static intptr_t sleep_shortly(void *argument)
{
	struct night *night = argument;
	night->home = heddle_processor();
	set_flag(&night->asleep);
	task_sleep_until(after(20));
	return set_flag(&night->awake);
}

/* Without checks, so its processor handles no deadline. Returns whether the other woke before it gave up. */
HEDDLE_UNCOOPERATIVE_FUNCTION static intptr_t compute_until_awake(void *argument)
{
	const struct night *night = argument;
	uint64_t end = after(10000);
	for (unsigned turn = 1; !is_set(&night->awake); turn++)
		if (turn % 65536 == 0 && heddle_clock() >= end)
			return false;
	return true;
}

/* The task's deadline belongs to a processor that computes, while another is idle. */
TEST(sleep, left_on_a_processor_that_computes)
{
	struct night night = {0};
	struct task *sleeper, *computes;
	intptr_t woken = false;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
	test_skip(test, "a sanitizer's own code cannot be told from ours, so tasks are not interrupted");
	return;
#endif
	if (processor_count < 2) {
		test_skip(test, "needs two processors");
		return;
	}
	CHECK_EQUAL(task_create(&sleeper, sleep_shortly, &night, NULL), HEDDLE_OK);
	while (!is_set(&night.asleep))
		task_yield();
	CHECK_EQUAL(
	    task_start(&computes, compute_until_awake, &night, 0, HEDDLE_PRIORITY_NORMAL, (int)night.home),
	    HEDDLE_OK);
	CHECK_EQUAL(task_join(computes, &woken), HEDDLE_OK);
	CHECK_EQUAL(task_join(sleeper, NULL), HEDDLE_OK);
	CHECK(woken);
}
