/*
 * Generators, except for the switch itself, which is inline (heddle/generator.h).
 */
#include "heddle/generator.h"

#include "kernel/panic.h"
#include "sched/generator.h"
#include "sched/growth.h"
#include "sched/scheduler.h"
#include "sched/stack.h"

#define STACK_ALIGNMENT 64

/* Generators that resumed one another, as far as reports follow them. */
#define NESTED_MAXIMUM 64

/* Below the frames, where the address sanitizer may have a red zone. */
#define UNSEEN __attribute__((no_sanitize("address")))

static struct generator_floor *floor_of(const struct generator_body *body)
{
	return (struct generator_floor *)body->resumer.low;
}

/* Not the size at the stack's low end: that may be damaged. */
static unsigned long generator_size_of(const struct generator_body *body)
{
	return (uintptr_t)(body + 1) - body->resumer.low;
}

/* At the top of a stack. */
static struct generator_body *body_at(const void *memory, size_t size)
{
	uintptr_t high = ((uintptr_t)memory + size) & ~(uintptr_t)(STACK_ALIGNMENT - 1);
	return (struct generator_body *)((high - sizeof(struct generator_body)) & ~(uintptr_t)15);
}

UNSEEN static bool is_whole(const struct generator_floor *floor)
{
	uint32_t canary = *(const volatile uint32_t *)&floor->canary;
	return canary == HEDDLE_GENERATOR_CANARY || canary == HEDDLE_GENERATOR_ENDED;
}

/* The task's generator whose stack begins there; NULL: it has overflowed, so it cannot be known. */
UNSEEN static struct generator_body *body_above(const struct task *task, uintptr_t low)
{
	const struct generator_floor *floor = (const struct generator_floor *)low;
	for (const struct stack *stack = task->generator_stacks; stack; stack = stack->next)
		if ((uintptr_t)stack->low == low)
			return body_at(stack->low, stack->size);
	return is_whole(floor) ? (struct generator_body *)(low + floor->size) - 1 : NULL;
}

/* ------------------------------------------------------------------------------------------- its life -- */

static void check_stack(const struct generator_body *body)
{
	if (!is_whole(floor_of(body)))
		panic(
		    "stack overflow: the generator at %p of task %s (%u) used more than its %lu bytes of stack; what "
		    "lay below is damaged; make it with a larger one",
		    (void *)body, body->task->name, body->task->pooled.number, generator_size_of(body));
}

void generator_main(struct generator_body *self)
{
	arch_generator_entered(&self->resumer);
	self->function(self, self->argument);
	check_stack(self);
	floor_of(self)->canary = HEDDLE_GENERATOR_ENDED;
	for (;;) {
		generator_yield(self, 0);
#ifdef HEDDLE_DEBUG
		panic("generator_resume() on the generator at %p in task %s (%u): it has ended and has reported "
		      "that; make a "
		      "new one",
		      (void *)self, self->task->name, self->task->pooled.number);
#endif
	}
}

void generator_stopped(const struct generator_body *body)
{
	check_stack(body);
}

_Noreturn void generator_resumed_inside(const struct generator_body *body)
{
	panic(
	    "generator_resume() on the generator at %p in task %s (%u), which is running: a generator cannot be "
	    "resumed by itself, or by one that it has resumed",
	    (const void *)body, body->task->name, body->task->pooled.number);
}

/* ----------------------------------------------------------------------------------- make and destroy -- */

static void stack_keep(struct task *task, struct stack *stack)
{
	task_touch(task);
	stack->previous = NULL;
	stack->next = task->generator_stacks;
	if (stack->next)
		stack->next->previous = stack;
	task->generator_stacks = stack;
}

static void stack_drop(struct task *task, struct stack *stack)
{
	if (stack->next)
		stack->next->previous = stack->previous;
	if (stack->previous)
		stack->previous->next = stack->next;
	else
		task->generator_stacks = stack->next;
	stack_give(stack);
}

/* The first frame begins in the aligned room below it. */
static struct generator_body *body_place(void *memory, size_t size, size_t room)
{
	uintptr_t low =
	    ((uintptr_t)memory + sizeof(struct generator_floor) - 1) & -sizeof(struct generator_floor);
	struct generator_body *body = body_at(memory, size);
	uintptr_t top = ((uintptr_t)body - room) & ~(uintptr_t)15;
	arch_generator_create(&body->resumer, (void *)low, (uintptr_t)(body + 1) - low);
	body->resumer.low = low;
	body->resumer.stack_pointer = (void *)top;
	*floor_of(body) = (struct generator_floor){HEDDLE_GENERATOR_CANARY, (uint32_t)generator_size_of(body)};
	return body;
}

enum heddle_error generator_make(struct generator_body **result, void *memory, size_t size,
                                 generator_function function, void *argument, size_t room)
{
	struct task *task = task_current();
	struct stack *stack = NULL;
	size_t minimum = HEDDLE_GENERATOR_STACK_MINIMUM + room;
	if (!memory && size == 0)
		size = HEDDLE_TASK_STACK_DEFAULT;
	if (!function || room > HEDDLE_GENERATOR_STACK_MAXIMUM || size < minimum ||
	    size > HEDDLE_GENERATOR_STACK_MAXIMUM)
		return HEDDLE_BAD_ARGUMENT;
	if (!memory) {
		stack = stack_take(size);
		if (!stack)
			return HEDDLE_NO_MEMORY;
		stack_keep(task, stack);
		memory = stack->low;
		size = stack->size;
	}
	struct generator_body *body = body_place(memory, size, room);
	body->resumer.outer = arch_stack_limit();
	body->function = function;
	body->argument = room > 0 ? body->resumer.stack_pointer : argument;
	body->task = task;
	body->stack = stack;
	*result = body;
	return HEDDLE_OK;
}

static void generator_release(struct generator_body *body)
{
	arch_generator_destroy(&body->resumer, (void *)body->resumer.low, generator_size_of(body));
}

enum heddle_error generator_drop(struct generator_body *body, bool running)
{
	struct task *task = task_current();
	if (!body)
		return HEDDLE_BAD_ARGUMENT;
	if (body->task != task)
		return HEDDLE_NOT_OWNER;
	if (running)
		return HEDDLE_IN_USE;
	check_stack(body);
	generator_release(body);
	if (body->stack)
		stack_drop(task, body->stack);
	return HEDDLE_OK;
}

void generator_release_stacks(struct task *task)
{
	while (task->generator_stacks) {
		struct stack *stack = task->generator_stacks;
		struct generator_body *body = body_at(stack->low, stack->size);
		if (!stack->guarded)
			check_stack(body);
		generator_release(body);
		stack_drop(task, stack);
	}
}

/* ---------------------------------------------------------------------------------------- for reports -- */

struct bounds {
	uintptr_t low, high;
	bool guarded;
};

/* An overflow lands in the guard below, if there is one. */
static bool contains(const struct bounds *bounds, uintptr_t address)
{
	return address >= bounds->low - (bounds->guarded ? arch_stack_guard : 0) && address < bounds->high;
}

bool generator_stack_around(const struct task *task, uintptr_t address, uintptr_t *low, uintptr_t *high,
                            bool *guarded)
{
	const struct arch_context *context = &task->context;
	uintptr_t own = (uintptr_t)context->stack_low;
	struct bounds bounds = {own, own + context->stack_size, task->guarded};
	bool runs = task == task_current();
	uintptr_t at = runs ? arch_stack_limit() : context->limit;
	if (runs && !at)
		at = processor_current()->limit_left;
	if (!task_has_stack(task) || (runs && (at & STACK_FOREIGN)))
		at = own; /* an idle task, which has no generators */
	if (task->grows)
		stack_piece_around(task, address, &bounds.low, &bounds.high);
	for (unsigned i = 0; i < NESTED_MAXIMUM && at != own && !(at & STACK_GROWS); i++) {
		const struct generator_body *body = body_above(task, at);
		if (!body)
			break;
		struct bounds inner = {at, (uintptr_t)(body + 1), body->stack && body->stack->guarded};
		if (contains(&inner, address)) {
			bounds = inner;
			break;
		}
		at = body->resumer.outer;
	}
	*low = bounds.low;
	*high = bounds.high;
	*guarded = bounds.guarded;
	return own && contains(&bounds, address);
}

void generator_stack_next(uintptr_t *low, uintptr_t *high)
{
	const struct task *task = task_current();
	const struct arch_context *context = &task->context;
	const struct generator_body *body = NULL;
	*low = (uintptr_t)context->stack_low;
	*high = *low + context->stack_size;
	if (context->limit != *low)
		body = body_above(task, context->limit);
	if (body) {
		*low = context->limit;
		*high = (uintptr_t)(body + 1);
	}
}
