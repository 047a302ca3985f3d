/*
 * Stacks that grow by many megabytes, in small steps and in large ones.
 */
#include "user/test/large_stack.h"

#include "heddle/system.h"

static struct task_options growing(size_t size)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = "grows far";
	options.stack_size = size;
	return options;
}

static bool has_growth(struct test_state *test)
{
	if (!HEDDLE_TASK_GROWS)
		test_skip(test, "stacks are whole in this build");
	return HEDDLE_TASK_GROWS && has_memory(test);
}

TEST(large_growth, in_small_steps)
{
	if (!has_growth(test))
		return;
	CHECK(goes(VERY / 8 * 3, growing(VERY)));
	uint64_t free = memory_count(MEMORY_ANY_NODE).free;
	CHECK(ends(VERY, growing(LARGE)));
	CHECK(ends(LARGE, growing(0)));
	for (unsigned round = 0; round < 5; round++)
		CHECK(goes(VERY / 8 * 3, growing(VERY)));
	/* Other processors may have had to make some, too. */
	CHECK(memory_count(MEMORY_ANY_NODE).free + MIB * heddle_processors() >= free);
}

OUT_OF_LINE static bool use_frame(uint64_t seed)
{
	volatile uint64_t frame[3 * MIB / sizeof(uint64_t)];
	for (size_t i = 0; i < sizeof(frame) / sizeof(uint64_t); i += 512)
		frame[i] = seed + i;
	task_yield();
	return go_deep(64 * FRAME) == 64 && frame[0] == seed && frame[512] == seed + 512;
}

OUT_OF_LINE static bool use_arrays(size_t bytes)
{
	volatile uint8_t *first = __builtin_alloca(bytes), *second = __builtin_alloca(bytes / 2);
	first[0] = first[bytes - 1] = second[0] = second[bytes / 2 - 1] = 5;
	task_yield();
	return go_deep(64 * FRAME) == 64 && first[0] + first[bytes - 1] + second[bytes / 2 - 1] == 15;
}

static intptr_t use_frames(void *bytes)
{
	for (unsigned round = 0; round < 3; round++)
		if (!use_frame(round) || !use_arrays((size_t)bytes))
			return 0;
	return 1;
}

TEST(large_growth, frames_of_megabytes)
{
	struct task_options options = growing(VERY);
	intptr_t result;
	if (!has_growth(test))
		return;
	CHECK_EQUAL(run_task(use_frames, 5 * MIB, &options, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 1);
	options = growing(0);
	CHECK_EQUAL(run_task(use_frames, 5 * MIB, &options, &result), HEDDLE_TASK_FAULT);
}
