/*
 * The queue and its hazard pointers.
 *
 * A program is words: `a>Q` enqueues item a to queue Q, `Q>` dequeues from Q, `>R` enqueues what this processor's
 * last dequeue returned, if anything. Each processor's pool starts as if it had enqueued `worn` times before, which
 * determines how many of its nodes are spare, how many are retired, and what its hazard slots hold. Pools are as
 * small as possible, so that nodes are soon reused.
 */
#include "explorer.h"
#include "history.h"

#include <string.h>

#include "sched/hazard.c"
#include "sched/queue.c"

#ifdef PAPER_QUEUE
#	include "sched/paper_queue.c"
#endif

#define ITEMS       5
#define QUEUES      2 /* Q and R */
#define NODES       (EXPLORE_PROCESSORS * 8 + ITEMS + QUEUES + 1)
#define POOL_MEMORY 512

struct script {
	unsigned worn;
	const char *start[QUEUES]; /* items that are in the queues at the start */
	const char *programs[EXPLORE_PROCESSORS];
};

static struct queue queues[QUEUES];
static struct queue_item items[ITEMS];
static struct queue_node nodes[NODES];
static unsigned char pool_memory[EXPLORE_PROCESSORS][POOL_MEMORY] __attribute__((aligned(8)));
static uint8_t taken[EXPLORE_PROCESSORS]; /* what the last dequeue returned: 0, or the number of the item */
static unsigned nodes_used;

_Noreturn void panic(const char *format, ...)
{
	explore_fail("panic: %s", format);
}

/* ---- the kind of queue ---- */

static uint8_t seen[NODES];

static const char *node_see(const struct queue_node *node)
{
	if (node < nodes || node >= nodes + NODES)
		return "what should be a node is none";
	return seen[node - nodes]++ ? "a node is in two places" : NULL;
}

#ifdef PAPER_QUEUE
#	define SET "paper_queue."

static void kind_create(unsigned processor)
{
	paper_pool_create(processor, &nodes[nodes_used], &nodes[nodes_used + 1]);
	nodes_used += 2;
}

static void kind_enqueue(struct queue *queue, struct queue_item *item)
{
	paper_enqueue(queue, item);
}

static struct queue_item *kind_dequeue(struct queue *queue)
{
	return paper_dequeue(queue);
}

static void enqueue_and_tell(struct queue *queue, struct queue_item *item)
{
	kind_enqueue(queue, item);
	history_put_return();
}

static const char *pool_check(unsigned processor)
{
	const char *wrong = node_see(atomic_load_explicit(&paper_pools[processor].first, memory_order_relaxed));
	return wrong ? wrong
	             : node_see(atomic_load_explicit(&paper_pools[processor].second, memory_order_relaxed));
}
#else
#	define SET "queue."

static void kind_create(unsigned processor)
{
	if (queue_pool_bytes(processor_count) > POOL_MEMORY)
		explore_fail("POOL_MEMORY is too small");
	queue_processor_create(processor, &nodes[nodes_used], pool_memory[processor]);
	nodes_used += (unsigned)QUEUE_POOL_SIZE(processor_count);
}

static void kind_enqueue(struct queue *queue, struct queue_item *item)
{
	queue_enqueue(queue, item);
}

static struct queue_item *kind_dequeue(struct queue *queue)
{
	return queue_dequeue(queue);
}

static void enqueue_and_tell(struct queue *queue, struct queue_item *item)
{
	history_put_return_first(queue_enqueue(queue, item));
}

static const char *pool_check(unsigned processor)
{
	const struct queue_pool *pool = &pools[processor];
	if (pool->spare_count + pool->retired_count != QUEUE_POOL_SIZE(processor_count))
		return "a pool has lost nodes or has too many";
	for (size_t i = 0; i < pool->spare_count + pool->retired_count; i++) {
		const char *wrong =
		    node_see(i < pool->spare_count ? pool->spare[i] : pool->retired[i - pool->spare_count]);
		if (wrong)
			return wrong;
	}
	return NULL;
}
#endif

/* ---- set up ---- */

static void name_all(void)
{
	for (unsigned i = 0; i < NODES; i++) {
		explore_name(&nodes[i], sizeof nodes[i], "node%u", i);
		explore_name(&nodes[i].next, sizeof nodes[i].next, "node%u.next", i);
		explore_name(&nodes[i].item, sizeof nodes[i].item, "node%u.item", i);
	}
	for (unsigned i = 0; i < ITEMS; i++) {
		explore_name(&items[i], sizeof items[i] + 1, "%c", 'a' + (int)i);
		explore_name(&items[i].node, sizeof items[i].node, "%c.node", 'a' + (int)i);
	}
	for (unsigned i = 0; i < QUEUES; i++) {
		explore_name(&queues[i].head, sizeof queues[i].head, "%c.head", 'Q' + (int)i);
		explore_name(&queues[i].tail, sizeof queues[i].tail, "%c.tail", 'Q' + (int)i);
	}
	for (unsigned i = 0; i < EXPLORE_PROCESSORS; i++) {
		explore_name(&hazard_slots[i].first, sizeof hazard_slots[i].first, "hazard%u.first", i);
		explore_name(&hazard_slots[i].second, sizeof hazard_slots[i].second, "hazard%u.second", i);
	}
}

/* Enqueue and dequeue an item in a queue that is then dropped. */
static void pool_wear(unsigned processor, unsigned times)
{
	struct queue scratch;
	struct queue_item item;
	explore_set_up_as(processor);
	queue_create(&scratch, &nodes[nodes_used++]);
	queue_item_create(&item, &nodes[nodes_used++]);
	for (unsigned i = 0; i < times; i++) {
		kind_enqueue(&scratch, &item);
		kind_dequeue(&scratch);
	}
}

static void set_up(const struct explore_case *explored)
{
	const struct script *script = explored->script;
	name_all();
	explore_watch(items, sizeof items);
	for (unsigned i = 0; i < explored->processors; i++)
		kind_create(i);
	for (unsigned i = 0; i < QUEUES; i++)
		queue_create(&queues[i], &nodes[nodes_used++]);
	for (unsigned i = 0; i < ITEMS; i++)
		queue_item_create(&items[i], &nodes[nodes_used++]);
	explore_set_up_as(0);
	for (unsigned i = 0; i < QUEUES; i++)
		for (const char *c = script->start[i]; c && *c; c++) {
			kind_enqueue(&queues[i], &items[*c - 'a']);
			history_start_with(i, (unsigned)(*c - 'a' + 1));
		}
	for (unsigned i = 0; i < explored->processors; i++)
		pool_wear(i, script->worn);
	/* The nodes of the scratch queues do not count. */
	for (unsigned i = 0; i < explored->processors; i++) {
		atomic_store_explicit(&hazard_slots[i].first, NULL, memory_order_relaxed);
		atomic_store_explicit(&hazard_slots[i].second, NULL, memory_order_relaxed);
	}
}

/* ---- programs ---- */

static void enqueue(unsigned queue, unsigned item)
{
	history_put_call(queue, item);
	enqueue_and_tell(&queues[queue], &items[item - 1]);
}

static unsigned dequeue(unsigned queue)
{
	history_take_call(queue);
	struct queue_item *item = kind_dequeue(&queues[queue]);
	if (item && (item < items || item >= items + ITEMS))
		explore_fail("what was dequeued is no item");
	unsigned number = item ? (unsigned)(item - items) + 1 : 0;
	history_take_return(number);
	return number;
}

static void program(const struct explore_case *explored, unsigned processor)
{
	const char *word = ((const struct script *)explored->script)->programs[processor];
	for (; *word; word += word[strcspn(word, " ")] ? strcspn(word, " ") + 1 : strlen(word)) {
		if (word[0] == '>') {
			if (taken[processor])
				enqueue((unsigned)(word[1] - 'Q'), taken[processor]);
		} else if (word[0] >= 'a') {
			enqueue((unsigned)(word[2] - 'Q'), (unsigned)(word[0] - 'a' + 1));
		} else {
			taken[processor] = (uint8_t)dequeue((unsigned)(word[0] - 'Q'));
		}
	}
}

/* ---- check ---- */

/* Walk the queue; records its items in *contents and *queued. */
static const char *queue_check(struct queue *queue, uint32_t *contents, unsigned *queued)
{
	struct queue_node *node = atomic_load_explicit(&queue->head, memory_order_relaxed);
	struct queue_node *tail = atomic_load_explicit(&queue->tail, memory_order_relaxed);
	unsigned length = 0;
	for (;; length++) {
		const char *wrong = node_see(node);
		if (wrong)
			return wrong;
		struct queue_node *next = atomic_load_explicit(&node->next, memory_order_relaxed);
		if (!next)
			break;
		struct queue_item *item = atomic_load_explicit(&next->item, memory_order_relaxed);
		if (item < items || item >= items + ITEMS)
			return "a node in a queue has no item";
		*contents |= (uint32_t)(item - items + 1) << (4 * length);
		*queued |= 1u << (item - items);
		node = next;
	}
	return node == tail ? NULL : "the tail of a queue is not its last node";
}

/* Every node is in one place, and the queues contain the right items. */
static const char *check(const struct explore_case *explored)
{
	const char *wrong = NULL;
	uint32_t contents[HISTORY_LISTS] = {0};
	unsigned queued = 0;
	memset(seen, 0, sizeof seen);
	for (unsigned i = 0; i < QUEUES && !wrong; i++)
		wrong = queue_check(&queues[i], &contents[i], &queued);
	for (unsigned i = 0; i < explored->processors && !wrong; i++)
		wrong = pool_check(i);
	for (unsigned i = 0; i < ITEMS && !wrong; i++)
		if (!(queued & 1u << i))
			wrong = node_see(items[i].node);
	if (!wrong && !history_may_contain(contents))
		wrong = "the queues do not contain what they must: an item is lost, doubled or in the wrong place";
	return wrong;
}

/* ---- cases ---- */

#define CASE(title, count, longer, ...)                                                                    \
	{                                                                                                      \
		.name = SET title, .processors = count, .long_run = longer, .script = &(struct script)__VA_ARGS__, \
		.set_up = set_up, .program = program, .check = check                                               \
	}

const struct explore_case explore_cases[] = {
    CASE("two-enqueue", 2, false, {0, {0}, {"a>Q b>Q", "c>Q d>Q"}}),
    CASE("enqueue-dequeue", 2, false, {0, {0}, {"a>Q b>Q", "Q> Q>"}}),
    CASE("two-dequeue", 2, false, {0, {"abc"}, {"Q> Q>", "Q> Q>"}}),
    CASE("both-take-and-return", 2, false, {2, {"ab"}, {"Q> >Q Q>", "Q> >Q Q>"}}),
    CASE("both-return-twice", 2, false, {2, {"a"}, {"Q> >Q Q> >Q", "Q> >Q Q> >Q"}}),
    CASE("enqueue-while-recycled", 2, false, {2, {0}, {"a>Q", "Q> >Q Q> >Q"}}),
    CASE("exchange", 2, false, {2, {"ab", "c"}, {"Q> >R Q>", "R> >Q R>"}}),
    CASE("exchange-twice", 2, false, {2, {"a", "b"}, {"Q> >R R> >Q", "R> >Q Q> >R"}}),
    CASE("move-while-recycled", 2, false, {2, {"a"}, {"Q> b>R", "Q> >R R> >Q Q> >R"}}),
    CASE("into-another", 2, false, {2, {0}, {"a>Q b>Q Q>", "Q> >Q Q> >R R> >R R> >R R> >R R> >R"}}),
    CASE("three-enqueue", 3, false, {0, {0}, {"a>Q", "b>Q", "c>Q"}}),
    CASE("three-dequeue", 3, false, {0, {"ab"}, {"Q>", "Q>", "Q>"}}),
    CASE("three-mixed", 3, false, {4, {"a"}, {"b>Q", "Q>", "Q> >Q"}}),
    CASE("three-return", 3, true, {4, {"ab"}, {"Q> >Q", "Q> >Q", "Q> >Q"}}),
    {0},
};
