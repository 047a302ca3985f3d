/*
 * Stacks that grow: a function's arguments and results survive when it runs on another piece of stack. A stack that
 * may not grow further ends only its task, and all pieces are given back.
 */
#include <stdarg.h>

#include "heddle/barrier.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "kernel/command_line.h"
#include "kernel/memory.h"
#include "kernel/pool.h"
#include "sched/task.h"
#include "user/test/cache_sets.h"
#include "user/test/test.h"

#define OUT_OF_LINE __attribute__((noinline, noclone, no_sanitize("address", "thread", "undefined")))

struct large {
	uint64_t words[20];
};

/* At each depth another function is the first that does not fit. */
#define DEPTHS 60

OUT_OF_LINE static struct large take_many(int a, int b, int c, int d, int e, int f, int g, struct large large,
                                          long double h)
{
	volatile uint8_t frame[300];
	frame[a] = 1;
	large.words[0] += (uint64_t)(a + b + c + d + e + f + g + (int)h) + frame[a];
	return large;
}

OUT_OF_LINE static double sum_of(unsigned count, ...)
{
	volatile uint8_t frame[200];
	va_list arguments;
	double sum = 0;
	frame[count] = 0;
	va_start(arguments, count);
	for (unsigned i = 0; i < count; i++)
		sum += va_arg(arguments, double);
	va_end(arguments);
	return sum + frame[count];
}

OUT_OF_LINE static uint64_t use_large_frame(uint64_t seed)
{
	volatile uint64_t frame[3000];
	for (unsigned i = 0; i < 3000; i++)
		frame[i] = seed + i;
	return frame[2999] - frame[0];
}

OUT_OF_LINE static uint64_t use_allocated(size_t bytes)
{
	volatile uint8_t *memory = __builtin_alloca(bytes);
	for (size_t i = 0; i < bytes; i++)
		memory[i] = (uint8_t)i;
	return memory[bytes - 1];
}

static intptr_t use_allocated_often(void *bytes)
{
	uintptr_t sum = 0;
	for (unsigned i = 0; i < 2000; i++)
		sum += use_allocated((size_t)bytes) == (uint8_t)((size_t)bytes - 1);
	return (intptr_t)sum;
}

struct huge {
	uint8_t bytes[1500];
};

/* The argument is pushed, and is not part of any frame. */
OUT_OF_LINE static unsigned take_huge(unsigned at, struct huge huge)
{
	return huge.bytes[at] + huge.bytes[1499];
}

OUT_OF_LINE static unsigned give_huge(const struct huge *huge)
{
	return take_huge(1, *huge) + take_huge(2, *huge);
}

OUT_OF_LINE static bool call_all(void)
{
	struct large large = {{5, 6}};
	static const struct huge huge = {.bytes = {[1] = 10, [2] = 20, [1499] = 5}};
	struct large result = take_many(1, 2, 3, 4, 5, 6, 7, large, 8.0L);
	return give_huge(&huge) == 40 && result.words[0] == 42 && result.words[1] == 6 &&
	       sum_of(5, 1.0, 2.0, 3.0, 4.0, 5.5) == 15.5 && use_large_frame(7) == 2999 &&
	       use_allocated(5000) == (uint8_t)4999;
}

/* Each level takes some 70 bytes. */
OUT_OF_LINE static bool call_at_depth(unsigned depth)
{
	volatile uint64_t frame[5] = {depth};
	bool ok = depth == 0 ? call_all() : call_at_depth(depth - 1);
	return ok && frame[0] == depth;
}

static intptr_t call_at_each_depth(void *argument)
{
	bool ok = true;
	(void)argument;
	for (unsigned depth = 0; depth < DEPTHS; depth++)
		ok &= call_at_depth(depth);
	return ok;
}

static enum heddle_error run_bound(bool bound, task_function function, void *argument, size_t stack_size,
                                   intptr_t *result)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	options.name = "grows";
	options.stack_size = stack_size;
	options.bound = bound;
	*result = 0;
	enum heddle_error error = task_create(&task, function, argument, &options);
	return error == HEDDLE_OK ? task_join(task, result) : error;
}

static enum heddle_error run_task(task_function function, void *argument, size_t stack_size, intptr_t *result)
{
	return run_bound(false, function, argument, stack_size, result);
}

/* What is in use, and what is free. All is taken and given back on one processor, since how much each of several keeps
 * at hand is a matter of chance. */
struct memory {
	uint64_t used, free;
};

static struct memory memory_begin(void)
{
	task_bind(0);
	return (struct memory){pool_total().used, memory_count(MEMORY_ANY_NODE).free};
}

/* Whether all was given back. Less may be in use: another processor has given back a timer that it held. */
static bool memory_is_back(struct memory before)
{
	bool back = pool_total().used <= before.used &&
	            memory_count(MEMORY_ANY_NODE).free + ((uint64_t)2 << 20) * heddle_processors() >= before.free;
	return task_bind(HEDDLE_TASK_ANY_PROCESSOR) == HEDDLE_OK && back;
}

TEST(growth, keeps_arguments_and_results)
{
	intptr_t result;
	CHECK_EQUAL(run_task(call_at_each_depth, NULL, HEDDLE_TASK_STACK_GROWTH, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 1);
}

/* At one depth again and again: each call gets what the previous one had. */
TEST(growth, gives_back_what_was_allocated)
{
	intptr_t result;
	CHECK_EQUAL(run_task(use_allocated_often, (void *)1000, HEDDLE_TASK_STACK_GROWTH, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 2000);
}

OUT_OF_LINE static uintptr_t recur(uintptr_t depth)
{
	volatile uintptr_t here = depth;
	if (depth % 64 == 1)
		task_yield();
	return depth == 0 ? 0 : recur(depth - 1) + (here != 0);
}

static intptr_t recur_to(void *depth)
{
	return (intptr_t)recur((uintptr_t)depth);
}

TEST(growth, deep_recursion_with_switches)
{
	intptr_t result;
	CHECK_EQUAL(run_task(recur_to, (void *)4000, HEDDLE_TASK_STACK_GROWTH, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 4000);
}

/* A switch at a check, far from any call, with live registers of all kinds. */
static intptr_t count_for_long(void *argument)
{
	double sum = 0, step = (double)(uintptr_t)argument;
	for (uint64_t i = 0; i < 300000; i++)
		sum += step;
	return (intptr_t)sum;
}

TEST(growth, switches_at_checks)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *tasks[20];
	options.quantum = 1000;
	for (unsigned i = 0; i < 20; i++)
		CHECK_EQUAL(task_create(&tasks[i], count_for_long, (void *)(uintptr_t)(i + 1), &options), HEDDLE_OK);
	for (unsigned i = 0; i < 20; i++) {
		intptr_t result = 0;
		CHECK_EQUAL(task_join(tasks[i], &result), HEDDLE_OK);
		CHECK_EQUAL(result, (intptr_t)300000 * (i + 1));
	}
}

OUT_OF_LINE static void jump_from(unsigned depth, void **place)
{
	volatile uint8_t *memory = __builtin_alloca(60 + depth * 4);
	memory[depth] = 1;
	if (depth == 0)
		__builtin_longjmp(place, 1);
	jump_from(depth - 1, place);
	memory[0]++;
}

OUT_OF_LINE static bool jump_back(unsigned depth, void **place)
{
	if (__builtin_setjmp(place))
		return true;
	jump_from(depth, place);
	return false;
}

static intptr_t jump_often(void *depth)
{
	void *place[5];
	const struct task *task = task_current();
	const uint32_t grown = task->stack_grown; /* this function may be on a further piece */
	for (unsigned round = 0; round < 1000; round++)
		if (!jump_back(round % 100, place) || task->stack_grown != grown)
			return 0;
	return (intptr_t)recur((uintptr_t)depth);
}

TEST(growth, jumps_out_of_pieces)
{
	intptr_t result;
	if (!HEDDLE_TASK_GROWS) {
		test_skip(test, "stacks are whole in this build");
		return;
	}
	CHECK_EQUAL(run_task(jump_often, (void *)20, HEDDLE_TASK_STACK_GROWTH, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 20);
	struct memory before = memory_begin();
	for (unsigned round = 0; round < 10; round++)
		CHECK_EQUAL(run_bound(true, jump_often, (void *)UINTPTR_MAX, HEDDLE_TASK_STACK_GROWTH, &result),
		            HEDDLE_TASK_FAULT);
	CHECK(memory_is_back(before));
}

/* Only whole stacks have a guard page for this, if any have. */
TEST(growth, endless_recursion_ends_one_task)
{
	intptr_t result;
	if (!HEDDLE_TASK_GROWS) {
		test_skip(test, "stacks are whole in this build");
		return;
	}
	for (unsigned round = 0; round < 3; round++) {
		CHECK_EQUAL(run_task(recur_to, (void *)UINTPTR_MAX, 16384, &result), HEDDLE_TASK_FAULT);
		CHECK_EQUAL(run_task(recur_to, (void *)20, 0, &result), HEDDLE_OK);
		CHECK_EQUAL(result, 20);
	}
}

TEST(growth, gives_all_memory_back)
{
	intptr_t result;
	CHECK_EQUAL(run_task(recur_to, (void *)4000, HEDDLE_TASK_STACK_GROWTH, &result), HEDDLE_OK);
	struct memory before = memory_begin();
	for (unsigned round = 0; round < 200; round++)
		run_bound(true, recur_to, (void *)(uintptr_t)(round * 20), HEDDLE_TASK_STACK_GROWTH, &result);
	CHECK(memory_is_back(before));
}

/* ----------------------------------------------------------------------------------------- crossings -- */

#define CALLS 100

OUT_OF_LINE static bool crosses(uint32_t grown)
{
	volatile uint8_t frame[200];
	frame[grown % 200] = 0;
	return task_current()->stack_grown + frame[grown % 200] != grown;
}

/* So deep, how many of some calls go to another piece; not from the first one. */
OUT_OF_LINE static unsigned crossings_at(unsigned depth, unsigned calls)
{
	volatile uint64_t frame[5] = {depth};
	unsigned crossed = 0;
	if (depth > 0)
		return crossings_at(depth - 1, calls) + (unsigned)(frame[0] - depth);
	uint32_t grown = task_current()->stack_grown;
	for (unsigned i = 0; i < calls && grown > 0; i++)
		crossed += crosses(grown);
	return crossed + (unsigned)frame[0];
}

OUT_OF_LINE static bool grow_by(uint32_t bytes)
{
	volatile uint64_t frame[5] = {bytes};
	return task_current()->stack_grown >= bytes || (grow_by(bytes) && frame[0] == bytes);
}

static intptr_t cross_often(void *bytes)
{
	unsigned depth = 0;
	while (depth < DEPTHS && crossings_at(depth, 1) == 0)
		depth++;
	return crossings_at(depth, CALLS) == CALLS && crossings_at(depth, CALLS) == 0 &&
	       grow_by((uint32_t)(uintptr_t)bytes);
}

TEST(growth, leaves_an_end_that_is_often_crossed)
{
	intptr_t result;
	if (!HEDDLE_TASK_GROWS) {
		test_skip(test, "stacks are whole in this build");
		return;
	}
	CHECK_EQUAL(run_task(cross_often, (void *)30000, HEDDLE_TASK_STACK_GROWTH, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 1);
	/* There is room for one larger piece, and behind that only for a small one. */
	CHECK_EQUAL(run_task(cross_often, (void *)5000, 6144, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 1);
}

/* ------------------------------------------------------------------------------------------- colours -- */

#define COLOURED 32

struct colours {
	struct barrier all;
	uintptr_t first[COLOURED], second[COLOURED]; /* addresses in the first frame on each piece */
};

struct coloured {
	struct colours *colours;
	unsigned number;
};

OUT_OF_LINE static intptr_t tell_second(struct coloured *coloured)
{
	volatile uint8_t frame[600];
	frame[0] = 1;
	coloured->colours->second[coloured->number] = (uintptr_t)__builtin_frame_address(0);
	return barrier_wait(&coloured->colours->all, NULL) + frame[0];
}

static intptr_t tell_pieces(void *argument)
{
	struct coloured *coloured = argument;
	coloured->colours->first[coloured->number] = (uintptr_t)__builtin_frame_address(0);
	return tell_second(coloured);
}

/* All exist at the same time, so each has its own pieces. Frames are aligned like those of the previous piece, so
 * without colours they would begin in few sets. */
TEST(growth, pieces_begin_in_different_sets)
{
	struct colours colours = {.all = HEDDLE_BARRIER_INITIALIZER(COLOURED)};
	struct coloured coloured[COLOURED];
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *tasks[COLOURED];
	if (!HEDDLE_TASK_GROWS) {
		test_skip(test, "stacks are whole in this build");
		return;
	}
	for (unsigned i = 0; i < COLOURED; i++) {
		coloured[i] = (struct coloured){&colours, i};
		CHECK_EQUAL(task_create(&tasks[i], tell_pieces, &coloured[i], &options), HEDDLE_OK);
	}
	for (unsigned i = 0; i < COLOURED; i++) {
		intptr_t result;
		CHECK_EQUAL(task_join(tasks[i], &result), HEDDLE_OK);
	}
	CHECK(cache_sets_count(colours.first, COLOURED) >= 12);
	if (command_line.colour)
		CHECK(cache_sets_count(colours.second, COLOURED) >= 12);
	else
		CHECK(cache_sets_count(colours.second, COLOURED) <= 6);
}
