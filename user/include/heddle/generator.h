/*
 * Generators: a function that hands out values one by one, and goes on where it was when the next is asked for
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
 * It runs in the task that resumes it, as if it were called, on a stack of its own: an array in the caller's
 * frame, other memory, or a stack of the size of a task's. Whatever a task may do, a generator may do, and
 * functions that it calls may yield for it, however deep. The task may go on on another processor meanwhile.
 *
 * A generator belongs to the task that made it: it alone resumes and destroys it, from wherever it is, also
 * inside other generators. Code that resumes and code that yields are both compiled with the plugin, or both
 * without.
 *
 * A generator that uses more than its stack is found at its next yield, at its end or when it is destroyed: a
 * panic that names its task, because what lies below may be damaged. A stack of generator_create()'s own has
 * the same guard as a task's.
 */
#ifndef HEDDLE_GENERATOR_H
#define HEDDLE_GENERATOR_H

#include "heddle/machine/generator.h"
#include "heddle/task.h"

HEDDLE_C_BEGIN

/* Bytes of memory for a stack: at least; at most; and what is enough for plain code. With less than 2 KiB left
 * the checks of a quantum do not switch the task where it is in the generator. What prints or locks needs
 * some 4 KiB. */
#define HEDDLE_GENERATOR_STACK_MINIMUM ((size_t)1024)
#define HEDDLE_GENERATOR_STACK_MAXIMUM ((size_t)1 << 30)
#define HEDDLE_GENERATOR_STACK_DEFAULT ((size_t)4096)

struct generator_body;

/* What a generator runs. `self` is what it yields through. In C++ no exception may leave it. */
typedef void (*generator_function)(struct generator_body *self, void *argument);

/* The lowest words of a stack. */
struct generator_floor {
	uint32_t canary;
	uint32_t size;
};
#define HEDDLE_GENERATOR_CANARY 0x72656e65u
#define HEDDLE_GENERATOR_ENDED  0x64656465u

/* The highest words of a stack; nobody's but the functions' below. */
struct generator_body {
	struct generator_resumer resumer; /* first: the frame that the generator's first function returns to */
	generator_function function;
	void *argument;
	struct task *task;
	struct stack *stack; /* NULL: the caller's memory */
};

struct generator {
	struct generator_state state;
	struct generator_body *body; /* NULL: there is none */
	struct generator_floor *floor;
	intptr_t value;
};

/* The parts of what follows that are not inline. `room` bytes of the stack are kept for the argument, which
 * then points there. */
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
		made.body = body;
		made.floor = (struct generator_floor *)body->resumer.low;
		made.state.stack_pointer = body->resumer.stack_pointer;
		made.state.frame_pointer = body;
		made.state.address = (const void *)generator_begin;
	}
	*generator = made;
	return error;
}

/* Make a generator that will run function(self, argument); nothing of it runs yet. Its stack is `memory`, which
 * is `size` bytes long and must stay until generator_destroy(); or, with NULL, one that a task could have, of
 * `size` bytes rounded up to a power of two, 0: HEDDLE_TASK_STACK_DEFAULT. HEDDLE_BAD_ARGUMENT: a size out of range,
 * or no function. HEDDLE_NO_MEMORY. In both cases there is no generator. */
static inline enum heddle_error generator_create(struct generator *generator, void *memory, size_t size,
                                                 generator_function function, void *argument)
{
	return generator_create_with(generator, memory, size, function, argument, 0);
}

/* Run it until it yields. HEDDLE_OK: there is a new value; HEDDLE_ENDED: its function has returned. Once more
 * after that is a misuse: a panic in debug builds, else HEDDLE_ENDED again. Resumed by itself: a panic. */
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

/* Hand a value to the resumer, and go on when it asks for the next. Only by code that runs in the generator.
 */
static inline __attribute__((always_inline)) void generator_yield(struct generator_body *self, intptr_t value)
{
	generator_switch_out(&self->resumer, value);
}

/* Give it up, ended or not: a function that is in the middle goes no further, and what it holds stays as it is.
 * The memory is free again. HEDDLE_BAD_ARGUMENT: there is no generator; HEDDLE_NOT_OWNER: another task made it;
 * HEDDLE_IN_USE: it runs. A task that ends gives back the stacks that its generators got. */
static inline enum heddle_error generator_destroy(struct generator *generator)
{
	enum heddle_error error =
	    generator_drop(generator->body, generator->state.address == (const void *)generator_running);
	if (error == HEDDLE_OK)
		generator->body = NULL;
	return error;
}

HEDDLE_C_END

#endif
