/*
 * Generators: a function that yields values one by one, and goes on where it was when the next one is asked for
 * (switching paper, section 3.2).
 *
 *     static void count_down(struct generator_body *self, void *argument)
 *     {
 *         for (intptr_t i = (intptr_t)argument; i > 0; i--)
 *             generator_yield(self, i);
 *     }
 *
 *     char stack[HEDDLE_GENERATOR_STACK_DEFAULT];
 *     struct generator numbers;
 *     enum heddle_error error = generator_create(&numbers, stack, sizeof(stack), count_down, (void *)10);
 *     if (error != HEDDLE_OK)
 *         return error;
 *     while (generator_resume(&numbers) == HEDDLE_OK)
 *         sum += generator_value(&numbers);
 *     generator_destroy(&numbers);
 *
 * It runs in the task that resumes it, as if it were called, on a stack of its own: an array in the caller's frame,
 * other memory, or a stack as tasks have. A generator may do whatever a task may do. Functions that it calls may
 * yield for it, however deep. Meanwhile the task may move to another processor.
 *
 * A generator belongs to the task that made it: only that task resumes and destroys it, from anywhere, even inside
 * other generators. The code that resumes and the code that yields must both be compiled with the plugin, or both
 * without.
 *
 * If a generator uses more than its stack, this is found at its next yield, at its end or when it is destroyed. That
 * is a panic, which names the task, because memory below the stack may be damaged. A stack from generator_create()
 * has the same guard as a task's.
 */
#ifndef HEDDLE_GENERATOR_H
#define HEDDLE_GENERATOR_H

#include "heddle/machine/generator.h"
#include "heddle/task.h"

HEDDLE_C_BEGIN

/* Bytes of memory for a stack: the minimum, the maximum, and what is enough for plain code. With less than 2 KiB
 * left, the checks of a quantum do not switch the task inside the generator. Printing or locking needs some 4 KiB. */
#define HEDDLE_GENERATOR_STACK_MINIMUM ((size_t)1024)
#define HEDDLE_GENERATOR_STACK_MAXIMUM HEDDLE_TASK_STACK_MAXIMUM
#define HEDDLE_GENERATOR_STACK_DEFAULT ((size_t)4096)

struct generator_body;

/* What a generator runs; it yields through `self`. In C++ no exception may leave it. */
typedef void (*generator_function)(struct generator_body *self, void *argument);

/* The lowest words of a stack. */
struct generator_floor {
	uint32_t canary;
	uint32_t size;
};
#define HEDDLE_GENERATOR_CANARY 0x72656e65u
#define HEDDLE_GENERATOR_ENDED  0x64656465u

/* The highest words of a stack. Only the functions below touch them. */
struct generator_body {
	struct generator_resumer resumer; /* first: the frame that the generator's first function returns to */
	generator_function function;
	void *argument;
	struct task *task;
	struct stack *stack; /* NULL: the caller's memory */
};

struct generator {
	struct generator_state state;
	struct generator_body *body; /* NULL: no generator */
	struct generator_floor *floor;
	intptr_t value;
};

/* The parts of the following functions that are not inline. `room` bytes of the stack are kept for the argument,
 * which then points there. */
enum heddle_error generator_make(struct generator_body **body, void *memory, size_t size,
                                 generator_function function, void *argument, size_t room);
void generator_stopped(const struct generator_body *body);
enum heddle_error generator_drop(struct generator_body *body, bool running);

/* As generator_create(), with room for an argument. */
static inline enum heddle_error generator_create_with(struct generator *generator, void *memory, size_t size,
                                                      generator_function function, void *argument,
                                                      size_t room)
{
	struct generator_body *body = NULL;
	enum heddle_error error = generator_make(&body, memory, size, function, argument, room);
	struct generator made = {{NULL, NULL, NULL}, NULL, NULL, 0};
	if (error == HEDDLE_OK) {
#ifdef HEDDLE_GENERATOR_TOLD
		generator_stack_clean(&body->resumer);
#endif
		made.body = body;
		made.floor = (struct generator_floor *)body->resumer.low;
		made.state.stack_pointer = body->resumer.stack_pointer;
		made.state.frame_pointer = body;
		made.state.address = (const void *)generator_begin;
	}
	*generator = made;
	return error;
}

/* Make a generator that will run function(self, argument); it does not run yet. Its stack is `memory`, `size` bytes
 * that must stay until generator_destroy(). With NULL it gets a stack as tasks have, of `size` bytes rounded up to a
 * power of two; 0: HEDDLE_TASK_STACK_DEFAULT. HEDDLE_BAD_ARGUMENT: a size out of range, or no function.
 * HEDDLE_NO_MEMORY. After an error there is no generator. */
static inline enum heddle_error generator_create(struct generator *generator, void *memory, size_t size,
                                                 generator_function function, void *argument)
{
	return generator_create_with(generator, memory, size, function, argument, 0);
}

/* Run it until it yields. HEDDLE_OK: there is a new value. HEDDLE_ENDED: its function has returned; resuming it again
 * is a panic in debug builds, else HEDDLE_ENDED again. Resuming it from inside itself is a panic. */
static inline __attribute__((always_inline)) enum heddle_error generator_resume(struct generator *generator)
{
	struct generator_state state = generator->state;
	generator->state.address = (const void *)generator_running;
	generator->value = generator_switch_in(&state, &generator->body->resumer);
	generator->state = state;
	if (__builtin_expect(generator->floor->canary == HEDDLE_GENERATOR_CANARY, 1))
		return HEDDLE_OK;
	generator_stopped(generator->body);
	return HEDDLE_ENDED;
}

/* The value of the last yield; 0 before the first one and after the end. */
static inline intptr_t generator_value(const struct generator *generator)
{
	return generator->value;
}

/* Hand a value to the resumer, and go on when it asks for the next one. Only for code that runs in the generator. */
static inline __attribute__((always_inline)) void generator_yield(struct generator_body *self, intptr_t value)
{
	generator_switch_out(&self->resumer, value);
}

/* Destroy it, ended or not: a function in the middle goes no further, and keeps what it holds. The memory is free
 * again. HEDDLE_BAD_ARGUMENT: there is no generator. HEDDLE_NOT_OWNER: another task made it. HEDDLE_IN_USE: it runs.
 * When a task ends, the stacks that its generators got are given back. */
static inline enum heddle_error generator_destroy(struct generator *generator)
{
#ifdef HEDDLE_GENERATOR_TOLD
	if (generator->body)
		generator_stack_clean(&generator->body->resumer);
#endif
	enum heddle_error error =
	    generator_drop(generator->body, generator->state.address == (const void *)generator_running);
	if (error == HEDDLE_OK)
		generator->body = NULL;
	return error;
}

HEDDLE_C_END

#endif
