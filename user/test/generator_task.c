/*
 * Generators and the task that they run in: switches inside them, ends, faults, misuse.
 */
#include "heddle/generator.h"

#include <stdatomic.h>

#include "heddle/mutex.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "user/crew.h"
#include "user/test/generator.h"
#include "user/test/quantum.h"
#include "user/test/test.h"

#define SECOND UINT64_C(1000000000)

/* ------------------------------------------------------------------------------------------- switches -- */

/* Also before its first value and after its last. */
static void yield_and_let_others_run(struct generator_body *self, void *last)
{
	task_yield();
	for (intptr_t i = 1; i <= (intptr_t)last; i++) {
		generator_yield(self, i);
		task_yield();
	}
}

#define VALUES 200

static intptr_t add_up(size_t number, void *argument)
{
	char stack[HEDDLE_GENERATOR_STACK_DEFAULT];
	(void)argument;
	return (intptr_t)(number % 2 ? sum_of(stack, sizeof(stack), yield_and_let_others_run, (void *)VALUES)
	                             : sum_of(NULL, 0, yield_and_let_others_run, (void *)VALUES));
}

/* More tasks than processors: each goes on on whichever is free. */
TEST(generator, task_switches_inside)
{
	struct crew crew = {.name = "generator", .function = add_up, .count = 3 * heddle_processors() + 1};
	intptr_t sum;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	size_t count = crew.count;
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &sum), HEDDLE_OK);
	CHECK_EQUAL(sum, count * (VALUES * (VALUES + 1) / 2));
}

struct shared {
	struct mutex mutex;
	uint64_t count;
};

/* The lock belongs to the task: it is held over yields, and given up in a later turn. */
static void lock_in_turn(struct generator_body *self, void *argument)
{
	struct shared *shared = argument;
	for (unsigned i = 0; i < VALUES; i++) {
		mutex_lock(&shared->mutex);
		generator_yield(self, 1);
		shared->count++;
		mutex_unlock(&shared->mutex);
		generator_yield(self, 0);
	}
}

static intptr_t take_turns_locking(size_t number, void *shared)
{
	(void)number;
	return (intptr_t)sum_of(NULL, 0, lock_in_turn, shared);
}

TEST(generator, locks_over_yields)
{
	struct shared shared = {HEDDLE_MUTEX_INITIALIZER, 0};
	struct crew crew = {.name = "generator", .function = take_turns_locking, .argument = &shared, .count = 5};
	intptr_t sum;
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &sum), HEDDLE_OK);
	CHECK_EQUAL(sum, 5 * VALUES);
	CHECK_EQUAL(shared.count, 5 * VALUES);
	CHECK_EQUAL(mutex_destroy(&shared.mutex), HEDDLE_OK);
}

/* As checks do when a quantum is spent, without any call that yields. */
static void spend_quanta(struct generator_body *self, void *flag)
{
	uint64_t deadline = heddle_clock() + 10 * SECOND;
	while (!is_set(flag) && heddle_clock() < deadline)
		quantum_spent();
	generator_yield(self, is_set(flag) ? 1 : 2);
}

/* Whether another task on the processor ran while the generator only spent quanta. */
static intptr_t is_switched_inside(void *stack, size_t size)
{
	atomic_bool flag = false;
	struct task *other;
	intptr_t result;
	enum heddle_error error =
	    task_start(&other, set_flag, &flag, 0, HEDDLE_PRIORITY_NORMAL, (int)heddle_processor());
	if (error != HEDDLE_OK)
		return -1;
	result = sum_of(stack, size, spend_quanta, &flag);
	task_join(other, NULL);
	return result;
}

TEST(generator, quantum_ends_inside)
{
	char stack[2 * HEDDLE_GENERATOR_STACK_DEFAULT];
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
	CHECK_EQUAL(is_switched_inside(stack, sizeof(stack)), 1);
	CHECK_EQUAL(is_switched_inside(NULL, 0), 1);
}

/* Without room for a switch the task stays. */
static void spend_one(struct generator_body *self, void *flag)
{
	for (unsigned i = 0; i < 100; i++)
		quantum_spent();
	generator_yield(self, is_set(flag) ? 2 : 1);
}

TEST(generator, quantum_goes_on_in_a_small_stack)
{
	char stack[HEDDLE_GENERATOR_STACK_MINIMUM];
	atomic_bool flag = false;
	struct task *other;
	CHECK_EQUAL(task_bind(0), HEDDLE_OK);
#ifndef HEDDLE_DEBUG
	CHECK_EQUAL(task_start(&other, set_flag, &flag, 0, HEDDLE_PRIORITY_NORMAL, 0), HEDDLE_OK);
	CHECK_EQUAL(sum_of(stack, sizeof(stack), spend_one, &flag), 1);
	task_join(other, NULL);
#else
	(void)stack, (void)flag, (void)other, (void)spend_one;
#endif
}

/* The limit is that of the running stack: before, in and after each generator. */
static void yield_limit(struct generator_body *self, void *argument)
{
	(void)argument;
	for (;;)
		generator_yield(self, (intptr_t)arch_stack_limit());
}

TEST(generator, limit_is_that_of_the_running_stack)
{
	char stack[HEDDLE_GENERATOR_STACK_DEFAULT];
	struct generator limits;
	uintptr_t own = arch_stack_limit();
	CHECK_EQUAL(own, (uintptr_t)task_current()->context.stack_low);
	CHECK_EQUAL(generator_create(&limits, stack, sizeof(stack), yield_limit, NULL), HEDDLE_OK);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQUAL(generator_resume(&limits), HEDDLE_OK);
		CHECK((uintptr_t)generator_value(&limits) - (uintptr_t)stack < 8);
		CHECK_EQUAL(arch_stack_limit(), own);
	}
	CHECK_EQUAL(generator_destroy(&limits), HEDDLE_OK);
}

/* -------------------------------------------------------------------------------------------- ends -- */

TEST(generator, dropped_before_its_end)
{
	struct generator numbers;
	/* Also before its beginning. If the stacks were lost, there would not be enough. */
	for (unsigned i = 0; i < 2000; i++) {
		CHECK_EQUAL(generator_create(&numbers, NULL, HEDDLE_TASK_STACK_GROWTH, count_up, (void *)10),
		            HEDDLE_OK);
		for (unsigned j = 0; j < i % 3; j++)
			CHECK_EQUAL(generator_resume(&numbers), HEDDLE_OK);
		CHECK_EQUAL(generator_destroy(&numbers), HEDDLE_OK);
	}
	CHECK_EQUAL(generator_destroy(&numbers), HEDDLE_BAD_ARGUMENT);
}

static intptr_t forget_generators(void *unused)
{
	struct generator numbers[3];
	(void)unused;
	for (unsigned i = 0; i < 3; i++)
		if (generator_create(&numbers[i], NULL, HEDDLE_TASK_STACK_GROWTH, count_up, (void *)10) !=
		        HEDDLE_OK ||
		    generator_resume(&numbers[i]) != HEDDLE_OK)
			return 1;
	return 0;
}

static void end_task(struct generator_body *self, void *unused)
{
	(void)unused;
	generator_yield(self, 1);
	task_exit(7);
}

static intptr_t end_inside(void *stack_size)
{
	char stack[HEDDLE_GENERATOR_STACK_DEFAULT];
	sum_of(stack_size ? NULL : stack, stack_size ? (size_t)stack_size : sizeof(stack), end_task, NULL);
	return 0;
}

static bool ends_with(task_function function, void *argument, intptr_t expected)
{
	struct task *task;
	intptr_t result = -1;
	return task_create(&task, function, argument, NULL) == HEDDLE_OK &&
	       task_join(task, &result) == HEDDLE_OK && result == expected;
}

TEST(generator, task_ends_with_generators)
{
	for (unsigned i = 0; i < 300; i++) {
		CHECK(ends_with(forget_generators, NULL, 0));
		CHECK(ends_with(end_inside, (void *)HEDDLE_TASK_STACK_GROWTH, 7));
		CHECK(ends_with(end_inside, NULL, 7));
	}
}

/* The faults here are on purpose, so no sanitizer may report them first. */
__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) static void
write_to_nowhere(struct generator_body *self, void *address)
{
	generator_yield(self, 1);
	*(volatile uint32_t *)address = 1;
}

static intptr_t fault_inside(void *own)
{
	char stack[HEDDLE_GENERATOR_STACK_DEFAULT];
	return (intptr_t)sum_of(own ? NULL : stack, own ? 0 : sizeof(stack), write_to_nowhere, (void *)16);
}

TEST(generator, fault_ends_the_task)
{
	for (uintptr_t own = 0; own < 2; own++) {
		struct task *task;
		CHECK_EQUAL(task_create(&task, fault_inside, (void *)own, NULL), HEDDLE_OK);
		CHECK_EQUAL(task_join(task, NULL), HEDDLE_TASK_FAULT);
	}
}

/* -------------------------------------------------------------------------------------------- misuse -- */

TEST(generator, bad_arguments)
{
	static char stack[HEDDLE_GENERATOR_STACK_DEFAULT];
	struct generator numbers;
	CHECK_EQUAL(generator_create(&numbers, stack, HEDDLE_GENERATOR_STACK_MINIMUM - 1, count_up, NULL),
	            HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(generator_create(&numbers, stack, 0, count_up, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(generator_create(&numbers, stack, SIZE_MAX, count_up, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(generator_create(&numbers, stack, sizeof(stack), NULL, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(generator_create(&numbers, NULL, 1, count_up, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(generator_create(&numbers, NULL, HEDDLE_TASK_STACK_MAXIMUM + 1, count_up, NULL),
	            HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(generator_create_with(&numbers, stack, sizeof(stack), count_up, NULL, sizeof(stack)),
	            HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(generator_create_with(&numbers, stack, sizeof(stack), count_up, NULL, SIZE_MAX),
	            HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(generator_destroy(&numbers), HEDDLE_BAD_ARGUMENT);
}

/* A panic in debug builds (run=misuse_generator). */
TEST(generator, resumed_after_its_end)
{
	struct generator numbers;
	CHECK_EQUAL(generator_create(&numbers, NULL, 0, count_up, (void *)1), HEDDLE_OK);
	CHECK_EQUAL(generator_resume(&numbers), HEDDLE_OK);
	CHECK_EQUAL(generator_resume(&numbers), HEDDLE_ENDED);
#ifndef HEDDLE_DEBUG
	CHECK_EQUAL(generator_resume(&numbers), HEDDLE_ENDED);
	CHECK_EQUAL(generator_resume(&numbers), HEDDLE_ENDED);
#endif
	CHECK_EQUAL(generator_destroy(&numbers), HEDDLE_OK);
}

static void destroy_itself(struct generator_body *self, void *numbers)
{
	generator_yield(self, (intptr_t)generator_destroy(numbers));
}

TEST(generator, destroyed_while_it_runs)
{
	struct generator numbers;
	CHECK_EQUAL(generator_create(&numbers, NULL, 0, destroy_itself, &numbers), HEDDLE_OK);
	CHECK_EQUAL(generator_resume(&numbers), HEDDLE_OK);
	CHECK_EQUAL(generator_value(&numbers), HEDDLE_IN_USE);
	CHECK_EQUAL(generator_destroy(&numbers), HEDDLE_OK);
}

static intptr_t destroy_anyway(void *numbers)
{
	return (intptr_t)generator_destroy(numbers);
}

TEST(generator, destroyed_by_another_task)
{
	struct generator numbers;
	CHECK_EQUAL(generator_create(&numbers, NULL, 0, count_up, (void *)1), HEDDLE_OK);
	CHECK(ends_with(destroy_anyway, &numbers, HEDDLE_NOT_OWNER));
	CHECK_EQUAL(generator_destroy(&numbers), HEDDLE_OK);
}
