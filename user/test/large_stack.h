/*
 * What the tests of stacks of many megabytes share; each is compiled for its kind of stack.
 */
#ifndef TEST_LARGE_STACK_H
#define TEST_LARGE_STACK_H

#include "heddle/task.h"
#include "kernel/memory.h"
#include "user/test/test.h"

#define OUT_OF_LINE __attribute__((noinline, noclone, no_sanitize("address", "thread", "undefined")))

#define MIB    ((size_t)1 << 20)
#define FRAME  4096
#define LARGE  (4 * MIB)
#define VERY   (64 * MIB)
#define NEEDED (4 * VERY) /* of the machine */

/* Uses more than so many bytes of stack, in frames of a little over FRAME bytes, and switches in some. Returns how many
 * frames there were and are as they were left. */
OUT_OF_LINE static uintptr_t go_deep(size_t bytes)
{
	volatile uint64_t frame[FRAME / sizeof(uint64_t)];
	uintptr_t below = 0;
	frame[0] = frame[FRAME / sizeof(uint64_t) - 1] = bytes;
	if (bytes / FRAME % 256 == 1)
		task_yield();
	if (bytes > FRAME)
		below = go_deep(bytes - FRAME);
	return below + (frame[0] == bytes && frame[FRAME / sizeof(uint64_t) - 1] == bytes);
}

static intptr_t go_to(void *bytes)
{
	return (intptr_t)go_deep((size_t)bytes);
}

__attribute__((unused)) static enum heddle_error
run_task(task_function function, size_t argument, const struct task_options *options, intptr_t *result)
{
	struct task *task;
	*result = 0;
	enum heddle_error error = task_create(&task, function, (void *)argument, options);
	return error == HEDDLE_OK ? task_join(task, result) : error;
}

__attribute__((unused)) static bool goes(size_t bytes, struct task_options options)
{
	intptr_t frames;
	return run_task(go_to, bytes, &options, &frames) == HEDDLE_OK && frames == (intptr_t)(bytes / FRAME);
}

__attribute__((unused)) static bool ends(size_t bytes, struct task_options options)
{
	intptr_t frames;
	return run_task(go_to, bytes, &options, &frames) == HEDDLE_TASK_FAULT;
}

__attribute__((unused)) static bool has_memory(struct test_state *test)
{
	bool enough = memory_count(MEMORY_ANY_NODE).free >= NEEDED;
	if (!enough)
		test_skip(test, "it needs 256 MiB of memory");
	return enough;
}

#endif
