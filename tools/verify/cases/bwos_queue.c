/*
 * The queue of BWoS: its owner puts and takes tasks while others steal blocks. Each task is taken once, and each
 * processor takes in order.
 *
 * A program is letters: p puts a new task, unless the queue is full, P one for which there must be room, t takes one, r
 * steals a block of processor 0, R one that must be there.
 */
#include "explorer.h"

#include "sched/bwos_queue.c"
#include "sched/task.h"

#define TASKS 12
#include "taken.h"

struct script {
	const char *programs[EXPLORE_PROCESSORS];
};

static struct bwos_queue queue;

_Noreturn void panic(const char *format, ...)
{
	explore_fail("panic: %s", format);
}

static void set_up(const struct explore_case *explored)
{
	(void)explored;
	bwos_create(&queue);
	explore_name(&queue.oldest, sizeof queue.oldest, "oldest");
	for (unsigned i = 0; i < BWOS_BLOCKS; i++) {
		struct bwos_block *block = &queue.blocks[i];
		explore_name(&block->committed, sizeof block->committed, "block%u.committed", i);
		explore_name(&block->reserved, sizeof block->reserved, "block%u.reserved", i);
		explore_name(&block->stolen, sizeof block->stolen, "block%u.stolen", i);
		explore_name(block->tasks, sizeof block->tasks, "block%u.tasks", i);
	}
	for (unsigned i = 0; i < TASKS; i++) {
		explore_name(&tasks[i], sizeof tasks[i], "task %c", 'A' + (int)i);
		/* Only the processor that has it writes it. */
		explore_watch(&tasks[i].ready_count, sizeof tasks[i].ready_count);
	}
}

/* It is the processor's now, which alone may write it. */
static void count_taken(struct task *task)
{
	count(task);
	task->ready_count++;
}

static void put_one(bool must)
{
	struct task *task = &tasks[put];
	task->ready_count = 1;
	put++; /* before a thief has it */
	if (!bwos_put(&queue, task) && put-- && must)
		explore_fail("the queue is full, though its next block is free");
}

static void steal(bool must)
{
	struct task *stolen[BWOS_LENGTH];
	size_t many = bwos_steal(&queue, stolen);
	if (must && many == 0)
		explore_fail("nothing was stolen, though a block is open");
	for (size_t i = 0; i < many; i++)
		count_taken(stolen[i]);
}

static void program(const struct explore_case *explored, unsigned processor)
{
	const struct script *script = explored->script;
	for (const char *letter = script->programs[processor]; *letter; letter++) {
		struct task *task = *letter == 't' ? bwos_take(&queue) : NULL;
		if (task)
			count_taken(task);
		else if (*letter == 'p' || *letter == 'P')
			put_one(*letter == 'P');
		else if (*letter == 'r' || *letter == 'R')
			steal(*letter == 'R');
	}
}

static struct task *take_own(void)
{
	return bwos_take(&queue);
}

/* What was not taken is still there, in order; of that, a hint tells what is there for thieves. */
static const char *check(const struct explore_case *explored)
{
	(void)explored;
	explore_set_up_as(0);
	bool more = bwos_has_more(&queue);
	struct task *stolen[BWOS_LENGTH];
	size_t many = bwos_steal(&queue, stolen);
	if (more != (many > 0))
		return "the hint is wrong, though nobody else does anything";
	for (size_t i = 0; i < many; i++)
		taken[stolen[i] - tasks]++;
	return wrong_with_rest(take_own);
}

#define CASE(title, count, longer, limit, ...)                                                          \
	{                                                                                                   \
		.name = "bwos_queue." title, .processors = count, .long_run = longer, .switches = limit,        \
		.script = &(struct script){{__VA_ARGS__}}, .set_up = set_up, .program = program, .check = check \
	}

/* Blocks of two tasks, and two blocks. */
const struct explore_case explore_cases[] = {
    CASE("alone", 1, false, 0, "PtPPPttPtPPPpptttttt"),
    CASE("lagging", 1, false, 0, "PPttPPttPPPPRtt"),
    CASE("steal", 2, false, 0, "pppptttt", "r"),
    CASE("reused", 2, false, 0, "ppppttppttpt", "rr"),
    CASE("all-around", 2, false, 0, "ppppttttpptttpt", "r"),
    CASE("two-thieves", 3, false, 3, "pppptttp", "r", "r"),
    CASE("two-thieves-more", 3, true, 0, "ppppttppttpt", "r", "rr"),
    {0},
};
