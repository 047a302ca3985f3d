/*
 * What tasks are made of: pools of task structures and of stacks, one pool a stack size.
 */
#include "kernel/colour.h"
#include "kernel/memory.h"
#include "sched/generator.h"
#include "sched/growth.h"
#include "sched/node.h"
#include "sched/quantum.h"
#include "sched/stack.h"
#include "sched/task.h"

#define STACK_SIZES 9 /* TASK_STACK_MINIMUM << 0 to TASK_STACK_MAXIMUM */

_Static_assert(TASK_STACK_MINIMUM << (STACK_SIZES - 1) == TASK_STACK_MAXIMUM, "one pool a stack size");

static struct pool task_pool;
static struct pool stack_pools[STACK_SIZES];

static bool task_prepare(struct pool *pool, struct pool_object *object)
{
	(void)pool;
	struct queue_node *node = node_make();
	if (node)
		queue_item_create(&((struct task *)object)->item, node);
	return node != NULL;
}

#define COLOUR_SHARE 16 /* of a stack, at most this part is given up for its colour */

/* Let the ends of each stack lie in other sets of the cache: blocks are aligned to their size. */
static void stack_colour(struct stack *stack)
{
	size_t share = stack->size / COLOUR_SHARE;
	size_t colours = (share < COLOUR_SPAN ? share : COLOUR_SPAN) / CACHE_LINE;
	size_t above = colour_offset(stack->pooled.number, colours);
	size_t below = (colours - 1) * CACHE_LINE - above;
	stack->size -= above;
	/* The low end stays where a guard page must adjoin; elsewhere it has the canary, which each switch reads. */
	if (!stack->guarded) {
		stack->low = (char *)stack->low + below;
		stack->size -= below;
	}
}

static bool stack_prepare(struct pool *pool, struct pool_object *object)
{
	struct stack *stack = (struct stack *)object;
	size_t block_size = TASK_STACK_MINIMUM << (pool - stack_pools);
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

void task_pools_create(void)
{
	pool_create(&task_pool, "tasks", TASK_BLOCK, task_prepare);
	stack_segments_create();
	for (unsigned size_class = 0; size_class < STACK_SIZES; size_class++) {
		pool_create(&stack_pools[size_class], "stacks", sizeof(struct stack), stack_prepare);
		pool_set_weight(&stack_pools[size_class], TASK_STACK_MINIMUM << size_class);
	}
}

struct stack *stack_take(size_t size)
{
	unsigned size_class = 0;
	while ((TASK_STACK_MINIMUM << size_class) < size)
		size_class++;
	return (struct stack *)pool_take(&stack_pools[size_class]);
}

void stack_give(struct stack *stack)
{
	if (__builtin_expect(stack->lent, 0)) {
		stack->lent = false;
		arch_stack_take_back(stack->low);
	}
	pool_give(stack->pool, &stack->pooled);
}

static void name_copy(struct task *task, const char *name)
{
	static const char unnamed[] = "task";
	size_t length = 0;
	if (!name) {
		__builtin_memcpy(task->name, unnamed, sizeof(unnamed));
		return;
	}
	for (; name[length] && length < TASK_NAME_MAXIMUM - 1; length++)
		task->name[length] = name[length];
	task->name[length] = 0;
}

static void task_entry(void)
{
	struct task *task = task_current();
	task_exit(task->function(task->argument));
}

/* What every new task begins with, whatever the one before it in this memory was. */
static void task_reset(struct task *task)
{
	task->ties = (struct task_ties){.bound = TASK_ANY_PROCESSOR};
	task->wake_pause = task->wake_pause_next = 0;
	task->priority = PRIORITY_NORMAL;
	task->join_refused = false;
	task->function_ended = false;
	task->generator_stacks = NULL;
	task->ending = HEDDLE_OK;
	task->result = 0;
	task->waits_for = NULL;
	task->held = NULL;
	task->written = NULL;
	task->read_count = 0;
	task->reads = NULL;
	task->sections = 0;
	task->serves = NULL;
	task->buffer = NULL;
	task->delegates_to = 0;
	task->extended = false;
	task->extension = command_line.extension;
	atomic_store_explicit(&task->cancelled, 0, memory_order_relaxed);
	for (unsigned slot = 0; slot < TASK_LOCAL_SLOTS; slot++)
		task->local[slot] = NULL;
	atomic_store_explicit(&task->permit, 0, memory_order_relaxed);
	atomic_store_explicit(&task->join, TASK_JOINABLE, memory_order_relaxed);
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
}

/* A stack that grows, or a whole one; false: no memory. */
static bool stack_make(struct task *task, const struct task_options *options)
{
	task->stack = NULL;
	task->grows = options->grows;
	task->guarded = false;
	if (options->grows) {
		task->stack_maximum = (uint32_t)(options->stack_size ? options->stack_size : TASK_STACK_MAXIMUM);
		stack_begin(task, task_entry);
		return true;
	}
	struct stack *stack = stack_take(options->stack_size ? options->stack_size : TASK_STACK_DEFAULT);
	if (!stack)
		return false;
	task->stack = stack;
	task->guarded = stack->guarded;
	arch_context_create(&task->context, stack->low, stack->size, task_entry);
	return true;
}

struct task *task_make(task_function function, void *argument, const struct task_options *options)
{
	struct task *task = (struct task *)pool_take(&task_pool);
	if (!task)
		return NULL;
	if (!stack_make(task, options)) {
		pool_give(&task_pool, &task->pooled);
		return NULL;
	}
	task_reset(task);
	task->function = function;
	task->argument = argument;
	task->bound = (int16_t)options->processor;
	task->priority = (uint8_t)options->priority;
	quantum_place(task, options->quantum ? options->quantum : command_line.quantum);
	if (options->detached)
		atomic_store_explicit(&task->join, TASK_JOIN_DETACHED, memory_order_relaxed);
	name_copy(task, options->name);
	stack_canary_place(task);
	return task;
}

struct task *task_make_idle(struct processor *processor)
{
	struct task *task = (struct task *)pool_take(&task_pool);
	if (!task)
		return NULL;
	task_reset(task);
	task->stack = NULL;
	task->grows = false;
	task->guarded = true;
	task->bound = (int16_t)processor->index;
	task->priority = PRIORITY_IDLE;
	quantum_place(task, TASK_QUANTUM_MAXIMUM);
	name_copy(task, "idle");
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
	task->stack = NULL;
	task->grows = false;
}

void task_release(struct task *task)
{
	atomic_store_explicit(&task->state, TASK_FREE, memory_order_relaxed);
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
