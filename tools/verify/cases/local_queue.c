/*
 * The local queue: its owner puts tasks, shares them and takes them, while others steal from it into their own
 * queues. Each task is taken once, and without thefts all are taken in order.
 *
 * A program is letters: p puts a new task, s puts one and shares it, n shares all, t takes one, r steals from the
 * queue of processor 0 and takes the result from its own queue.
 */
#include "explorer.h"

#include "sched/hazard.c"
#include "sched/local_queue.c"
#include "sched/queue.c"

#define TASKS 8
#include "taken.h"

#define NODES       (EXPLORE_PROCESSORS * 8 + TASKS + EXPLORE_PROCESSORS)
#define POOL_MEMORY 512

struct script {
	const char *programs[EXPLORE_PROCESSORS];
};

static struct local_queue queues[EXPLORE_PROCESSORS];
static struct queue_node nodes[NODES];
static unsigned char pool_memory[EXPLORE_PROCESSORS][POOL_MEMORY] __attribute__((aligned(8)));
static unsigned nodes_used;

_Noreturn void panic(const char *format, ...)
{
	explore_fail("panic: %s", format);
}

struct queue_node *node_make_boot(void)
{
	return &nodes[nodes_used++];
}

static void set_up(const struct explore_case *explored)
{
	for (unsigned i = 0; i < explored->processors; i++) {
		queue_processor_create(i, &nodes[nodes_used], pool_memory[i]);
		nodes_used += (unsigned)QUEUE_POOL_SIZE(processor_count);
		local_queue_create(&queues[i]);
		explore_name(&queues[i].first, sizeof queues[i].first, "first%u", i);
		explore_name(&queues[i].room, sizeof queues[i].room, "room%u", i);
		explore_name(&queues[i].ring.head, sizeof queues[i].ring.head, "ring%u.head", i);
		explore_name(&queues[i].ring.tail, sizeof queues[i].ring.tail, "ring%u.tail", i);
		explore_name(queues[i].ring.slots, sizeof queues[i].ring.slots, "ring%u.slots", i);
	}
	for (unsigned i = 0; i < TASKS; i++) {
		queue_item_create(&tasks[i].item, &nodes[nodes_used++]);
		tasks[i].ready_next = &tasks[i]; /* left over from earlier */
		explore_name(&tasks[i], sizeof tasks[i], "task %c", 'A' + (int)i);
		/* Only the processor that has it writes these. */
		explore_watch(&tasks[i].ready_next, sizeof tasks[i].ready_next);
		explore_watch(&tasks[i].ready_count, sizeof tasks[i].ready_count);
	}
}

static void steal(unsigned processor)
{
	uint64_t stolen = 0, found = 0;
	struct task *task = local_queue_steal(&queues[0], &queues[processor], &stolen);
	for (; task; task = local_queue_take(&queues[processor]), found++)
		count(task);
	if (found != stolen)
		explore_fail("%lu tasks were stolen, and %lu are there", stolen, found);
}

static void program(const struct explore_case *explored, unsigned processor)
{
	struct local_queue *own = &queues[processor];
	const struct script *script = explored->script;
	for (const char *letter = script->programs[processor]; *letter; letter++) {
		struct task *task = *letter == 'p' || *letter == 's' ? &tasks[put++] : NULL;
		if (*letter == 'p')
			local_queue_put(own, task);
		else if (*letter == 's')
			local_queue_put(own, task), local_queue_share_each(own);
		else if (*letter == 'n')
			local_queue_share(own);
		else if (*letter == 'r')
			steal(processor);
		else if ((task = local_queue_take(own)))
			count(task);
	}
}

static struct task *take_own(void)
{
	return local_queue_take(&queues[0]);
}

/* What was not taken is still there, in order. */
static const char *check(const struct explore_case *explored)
{
	(void)explored;
	explore_set_up_as(0);
	return wrong_with_rest(take_own);
}

#define CASE(title, count, longer, limit, ...)                                                          \
	{                                                                                                   \
		.name = "local_queue." title, .processors = count, .long_run = longer, .switches = limit,       \
		.script = &(struct script){{__VA_ARGS__}}, .set_up = set_up, .program = program, .check = check \
	}

const struct explore_case explore_cases[] = {
    CASE("alone", 1, false, 0, "ppnttpppppptnttttt"),
    CASE("behind", 1, false, 0, "ppppsttttt"),
    CASE("blocks", 2, false, 0, "pppptttt", "r"),
    CASE("share", 2, false, 0, "pppntt", "r"),
    CASE("singles", 2, false, 0, "sstst", "rr"),
    CASE("refill", 2, false, 0, "ppptpntt", "r"),
    CASE("overflow", 2, false, 3, "sssssstttt", "r"),
    CASE("two-thieves", 3, false, 2, "ppsnt", "r", "r"),
    CASE("two-thieves-more", 3, true, 3, "pppsntt", "r", "rr"),
    CASE("overflow-all", 2, true, 0, "sssssstttt", "r"),
    {0},
};
