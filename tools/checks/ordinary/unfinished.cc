/*
 * Functions that never return, in tasks and generators that end in their middle: whoever has the stack next must not
 * stumble over what the address sanitizer knew of their frames.
 */
#include <cstdlib>
#include <stdexcept>
#include <string>

#include <heddle/generator.h>
#include <heddle/task.h>

#include "cases.h"

using namespace heddle::c;

#define DEPTH 12
#define ROOM  2000 /* an array of the next task's lies over several of these frames */

static volatile unsigned nothing;

__attribute__((noipa)) static void fill(unsigned char *bytes, size_t count, unsigned value)
{
	memset(bytes, (int)value, count);
	linger(value);
}

/* In the middle of frames, in each of which variables are set apart. */
__attribute__((noipa)) static unsigned descend(unsigned number, unsigned depth, void (*end)(void *),
                                               void *argument)
{
	unsigned char first[100], second[50];
	fill(first, sizeof(first), number);
	fill(second, sizeof(second), depth);
	if (depth == 0)
		end(argument);
	else
		descend(number, depth - 1, end, argument);
	return first[depth] + second[depth];
}

/* On a stack that others had before. */
static intptr_t use_stack(void *number)
{
	unsigned char room[DEPTH * ROOM / 10];
	fill(room, sizeof(room), (unsigned)(uintptr_t)number);
	return room[number != nullptr] == (unsigned char)(uintptr_t)number;
}

static bool run_task(task_function function, unsigned number, enum heddle_error wanted)
{
	struct task *task;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	intptr_t result = 0;
	options.stack_size = STACK;
	return task_create(&task, function, (void *)(uintptr_t)number, &options) == HEDDLE_OK &&
	       task_join(task, &result) == wanted && result == (wanted == HEDDLE_OK);
}

static void exit_task(void *unused)
{
	(void)unused;
	task_exit(true);
}

static intptr_t exits(void *number)
{
	descend((unsigned)(uintptr_t)number, DEPTH, exit_task, nullptr);
	return false;
}

static bool tasks_exit(unsigned number)
{
	bool right = true;
	for (unsigned round = 0; round < ROUNDS; round++)
		right &= run_task(exits, number, HEDDLE_OK) && run_task(use_stack, number, HEDDLE_OK);
	return right;
}

static void divide(void *unused)
{
	(void)unused;
	nothing = DEPTH / nothing;
}

static intptr_t faults(void *number)
{
	descend((unsigned)(uintptr_t)number, DEPTH, divide, nullptr);
	return true;
}

static bool tasks_fault(unsigned number)
{
	return run_task(faults, number, HEDDLE_TASK_FAULT) && run_task(use_stack, number, HEDDLE_OK);
}

/* -------------------------------------------------------------------------------------------- generators -- */

static void yield(void *self)
{
	generator_yield((struct generator_body *)self, 1);
}

static void stays(struct generator_body *self, void *number)
{
	descend((unsigned)(uintptr_t)number, DEPTH, yield, self);
}

static void lies_over(struct generator_body *self, void *number)
{
	generator_yield(self, use_stack(number));
}

static void throw_error(void *number)
{
	throw std::runtime_error(std::to_string((unsigned)(uintptr_t)number));
}

static void throws(struct generator_body *self, void *number)
{
	for (unsigned round = 0; round < ROUNDS; round++)
		try {
			descend((unsigned)(uintptr_t)number, DEPTH, throw_error, number);
		} catch (const std::runtime_error &caught) {
			generator_yield(self, std::to_string((unsigned)(uintptr_t)number) == caught.what() &&
			                          use_stack(number));
		}
}

/* Whether its first value is right; then it is destroyed. */
static bool begins(generator_function function, unsigned number, void *memory)
{
	struct generator generator;
	if (generator_create(&generator, memory, STACK, function, (void *)(uintptr_t)number) != HEDDLE_OK)
		return false;
	bool right = generator_resume(&generator) == HEDDLE_OK && generator_value(&generator) == 1;
	return generator_destroy(&generator) == HEDDLE_OK && right;
}

static bool generators_stay(unsigned number)
{
	bool right = true;
	for (unsigned round = 0; round < ROUNDS; round++) {
		auto *memory = static_cast<unsigned char *>(malloc(STACK));
		right &= begins(stays, number, nullptr) && begins(lies_over, number, nullptr) &&
		         begins(stays, number, memory) && run_task(use_stack, number, HEDDLE_OK);
		fill(memory, STACK, number);
		free(memory);
	}
	return right;
}

static intptr_t leaves_generator(void *number)
{
	struct generator generator;
	return generator_create(&generator, nullptr, STACK, stays, number) == HEDDLE_OK &&
	       generator_resume(&generator) == HEDDLE_OK;
}

/* They end with their tasks. */
static bool generators_are_left(unsigned number)
{
	bool right = true;
	for (unsigned round = 0; round < ROUNDS; round++)
		right &= run_task(leaves_generator, number, HEDDLE_OK) && run_task(use_stack, number, HEDDLE_OK) &&
		         run_task(use_stack, number, HEDDLE_OK);
	return right;
}

static bool generators_throw(unsigned number)
{
	struct generator generator;
	unsigned right = 0;
	if (generator_create(&generator, nullptr, STACK, throws, (void *)(uintptr_t)number) != HEDDLE_OK)
		return false;
	while (generator_resume(&generator) == HEDDLE_OK)
		right += generator_value(&generator) == 1 && use_stack((void *)(uintptr_t)number);
	generator_destroy(&generator);
	return right == ROUNDS;
}

int main(int count, char **arguments)
{
	static const test_case cases[] = {{"tasks that exit", tasks_exit, MEETS},
	                                  {"tasks that fault", tasks_fault, MEETS},
	                                  {"generators that do not end", generators_stay, MEETS},
	                                  {"generators that are left", generators_are_left, MEETS},
	                                  {"generators that throw", generators_throw, MEETS},
	                                  {nullptr, nullptr, STAYS}};
	int status = cases_main(cases, count, arguments);
	printf("unfinished: %d\n", status);
	return status;
}
