/*
 * Turns of the storm: tasks that are created, recurse deeply, and end: at their function's end, by task_exit(), by a
 * fault, by a stack overflow, or with locks held; joined, or detached before or after.
 */
#include "heddle/generator.h"
#include "user/test/storm_lock.h"

#define OUT_OF_LINE __attribute__((noinline, noclone, no_sanitize("address", "thread", "undefined")))

#define SHALLOW     40 /* levels of some 100 bytes, sometimes more; not more with whole stacks */
#define DEEPEST     2000
#define SMALL_STACK 16384

enum ending { RETURNS, EXITS, FAULTS, OVERFLOWS, ENDINGS };

struct child {
	struct storm_task self; /* not watched */
	enum ending ending;
	bool dies, suspends, detached;
	uint32_t depth;
	intptr_t result;
};

/* ------------------------------------------------------------------------------------------- the child -- */

/* Returns how many frames were damaged. */
OUT_OF_LINE static unsigned descend(struct storm_task *self, uint64_t depth)
{
	volatile uint64_t frame[4] = {depth};
	unsigned wrong = 0;
	uint32_t draw = storm_draw(self, 64);
	if (draw < 2)
		task_yield();
	if (draw == 2) {
		size_t bytes = 1 + storm_draw(self, 3000);
		volatile uint8_t *space = __builtin_alloca(bytes);
		space[0] = space[bytes - 1] = (uint8_t)depth;
		wrong += space[0] != (uint8_t)depth;
	}
	if (depth > 0)
		wrong += descend(self, depth - 1);
	return wrong + (frame[0] != depth);
}

static void one_value(struct generator_body *body, void *unused)
{
	(void)unused;
	generator_yield(body, 1);
}

/* What it leaves behind is freed with the task. */
static void leave_generator(void)
{
	struct generator generator;
	if (generator_create(&generator, NULL, 4096, one_value, NULL) == HEDDLE_OK)
		STORM_OK(generator_resume(&generator));
}

static void end(struct child *child)
{
	enum ending ending = child->ending;
	intptr_t result = child->result;
	struct storm_task self = child->self;
	if (child->detached)
		heddle_free(child, sizeof(*child));
	if (ending == EXITS)
		task_exit(result);
	if (ending == FAULTS)
		storm_fault();
	if (ending == OVERFLOWS)
		descend(&self, UINT64_MAX);
}

static intptr_t live(void *argument)
{
	struct child *child = argument;
	struct storm_task *self = &child->self;
	intptr_t result = child->result;
	storm_node_choose(storm_draw(self, STORM_NODES));
	STORM_CHECK(descend(self, child->depth) == 0);
	if (child->suspends)
		STORM_GIVES(task_suspend(), STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_CANCELLED));
	storm_dawdle(self);
	storm_nest.turn(self);
	if (storm_draw(self, 4) == 0)
		leave_generator();
	if (child->dies)
		storm_nest_die(self);
	else if (child->ending == FAULTS && storm_draw(self, 2))
		storm_buffer_leave(self);
	end(child);
	return result;
}

/* ---------------------------------------------------------------------------------------------- turn -- */

static void child_choose(struct storm_task *self, struct child *child, bool grows)
{
	*child = (struct child){.self.random = (uint64_t)storm_draw(self, UINT32_MAX) << 32 | self->number};
	child->result = (intptr_t)storm_draw(self, 1000);
	child->suspends = storm_draw(self, 4) == 0;
	child->ending = storm_draw(self, 2) ? RETURNS : EXITS;
	child->dies = storm_draw(self, 4) == 0 && storm_may_die();
	if (storm_draw(self, 8) == 0 && storm_may_die())
		child->ending = grows && storm_draw(self, 2) ? OVERFLOWS : FAULTS;
	child->depth = storm_draw(self, grows && storm_draw(self, 16) == 0 ? DEEPEST : SHALLOW);
	child->detached = !child->suspends && storm_draw(self, 3) == 0;
}

static void join(struct storm_task *self, struct child *child)
{
	intptr_t result = -1;
	bool faults = child->ending == FAULTS || child->ending == OVERFLOWS;
	enum heddle_error error;
	if (child->suspends)
		task_resume(child->self.task);
	do {
		if (storm_draw(self, 4) == 0)
			STORM_OK(task_cancel(child->self.task));
		STORM_GIVES(error = STORM_CALL(self, task_join(child->self.task, &result)),
		            STORM_BIT(HEDDLE_CANCELLED) | STORM_BIT(faults ? HEDDLE_TASK_FAULT : HEDDLE_OK));
	} while (error == HEDDLE_CANCELLED);
	STORM_CHECK(faults || result == child->result);
}

/* Begin a child that is never joined: it frees its argument itself. */
static void begin_detached(struct storm_task *self, const struct child *chosen, struct task_options *options)
{
	struct task *task;
	struct child *child = heddle_allocate(sizeof(*child));
	if (!child)
		return;
	*child = *chosen;
	options->detached = storm_draw(self, 2);
	if (!STORM_GIVES(task_create(options->detached ? NULL : &task, live, child, options),
	                 STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY))) {
		heddle_free(child, sizeof(*child));
	} else if (!options->detached)
		STORM_OK(task_detach(task));
}

static void turn(struct storm_task *self)
{
	struct task_options options = storm_options(self, "child");
	struct child child;
	child_choose(self, &child, options.stack == HEDDLE_TASK_STACK_GROWS);
	if (child.ending == OVERFLOWS)
		options.stack_size = SMALL_STACK;
	if (child.detached)
		begin_detached(self, &child, &options);
	else if (STORM_GIVES(task_create(&child.self.task, live, &child, &options),
	                     STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY)))
		join(self, &child);
}

const struct storm_kind storm_children = {.name = "children", .weight = 2, .turn = turn};
