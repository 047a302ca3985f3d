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

static inline bool task_is_as_new(const struct task *task)
{
	const void *left = NULL;
	for (unsigned slot = 0; slot < HEDDLE_TASK_LOCAL_SLOTS; slot++)
		left = left ? left : task->local[slot];
	return !left && task_locks_are_reset(&task->locks) && stack_block_is_reset(task) && !task->stack &&
	       !task->generator_stacks && task->ending == HEDDLE_OK && !task->waits_for &&
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

/* The same for usual options. */
static inline void schedule_set_usual(struct task_schedule *schedule, const struct task_options *options)
{
	schedule->ties.word = task_ties_word(HEDDLE_TASK_ANY_PROCESSOR, priority_level(options->priority));
	quantum_place(schedule, command_line.quantum);
}

void task_pools_create(void)
{
	pool_create(&task_pool, "tasks", TASK_BLOCK, task_prepare);
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

static void name_copy(struct task *task, const char *name)
{
	static const char unnamed[8] = "task";
	size_t length = 0;
	if (!name) {
		__builtin_memcpy(task->name, unnamed, sizeof(unnamed));
		return;
	}
	for (; name[length] && length < HEDDLE_TASK_NAME_MAXIMUM - 1; length++)
		task->name[length] = name[length];
	task->name[length] = 0;
}

/* task_exit() without _Noreturn, so that it is jumped to: a call without a return misleads the processor's predictions
 * of the returns that follow. */
void exit_by_jump(intptr_t result) STACK_ENTRY_OF(task_exit);

static void task_entry(void)
{
	struct task *task = task_current();
	exit_by_jump(task->function(task->argument));
}

/* Reset the hot part, except for what the options set. */
static inline void task_reset(struct task *task)
{
	ASSERT(task_is_as_new(task));
	task_wait_reset(&task->wait);
	task->guarded = false;
	task->function_ended = false;
}

/* `task` was taken from the pool; NULL: none was at hand. */
static struct task *task_renew(struct task *task)
{
	if (!task && !(task = (struct task *)pool_take(&task_pool)))
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

static inline void grow_from_block(struct task *task, const struct task_options *options)
{
	task->grows = true;
	task->stack_maximum = (uint32_t)(options->stack_size ? options->stack_size : HEDDLE_TASK_STACK_GROWTH);
	stack_begin(task, task_entry);
}

/* The task has a stack and a schedule. */
static inline struct task *task_begin(struct task *task, task_function function, void *argument,
                                      const struct task_options *options)
{
	task->function = function;
	task->argument = argument;
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
	atomic_store_explicit(&task->join, options->detached ? TASK_JOIN_DETACHED : TASK_JOINABLE,
	                      memory_order_relaxed);
	name_copy(task, options->name);
	return task;
}

__attribute__((noinline)) static struct task *make_unusual(struct task *at_hand, task_function function,
                                                           void *argument, const struct task_options *options)
{
	struct task *task = task_renew(at_hand);
	if (!task)
		return NULL;
	task->grows = false;
	if (options->stack == HEDDLE_TASK_STACK_GROWS) {
		grow_from_block(task, options);
	} else if (!whole_stack_make(task, options)) {
		pool_give(&task_pool, &task->pooled);
		return NULL;
	}
	schedule_set(&task->schedule, options);
	if (!task->grows)
		task->schedule.keeps = arch_stack_begin(task->context.stack_low, task->context.stack_size);
	return task_begin(task, function, argument, options);
}

/* With usual options, in memory that is at hand and was not touched, this calls no other function. */
struct task *task_make(task_function function, void *argument, const struct task_options *options, bool usual)
{
	struct task *task = (struct task *)pool_take_at_hand(&task_pool);
	if (__builtin_expect(!usual || !task || task->touched, 0))
		return make_unusual(task, function, argument, options);
	task_reset(task);
	grow_from_block(task, options);
	schedule_set_usual(&task->schedule, options);
	return task_begin(task, function, argument, options);
}

struct task *task_make_idle(struct processor *processor)
{
	struct task *task = task_renew(NULL);
	if (!task)
		return NULL;
	task->grows = false;
	task->guarded = true;
	atomic_store_explicit(&task->join, TASK_JOINABLE, memory_order_relaxed);
	atomic_store_explicit(&task->state, TASK_ACTIVE, memory_order_relaxed);
	task->schedule = (struct task_schedule){.bound = (int16_t)processor->index, .priority = LEVEL_LOWEST};
	quantum_place(&task->schedule, HEDDLE_TASK_QUANTUM_MAXIMUM);
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
}

void task_release(struct task *task)
{
	atomic_store_explicit(&task->state, TASK_FREE, memory_order_relaxed);
	if (__builtin_expect(!pool_give_at_hand(&task_pool, &task->pooled), 0))
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
