/*
 * Stacks: the requested size is there, and an overflow is caught.
 */
#include "heddle/system.h"
#include "heddle/task.h"
#include "sched/task.h"
#include "user/test/test.h"

/* Uses more than `bytes` of stack, in frames of a little over 256 bytes. */
__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) static unsigned go_deep(size_t bytes)
{
	volatile unsigned char frame[256];
	unsigned sum = 0;
	for (unsigned i = 0; i < sizeof(frame); i++)
		frame[i] = (unsigned char)i;
	if (bytes > sizeof(frame))
		sum = go_deep(bytes - sizeof(frame));
	return sum + frame[sum % sizeof(frame)] + 1;
}

static intptr_t use_stack(void *argument)
{
	return go_deep((size_t)argument) > 0;
}

static enum heddle_error run_with_stack(size_t stack_size, size_t used)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	options.name = "deep";
	options.stack_size = stack_size;
	enum heddle_error error = task_create(&task, use_stack, (void *)used, &options);
	return error == HEDDLE_OK ? task_join(task, NULL) : error;
}

TEST(stack, half_of_it_is_there)
{
	for (size_t size = HEDDLE_TASK_STACK_MINIMUM * 2; size <= HEDDLE_TASK_STACK_GROWTH; size *= 2)
		CHECK_EQUAL(run_with_stack(size, size / 2), HEDDLE_OK);
}

static intptr_t is_guarded(void *argument)
{
	(void)argument;
	return task_current()->guarded;
}

static bool stacks_are_guarded(size_t stack_size)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	intptr_t guarded = 0;
	options.stack_size = stack_size;
	return task_create(&task, is_guarded, NULL, &options) == HEDDLE_OK &&
	       task_join(task, &guarded) == HEDDLE_OK && guarded;
}

__attribute__((no_sanitize("address"))) static intptr_t use_last_word(void *argument)
{
	(void)argument;
	*(volatile uint64_t *)task_current()->context.stack_low = 0;
	for (unsigned i = 0; i < 10; i++) {
		task_yield();
		task_sleep_until(heddle_clock() + 1000);
	}
	return 0;
}

/* Whether the machine guards stacks; else the test is skipped. */
static bool has_guards(struct test_state *test)
{
	if (arch_stack_guard == 0)
		test_skip(test, "this machine has no guards below stacks");
	return arch_stack_guard > 0;
}

TEST(stack, may_be_used_to_its_last_word)
{
	if (!has_guards(test))
		return;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	options.stack_size = HEDDLE_TASK_STACK_MINIMUM;
	CHECK(stacks_are_guarded(options.stack_size));
	CHECK_EQUAL(task_create(&task, use_last_word, NULL, &options), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, NULL), HEDDLE_OK);
	CHECK_EQUAL(run_with_stack(options.stack_size, options.stack_size / 2), HEDDLE_OK);
}

/* A test can rely on it: hosted, only the first 16,000 or so have a guard. */
TEST(stack, overflow_ends_the_task)
{
	if (!has_guards(test))
		return;
	for (size_t size = HEDDLE_TASK_STACK_MINIMUM; size <= HEDDLE_TASK_STACK_GROWTH; size *= 4) {
		CHECK(stacks_are_guarded(size));
		for (unsigned round = 0; round < 3; round++)
			CHECK_EQUAL(run_with_stack(size, size * 4), HEDDLE_TASK_FAULT);
		CHECK_EQUAL(run_with_stack(size, size / 2), HEDDLE_OK);
	}
}
