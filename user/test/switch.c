/*
 * A switch keeps a task's values, its stack and its turn.
 */
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/test.h"

TEST(switch, yield_alone_returns)
{
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	for (unsigned i = 0; i < 1000; i++)
		task_yield();
}

/* Used on processor 0 only, so without atomics. */
struct turns {
	unsigned running;
	unsigned taken[2];
	unsigned uneven; /* how often the two were more than a turn apart */
	unsigned rounds;
};

static intptr_t take_turns(size_t number, void *argument)
{
	struct turns *turns = argument;
	turns->running++;
	while (turns->running < 2)
		task_yield();
	for (unsigned round = 0; round < turns->rounds; round++) {
		unsigned own = ++turns->taken[number], other = turns->taken[1 - number];
		if (own > other + 2)
			turns->uneven++;
		task_yield();
	}
	return 0;
}

/* Two tasks of one processor alternate when they yield. */
TEST(switch, yield_takes_turns)
{
	struct turns turns = {.rounds = 5000};
	struct crew crew = {
	    .function = take_turns, .argument = &turns, .count = 2, .bound = true, .processors = 1};
	intptr_t unused;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &unused), HEDDLE_OK);
	CHECK_EQUAL(turns.taken[0], turns.rounds);
	CHECK_EQUAL(turns.taken[1], turns.rounds);
	CHECK_EQUAL(turns.uneven, 0);
}

/* More values than there are registers, all live across every switch, integers and doubles; returns a number that
 * depends on each of them. */
static uint64_t mix_values(uint64_t seed, unsigned rounds, bool yields)
{
	uint64_t a = seed, b = seed * 3, c = seed * 5, d = seed * 7, e = seed * 11, f = seed * 13, g = seed * 17;
	double p = 1, q = 2 + (double)(seed % 100), r = 3, s = 0.5, t = 0;
	for (unsigned round = 0; round < rounds; round++) {
		a = a * UINT64_C(6364136223846793005) + g;
		b ^= a >> 7, c += b, d ^= c << 3, e += d, f ^= e >> 11, g += f;
		p += q * 0.125, q = q * 0.5 + r, r = r * 0.25 + s, s = s * 0.5 + 1, t += p;
		if (yields)
			task_yield();
	}
	return a ^ b ^ c ^ d ^ e ^ f ^ g ^ (uint64_t)(t * 1024) ^ (uint64_t)(p + q + r + s);
}

static intptr_t mix_both_ways(size_t number, void *argument)
{
	(void)argument;
	return mix_values(number + 1, 500, true) == mix_values(number + 1, 500, false);
}

TEST(switch, values_are_kept)
{
	struct crew crew = {.function = mix_both_ways, .count = heddle_processors() + 8};
	intptr_t right;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &right), HEDDLE_OK);
	CHECK_EQUAL(right, crew.count);
}

/* Fill a good part of the stack, let others run, and check that it is unchanged. */
static intptr_t keep_stack(size_t number, void *argument)
{
	volatile uint32_t words[512];
	(void)argument;
	for (unsigned round = 0; round < 20; round++) {
		for (unsigned i = 0; i < 512; i++)
			words[i] = (uint32_t)(number * 1000003 + round * 521 + i);
		task_yield();
		for (unsigned i = 0; i < 512; i++)
			if (words[i] != (uint32_t)(number * 1000003 + round * 521 + i))
				return 0;
	}
	return 1;
}

TEST(switch, stacks_are_apart)
{
	struct crew crew = {.function = keep_stack, .count = heddle_processors() + 32};
	intptr_t right;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &right), HEDDLE_OK);
	CHECK_EQUAL(right, crew.count);
}

static intptr_t count_yields(size_t number, void *argument)
{
	uint64_t rounds = *(const uint64_t *)argument, done = 0;
	(void)number;
	for (; done < rounds; done++)
		task_yield();
	return (intptr_t)done;
}

/* Many tasks on all processors, bound and not, that only switch. */
TEST(switch, storm)
{
	uint64_t rounds = 100000 / (heddle_processors() + 10);
	for (int bound = 0; bound <= 1; bound++) {
		struct crew crew = {.function = count_yields,
		                    .argument = &rounds,
		                    .count = 2 * heddle_processors() + 10,
		                    .bound = bound};
		intptr_t yields;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &yields), HEDDLE_OK);
		CHECK_EQUAL(yields, crew.count * rounds);
	}
}
