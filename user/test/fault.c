/*
 * A fault in a task's own code ends that task, its joiner is told, and the machine goes on. Each of these tests
 * leaves reports of its faults in the log.
 */
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/test.h"

/* The faults here are on purpose, so no sanitizer may report them first. */
#define FAULTS_ON_PURPOSE __attribute__((noinline, no_sanitize("address", "thread", "undefined")))

FAULTS_ON_PURPOSE static intptr_t write_to_nowhere(void *argument)
{
	*(volatile uint32_t *)argument = 1;
	return 0;
}

FAULTS_ON_PURPOSE static intptr_t run_into_trap(void *argument)
{
	(void)argument;
	__builtin_trap();
}

FAULTS_ON_PURPOSE static intptr_t divide_by_zero(void *argument)
{
	volatile intptr_t zero = (intptr_t)argument;
	return 1000 / zero;
}

static enum heddle_error ending_of(task_function function, void *argument)
{
	struct task *task;
	intptr_t result;
	enum heddle_error error = task_create(&task, function, argument, NULL);
	return error == HEDDLE_OK ? task_join(task, &result) : error;
}

TEST(fault, write_to_page_zero)
{
	CHECK_EQUAL(ending_of(write_to_nowhere, (void *)16), HEDDLE_TASK_FAULT);
}

/* A non-canonical address: a different kind of fault on some machines.
 */
TEST(fault, write_to_impossible_address)
{
	CHECK_EQUAL(ending_of(write_to_nowhere, (void *)0x1234567890abcde0), HEDDLE_TASK_FAULT);
}

TEST(fault, trap)
{
	CHECK_EQUAL(ending_of(run_into_trap, NULL), HEDDLE_TASK_FAULT);
}

TEST(fault, division_by_zero)
{
	CHECK_EQUAL(ending_of(divide_by_zero, NULL), HEDDLE_TASK_FAULT);
}

/* A jump through a bad pointer: the faulting address is not code. */
TEST(fault, jump_to_nowhere)
{
	task_function nowhere = (task_function)(uintptr_t)24;
	CHECK_EQUAL(ending_of(nowhere, NULL), HEDDLE_TASK_FAULT);
}

/* A joiner that already waits is woken by the fault. */
static intptr_t fault_later(void *argument)
{
	task_sleep_until(heddle_clock() + 2000000);
	return write_to_nowhere(argument);
}

TEST(fault, wakes_the_joiner)
{
	CHECK_EQUAL(ending_of(fault_later, (void *)16), HEDDLE_TASK_FAULT);
}

static intptr_t fault_if_odd(size_t number, void *argument)
{
	for (unsigned i = 0; i < 20; i++)
		task_yield();
	return number % 2 ? write_to_nowhere(argument) : 1;
}

/* On all processors some tasks fault and others do not. */
TEST(fault, ends_only_the_one)
{
	struct crew crew = {.function = fault_if_odd, .argument = (void *)16, .count = 8, .bound = true};
	intptr_t sum;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &sum), HEDDLE_TASK_FAULT);
	CHECK_EQUAL(sum, 4);
}

/* What a faulting task had is reused by later ones. */
TEST(fault, memory_is_reclaimed)
{
	for (unsigned i = 0; i < 10; i++)
		CHECK_EQUAL(ending_of(write_to_nowhere, (void *)16), HEDDLE_TASK_FAULT);
	CHECK_EQUAL(task_join(task_current(), NULL), HEDDLE_JOINED);
}
