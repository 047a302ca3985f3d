/*
 * What tasks are made of: pools of task structures and of stacks, one pool a stack size.
 */
#include "kernel/memory.h"
#include "sched/node.h"
#include "sched/quantum.h"
#include "sched/task.h"

#define STACK_SIZES 9 /* TASK_STACK_MINIMUM << 0 to TASK_STACK_MAXIMUM */

_Static_assert(TASK_STACK_MINIMUM << (STACK_SIZES - 1) == TASK_STACK_MAXIMUM, "one pool a stack size");

/* A stack and where it is: apart from it, since a pool's objects keep their type. */
struct stack {
	struct pool_object pooled;
	void *low;
	size_t size;
	bool guarded;
	struct pool *pool; /* of its size */
};

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
	return stack->low != NULL;
}

void task_pools_create(void)
{
	pool_create(&task_pool, "tasks", sizeof(struct task), task_prepare);
	for (unsigned size_class = 0; size_class < STACK_SIZES; size_class++) {
		pool_create(&stack_pools[size_class], "stacks", sizeof(struct stack), stack_prepare);
		pool_set_weight(&stack_pools[size_class], TASK_STACK_MINIMUM << size_class);
	}
}

static struct stack *stack_take(size_t size)
{
	unsigned size_class = 0;
	while ((TASK_STACK_MINIMUM << size_class) < size)
		size_class++;
	return (struct stack *)pool_take(&stack_pools[size_class]);
}

static void name_copy(struct task *task, const char *name)
{
	size_t length = 0;
	for (name = name ? name : "task"; name[length] && length < TASK_NAME_MAXIMUM - 1; length++)
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
	task->bound = TASK_ANY_PROCESSOR;
	task->priority = PRIORITY_NORMAL;
	task->join_refused = false;
	task->function_ended = false;
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
	task->delegation_read = NULL;
	task->delegates_to = 0;
	task->extended = false;
	task->extension = command_line.extension;
	atomic_store_explicit(&task->cancelled, 0, memory_order_relaxed);
	for (unsigned slot = 0; slot < TASK_LOCAL_SLOTS; slot++)
		task->local[slot] = NULL;
	atomic_store_explicit(&task->permit, TASK_PERMIT_NONE, memory_order_relaxed);
	atomic_store_explicit(&task->join, TASK_JOINABLE, memory_order_relaxed);
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
}

struct task *task_make(task_function function, void *argument, const struct task_options *options)
{
	struct task *task = (struct task *)pool_take(&task_pool);
	if (!task)
		return NULL;
	struct stack *stack = stack_take(options->stack_size ? options->stack_size : TASK_STACK_DEFAULT);
	if (!stack) {
		pool_give(&task_pool, &task->pooled);
		return NULL;
	}
	task_reset(task);
	task->stack = stack;
	task->guarded = stack->guarded;
	task->function = function;
	task->argument = argument;
	task->bound = (int16_t)options->processor;
	task->priority = (uint8_t)options->priority;
	quantum_place(task, options->quantum ? options->quantum : command_line.quantum);
	if (options->detached)
		atomic_store_explicit(&task->join, TASK_JOIN_DETACHED, memory_order_relaxed);
	name_copy(task, options->name);
	arch_context_create(&task->context, stack->low, stack->size, task_entry);
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
	if (task->stack)
		pool_give(task->stack->pool, &task->stack->pooled);
	task->stack = NULL;
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
