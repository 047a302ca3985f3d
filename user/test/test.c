/*
 * The runner: `run=test` runs all tests one after the other, `run=test,only=N` runs test number N, and prints a KTAP
 * report. Each test is a separate task, so a fault ends only that test.
 */
#include <string.h>

#include "user/test/test.h"

#include "heddle/program.h"
#include "heddle/system.h"
#include "heddle/task.h"

#define TEST_STACK_SIZE ((size_t)65536)
#define SLOW_TEST       UINT64_C(1000000000) /* nanoseconds; the time of a slower test is printed */

struct test_state {
	const struct test *test;
	bool failed;
	const char *skip_reason; /* NULL: not skipped */
};

struct test_counts {
	unsigned passed, failed, skipped;
};

extern const struct test *const __start_heddle_tests[];
extern const struct test *const __stop_heddle_tests[];

void test_skip(struct test_state *test, const char *reason)
{
	test->skip_reason = reason;
}

void test_failed(struct test_state *test, const char *file, int line, const char *what, uint64_t actual,
                 uint64_t expected)
{
	test->failed = true;
	heddle_print("# %s:%d: check failed: %s (got %lu, expected %lu)", file, line, what, actual, expected);
}

static bool test_before(const struct test *first, const struct test *second)
{
	int order = strcmp(first->suite, second->suite);
	return order < 0 || (order == 0 && strcmp(first->name, second->name) < 0);
}

/* By suite, then name, so that numbers do not depend on the link order. */
static void tests_sort(const struct test **tests, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct test *test = __start_heddle_tests[i];
		size_t place = i;
		for (; place > 0 && test_before(test, tests[place - 1]); place--)
			tests[place] = tests[place - 1];
		tests[place] = test;
	}
}

static intptr_t test_task(void *argument)
{
	struct test_state *state = argument;
	state->test->run(state);
	return 0;
}

/* Run it in a separate task, and wait for that. */
static void test_execute(struct test_state *state)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	options.name = state->test->name;
	options.stack_size = TEST_STACK_SIZE;
	enum heddle_error error = task_create(&task, test_task, state, &options);
	if (error == HEDDLE_OK)
		error = task_join(task, NULL);
	if (error != HEDDLE_OK) {
		state->failed = true;
		heddle_print("# the test's task: %s", heddle_error_text(error));
	}
}

static void test_report(const struct test_state *state, unsigned number, struct test_counts *counts)
{
	const struct test *test = state->test;
	if (state->failed) {
		counts->failed++;
		heddle_print("not ok %u %s.%s", number, test->suite, test->name);
	} else if (state->skip_reason) {
		counts->skipped++;
		heddle_print("ok %u %s.%s # SKIP %s", number, test->suite, test->name, state->skip_reason);
	} else {
		counts->passed++;
		heddle_print("ok %u %s.%s", number, test->suite, test->name);
	}
}

/* Run `count` tests; `first` is the number of the first one, for the log. */
static struct test_counts tests_run(const struct test **tests, unsigned count, unsigned first)
{
	struct test_counts counts = {0};
	heddle_print("KTAP version 1");
	heddle_print("1..%u", count);
	for (unsigned i = 0; i < count; i++) {
		struct test_state state = {.test = tests[i]};
		heddle_log("test %u: %s.%s", first + i, tests[i]->suite, tests[i]->name);
		uint64_t start = heddle_clock();
		test_execute(&state);
		uint64_t duration = heddle_clock() - start;
		if (duration >= SLOW_TEST)
			heddle_print("# %s.%s took %lu ms", tests[i]->suite, tests[i]->name, duration / 1000000);
		test_report(&state, i + 1, &counts);
	}
	heddle_print("# passed %u failed %u skipped %u", counts.passed, counts.failed, counts.skipped);
	return counts;
}

static bool run(struct program_run *run)
{
	size_t count = (size_t)(__stop_heddle_tests - __start_heddle_tests);
	uint64_t only = program_value(run, "only");
	if (only > count)
		return program_failed(run, "only=%lu: there are %zu tests; allowed are 1 to %zu, and 0 for all", only,
		                      count, count);
	const struct test **tests = heddle_allocate(count * sizeof(*tests));
	if (!tests)
		return program_failed(run, "no memory for the list of %zu tests", count);
	tests_sort(tests, count);
	struct test_counts counts =
	    only ? tests_run(tests + only - 1, 1, (unsigned)only) : tests_run(tests, (unsigned)count, 1);
	heddle_free(tests, count * sizeof(*tests));
	return counts.failed == 0;
}

static const struct program_parameter parameters[] = {
    {"only", 0, 0, 10000, "the number of the one test to run; 0: all of them"}, {0}};

HEDDLE_PROGRAM(test, "the tests, with a KTAP report", parameters, run);
