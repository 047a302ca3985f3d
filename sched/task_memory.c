/*
 * The memory of tasks: a pool of task structures, and a pool of stacks for each size.
 */
#include "kernel/colour.h"
#include "kernel/memory.h"
#include "kernel/panic.h"
#include "sched/generator.h"
#include "sched/growth.h"
#include "sched/node.h"
#include "sched/quantum.h"
#include "sched/ready.h"
#include "sched/scheduler.h"
#include "sched/stack.h"
#include "sched/task.h"
#include "sched/task_usual.h"
#include "sched/wait.h"

#define STACK_SIZES 19 /* HEDDLE_TASK_STACK_MINIMUM << 0 to HEDDLE_TASK_STACK_MAXIMUM */

_Static_assert(HEDDLE_TASK_STACK_MINIMUM << (STACK_SIZES - 1) == HEDDLE_TASK_STACK_MAXIMUM,
               "one pool a stack size");

static struct pool task_pool;
static struct pool stack_pools[STACK_SIZES];
static struct pool borrowed_pool; /* stacks in the program's memory */

#define STACK_ALIGNMENT 16

#define COLOUR_SHARE 16 /* a stack gives up at most this part for its colour */

/* Let the ends of stacks lie in different sets of the cache: blocks are aligned to their size. */
static void stack_colour(struct stack *stack)
{
	size_t share = stack->size / COLOUR_SHARE;
	size_t colours = (share < COLOUR_SPAN ? share : COLOUR_SPAN) / CACHE_LINE;
	size_t above = colour_offset(stack->pooled.number, colours);
	size_t below = (colours - 1) * CACHE_LINE - above;
	stack->size -= above;
	/* The low end must stay next to a guard page. Without a guard it holds the canary, which each switch reads. */
	if (!stack->guarded) {
		stack->low = (char *)stack->low + below;
		stack->size -= below;
	}
}

static bool stack_prepare(struct pool *pool, struct pool_object *object)
{
	struct stack *stack = (struct stack *)object;
	size_t block_size = HEDDLE_TASK_STACK_MINIMUM << (pool - stack_pools);
	void *block = memory_allocate(block_size, MEMORY_ANY_NODE);
	if (!block)
		return false;
	stack->pool = pool;
	stack->size = block_size;
	stack->low = arch_stack_map(block, &stack->size, &stack->guarded);
	if (!stack->low)
		memory_free(block, block_size);
	else if (command_line.colour)
		stack_colour(stack);
	return stack->low != NULL;
}

/* The cold part, as every task begins with it. */
static void task_reset_cold(struct task *task)
{
	stack_reset_block(task);
	task->stack = NULL;
	task->generator_stacks = NULL;
	task->ending = HEDDLE_OK;
	task->waits_for = NULL;
	task->extension = command_line.extension;
	task_locks_reset(&task->locks);
	for (unsigned slot = 0; slot < HEDDLE_TASK_LOCAL_SLOTS; slot++)
		task->local[slot] = NULL;
	task->touched = false;
}

bool task_is_as_new(const struct task *task)
{
	const void *left = NULL;
	for (unsigned slot = 0; slot < HEDDLE_TASK_LOCAL_SLOTS; slot++)
		left = left ? left : task->local[slot];
	return !left && !task->held && task_locks_are_reset(&task->locks) && stack_block_is_reset(task) &&
	       !task->stack && !task->generator_stacks && task->ending == HEDDLE_OK && !task->waits_for &&
	       task->extension == command_line.extension;
}

static bool task_prepare(struct pool *pool, struct pool_object *object)
{
	(void)pool;
	struct task *task = (struct task *)object;
	struct queue_node *node = node_make();
	if (!node)
		return false;
	queue_item_create(&task->item, node);
	task->held = NULL;
	task_reset_cold(task);
	return true;
}

static bool borrowed_prepare(struct pool *pool, struct pool_object *object)
{
	((struct stack *)object)->pool = pool;
	return true;
}

static void schedule_set(struct task_schedule *schedule, const struct task_options *options)
{
	schedule->ties.word =
	    task_ties_word((int16_t)(options->bound ? options->processor : HEDDLE_TASK_ANY_PROCESSOR),
	                   priority_level(options->priority));
	quantum_place(schedule, options->quantum ? options->quantum : command_line.quantum);
}

struct task_schedule schedule_usual;

struct pool_magazine *task_magazine(unsigned index)
{
	return &task_pool.magazines[index];
}

void task_pools_create(void)
{
	quantum_place(&schedule_usual, command_line.quantum);
	pool_create(&task_pool, "tasks", TASK_BLOCK, task_prepare);
	_Static_assert(STACK_ROOM_IN_BLOCK + POOL_ROOM <= TASK_BLOCK - ARCH_CONTEXT_FIRST, "stays as it is");
	pool_set_room(&task_pool, STACK_ROOM_IN_BLOCK);
	stack_segments_create();
	pool_create(&borrowed_pool, "borrowed stacks", sizeof(struct stack), borrowed_prepare);
	for (unsigned size_class = 0; size_class < STACK_SIZES; size_class++) {
		pool_create(&stack_pools[size_class], "stacks", sizeof(struct stack), stack_prepare);
		pool_set_weight(&stack_pools[size_class], HEDDLE_TASK_STACK_MINIMUM << size_class);
	}
}

struct stack *stack_take(size_t size)
{
	unsigned size_class = 0;
	while ((HEDDLE_TASK_STACK_MINIMUM << size_class) < size)
		size_class++;
	return (struct stack *)pool_take(&stack_pools[size_class]);
}

/* What lies below is unknown: there is no guard. */
static struct stack *stack_borrow(void *memory, size_t size)
{
	struct stack *stack = (struct stack *)pool_take(&borrowed_pool);
	uintptr_t low = ((uintptr_t)memory + STACK_ALIGNMENT - 1) & ~(uintptr_t)(STACK_ALIGNMENT - 1);
	uintptr_t high = ((uintptr_t)memory + size) & ~(uintptr_t)(STACK_ALIGNMENT - 1);
	if (!stack)
		return NULL;
	stack->low = (void *)low;
	stack->size = high - low;
	return stack;
}

void stack_give(struct stack *stack)
{
	if (__builtin_expect(stack->lent, 0)) {
		stack->lent = false;
		arch_stack_take_back(stack->low);
	}
	pool_give(stack->pool, &stack->pooled);
}

void task_entry(void)
{
	struct task *task = task_current();
	exit_plainly(task->function(task->argument));
}

static struct task *task_take(void)
{
	struct task *task = (struct task *)pool_take(&task_pool);
	if (!task)
		return NULL;
	if (task->touched)
		task_reset_cold(task);
	task_reset(task);
	return task;
}

/* For a task that does not use the stack in its block; false: no memory. */
__attribute__((noinline)) static bool whole_stack_make(struct task *task, const struct task_options *options)
{
	struct stack *stack = options->stack_memory ? stack_borrow(options->stack_memory, options->stack_size)
	                                            : stack_take(options->stack_size ? options->stack_size
	                                                                             : HEDDLE_TASK_STACK_DEFAULT);
	if (!stack)
		return false;
	if (arch_has_foreign_code && options->stack == HEDDLE_TASK_STACK_AS_COMPILED)
		ready_expect_foreign();
	task_touch(task);
	task->stack = stack;
	task->guarded = stack->guarded;
	arch_context_create(&task->context, stack->low, stack->size, task_entry);
	stack_canary_place(task);
	return true;
}

struct task *task_make(task_function function, void *argument, const struct task_options *options)
{
	struct task *task = task_take();
	if (!task)
		return NULL;
	task->grows = false;
	if (options->stack == HEDDLE_TASK_STACK_GROWS) {
		task_grow_from_block(task, options);
	} else if (!whole_stack_make(task, options)) {
		pool_give(&task_pool, &task->pooled);
		return NULL;
	}
	schedule_set(&task->schedule, options);
	if (!task->grows)
		task->schedule.keeps = arch_stack_begin(task->context.stack_low, task->context.stack_size);
	task_begin(task, function, argument, options);
	return task;
}

struct task *task_make_idle(struct processor *processor)
{
	struct task *task = task_take();
	if (!task)
		return NULL;
	task->grows = false;
	task->guarded = true;
	atomic_store_explicit(&task->join, TASK_JOINABLE, memory_order_relaxed);
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
	task->schedule = (struct task_schedule){.bound = (int16_t)processor->index, .priority = LEVEL_LOWEST};
	quantum_place(&task->schedule, HEDDLE_TASK_QUANTUM_MAXIMUM);
	task_name_set(task, "idle");
	return task;
}

void task_release_stack(struct task *task)
{
	arch_context_destroy(&task->context);
	if (task->generator_stacks)
		generator_release_stacks(task);
	if (task->stack)
		stack_give(task->stack);
	else if (task->segment || task->spaces)
		stack_release_segments(task);
	__atomic_store_n(&task->stack, NULL, __ATOMIC_RELAXED); /* task_has_stack() */
}

void task_release(struct task *task)
{
	atomic_store_explicit(&task->state, TASK_FREE, memory_order_relaxed);
	if (__builtin_expect(!magazine_put_newest(scheduler_current()->free_tasks, &task->pooled), 0))
		pool_give(&task_pool, &task->pooled);
}

struct visit {
	void (*function)(struct task *task, void *argument);
	void *argument;
};

static void visit_any(struct pool_object *object, void *argument)
{
	struct visit *visit = argument;
	visit->function((struct task *)object, visit->argument);
}

static void visit_used(struct pool_object *object, void *argument)
{
	struct visit *visit = argument;
	struct task *task = (struct task *)object;
	if (atomic_load_explicit(&task->state, memory_order_relaxed) != TASK_FREE)
		visit->function(task, visit->argument);
}

void task_visit(void (*visit_function)(struct task *task, void *argument), void *argument)
{
	struct visit visit = {visit_function, argument};
	pool_visit(&task_pool, visit_used, &visit);
}

void task_visit_all(void (*visit_function)(struct task *task, void *argument), void *argument)
{
	struct visit visit = {visit_function, argument};
	pool_visit(&task_pool, visit_any, &visit);
}
