/*
 * Protection of memory: code and constants cannot be written, data and stacks cannot be executed. Each of these tests
 * leaves a report of its fault in the log.
 */
#include <string.h>

#include "heddle/task.h"
#include "user/test/test.h"

/* The faults here are on purpose, so no sanitizer may report them first. */
#define FAULTS_ON_PURPOSE __attribute__((noinline, no_sanitize("address", "thread", "undefined")))

#define CODE_BYTES 64 /* more than harmless() needs */

static const uint8_t constant = 7;
static uint8_t data[CODE_BYTES];

static enum heddle_error ending_of(task_function function, void *argument)
{
	struct task *task;
	enum heddle_error error = task_create(&task, function, argument, NULL);
	return error == HEDDLE_OK ? task_join(task, NULL) : error;
}

FAULTS_ON_PURPOSE static intptr_t harmless(void *argument)
{
	return (intptr_t)argument;
}

/* Write the value that is already there, in case the write succeeds. */
FAULTS_ON_PURPOSE static intptr_t write_to(void *argument)
{
	volatile uint8_t *byte = argument;
	*byte = *byte;
	return 0;
}

FAULTS_ON_PURPOSE static intptr_t run_on_stack(void *argument)
{
	uint8_t code[CODE_BYTES];
	memcpy(code, (const void *)(uintptr_t)harmless, sizeof(code));
	task_function copy = (task_function)(uintptr_t)code;
	return copy(argument);
}

TEST(protection, harmless_code_is_harmless)
{
	CHECK_EQUAL(ending_of(harmless, NULL), HEDDLE_OK);
	CHECK_EQUAL(ending_of(write_to, data), HEDDLE_OK);
}

TEST(protection, constants_are_not_written)
{
	CHECK_EQUAL(ending_of(write_to, (void *)(uintptr_t)&constant), HEDDLE_TASK_FAULT);
}

TEST(protection, code_is_not_written)
{
	CHECK_EQUAL(ending_of(write_to, (void *)(uintptr_t)harmless), HEDDLE_TASK_FAULT);
}

TEST(protection, data_is_not_executed)
{
	memcpy(data, (const void *)(uintptr_t)harmless, sizeof(data));
	CHECK_EQUAL(ending_of((task_function)(uintptr_t)data, NULL), HEDDLE_TASK_FAULT);
}

TEST(protection, stacks_are_not_executed)
{
	CHECK_EQUAL(ending_of(run_on_stack, NULL), HEDDLE_TASK_FAULT);
}
