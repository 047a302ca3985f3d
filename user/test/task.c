/*
 * Tasks are created as requested, run, and end.
 */
#include <stdatomic.h>
#include <string.h>

#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/test.h"

static intptr_t give_back_argument(void *argument)
{
	return (intptr_t)argument;
}

TEST(task, result_of_function)
{
	struct task *task;
	intptr_t result = 0;
	CHECK_EQUAL(task_create(&task, give_back_argument, (void *)1234, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 1234);
}

_Noreturn static void exit_from_deeper(intptr_t result)
{
	task_exit(result - 1);
}

static intptr_t exit_early(void *argument)
{
	exit_from_deeper((intptr_t)argument);
}

TEST(task, result_of_exit)
{
	struct task *task;
	intptr_t result = 0;
	CHECK_EQUAL(task_create(&task, exit_early, (void *)-5, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, &result), HEDDLE_OK);
	CHECK_EQUAL(result, -6);
}

static intptr_t give_back_current(void *argument)
{
	(void)argument;
	return (intptr_t)task_current();
}

TEST(task, current_is_the_created)
{
	struct task *task;
	intptr_t result = 0;
	CHECK_EQUAL(task_create(&task, give_back_current, NULL, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, &result), HEDDLE_OK);
	CHECK_EQUAL(result, task);
	CHECK(task_current() != task);
}

static intptr_t name_is(void *argument)
{
	return strcmp(task_name(task_current()), argument) == 0;
}

TEST(task, names)
{
	static const char *const given[] = {"weaver", "", "a name of more than twenty-three letters", NULL};
	static const char *const expected[] = {"weaver", "", "a name of more than twe", "task"};
	for (unsigned i = 0; i < 4; i++) {
		struct task_options options = HEDDLE_TASK_OPTIONS;
		struct task *task;
		intptr_t result = 0;
		options.name = given[i];
		CHECK_EQUAL(task_create(&task, name_is, (void *)expected[i], &options), HEDDLE_OK);
		CHECK_EQUAL(task_join(task, &result), HEDDLE_OK);
		CHECK(result);
	}
}

static enum heddle_error create_with(enum heddle_priority priority, size_t stack_size, int processor)
{
	struct task_options options = {.priority = priority,
	                               .stack = HEDDLE_TASK_STACK_WHOLE,
	                               .stack_size = stack_size,
	                               .bound = processor != HEDDLE_TASK_ANY_PROCESSOR,
	                               .processor = processor};
	struct task *task;
	enum heddle_error error = task_create(&task, give_back_argument, NULL, &options);
	return error == HEDDLE_OK ? task_join(task, NULL) : error;
}

TEST(task, options_at_their_limits)
{
	int last = (int)heddle_processors() - 1;
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_IDLE, HEDDLE_TASK_STACK_MINIMUM, 0), HEDDLE_OK);
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_REALTIME, HEDDLE_TASK_STACK_GROWTH, last), HEDDLE_OK);
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_NORMAL, 1, HEDDLE_TASK_ANY_PROCESSOR), HEDDLE_OK);
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_STACK_MINIMUM + 1, HEDDLE_TASK_ANY_PROCESSOR),
	            HEDDLE_OK);
}

TEST(task, bad_arguments)
{
	struct task_options attached = HEDDLE_TASK_OPTIONS;
	struct task *task;
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_END, 0, HEDDLE_TASK_ANY_PROCESSOR), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(create_with((enum heddle_priority)1000, 0, HEDDLE_TASK_ANY_PROCESSOR), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_IDLE - 1, 0, HEDDLE_TASK_ANY_PROCESSOR), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_NORMAL, HEDDLE_TASK_STACK_MAXIMUM + 1, HEDDLE_TASK_ANY_PROCESSOR),
	            HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_NORMAL, SIZE_MAX, HEDDLE_TASK_ANY_PROCESSOR),
	            HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_NORMAL, 0, (int)heddle_processors()), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(create_with(HEDDLE_PRIORITY_NORMAL, 0, -2), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(task_create(&task, NULL, NULL, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(task_create(NULL, give_back_argument, NULL, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(task_create(NULL, give_back_argument, NULL, &attached), HEDDLE_BAD_ARGUMENT);
}

TEST(task, errors_have_texts)
{
	for (int error = HEDDLE_OK; error <= HEDDLE_STOPPED + 1; error++) {
		const char *text = heddle_error_text((enum heddle_error)error);
		CHECK(text && text[0]);
	}
}

#define MANY 300

static intptr_t give_back_number(size_t number, void *argument)
{
	(void)argument;
	task_yield();
	return (intptr_t)number;
}

TEST(task, many_at_once)
{
	for (int bound = 0; bound <= 1; bound++) {
		struct crew crew = {.function = give_back_number, .count = MANY, .stack_size = 8192, .bound = bound};
		intptr_t sum;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &sum), HEDDLE_OK);
		CHECK_EQUAL(sum, (intptr_t)MANY * (MANY - 1) / 2);
	}
}

/* Its last access to what belongs to the waiter, which goes on at 0 and may end before this task does. */
static intptr_t count_down(void *left)
{
	/* release: pairs with the waiter's acquire of 0 */
	atomic_fetch_sub_explicit((_Atomic unsigned *)left, 1, memory_order_release);
	return 0;
}

TEST(task, detached_from_the_start)
{
	_Atomic unsigned left = MANY;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	unsigned failures = 0;
	options.detached = true;
	for (unsigned i = 0; i < MANY; i++) {
		if (task_create(NULL, count_down, &left, &options) != HEDDLE_OK) {
			failures++;
			atomic_fetch_sub_explicit(&left, 1, memory_order_release);
		}
	}
	/* acquire: pairs with the decrements */
	while (atomic_load_explicit(&left, memory_order_acquire) != 0)
		task_yield();
	CHECK_EQUAL(failures, 0);
}

/* A tree of tasks: each creates two, down to the given depth, and joins them; returns how many there were. */
static intptr_t grow_tree(void *argument)
{
	intptr_t depth = (intptr_t)argument, count = 1;
	struct task *branches[2];
	if (depth == 0)
		return 1;
	for (unsigned i = 0; i < 2; i++)
		if (task_create(&branches[i], grow_tree, (void *)(depth - 1), NULL) != HEDDLE_OK)
			return -1; /* the count is then wrong, and the test fails */
	for (unsigned i = 0; i < 2; i++) {
		intptr_t below = 0;
		task_join(branches[i], &below);
		count += below;
	}
	return count;
}

TEST(task, tree_of_tasks)
{
	CHECK_EQUAL(grow_tree((void *)9), (1 << 10) - 1);
}

/* Zeroed options are the usual task; what only half says where it is to run is refused. */
TEST(task, zeroed_options)
{
	struct task_options options = {0};
	struct task *task;
	intptr_t result = 0;
	CHECK_EQUAL(task_create(&task, give_back_argument, (void *)42, &options), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, &result), HEDDLE_OK);
	CHECK_EQUAL(result, 42);
	options.processor = 1;
	CHECK_EQUAL(task_create(&task, give_back_argument, NULL, &options), HEDDLE_BAD_ARGUMENT);
}

static intptr_t address_of_local(void *unused)
{
	char here;
	(void)unused;
	return (intptr_t)&here;
}

static bool lies_in(intptr_t address, const char *memory, size_t size)
{
	return (uintptr_t)address - (uintptr_t)memory < size;
}

TEST(task, stacks_of_the_caller)
{
	static char memory[2][16384 + 1];
	struct task *tasks[2];
	for (unsigned round = 0; round < 3; round++) {
		for (unsigned i = 0; i < 2; i++) {
			struct task_options options = {.stack_memory = memory[i] + 1,
			                               .stack_size = sizeof(memory[i]) - 1};
			CHECK_EQUAL(task_create(&tasks[i], address_of_local, NULL, &options), HEDDLE_OK);
		}
		for (unsigned i = 0; i < 2; i++) {
			intptr_t address = 0;
			CHECK_EQUAL(task_join(tasks[i], &address), HEDDLE_OK);
			CHECK(lies_in(address, memory[i], sizeof(memory[i])));
		}
	}
	struct task_options small = {.stack_memory = memory[0], .stack_size = HEDDLE_TASK_STACK_MINIMUM - 1};
	CHECK_EQUAL(task_create(&tasks[0], address_of_local, NULL, &small), HEDDLE_BAD_ARGUMENT);
}
