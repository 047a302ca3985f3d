/*
 * The lock-free queue (sched/queue.h) used by all processors at once: order, nothing lost, nothing twice, and
 * linearizable histories of small runs. Nodes that these tests take are never freed, because memory that was a node
 * stays a node.
 */
#include "sched/queue.h"

#include "heddle/system.h"
#include "sched/node.h"
#include "user/crew.h"
#include "user/test/queue_history.h"
#include "user/test/test.h"

#define TIME_LIMIT UINT64_C(400000000) /* nanoseconds */

struct entry {
	struct queue_item item;
	struct entry *below; /* in the stack of entries that a task has in hand */
	size_t producer;     /* the task that enqueued it last */
	uint32_t sequence;   /* grows with each enqueue of a producer */
	unsigned found;      /* how often it was found at the end */
};

static bool queue_prepare(struct queue *queue)
{
	struct queue_node *sentinel = node_make();
	if (sentinel)
		queue_create(queue, sentinel);
	return sentinel != NULL;
}

static bool entry_prepare(struct entry *entry)
{
	struct queue_node *node = node_make();
	*entry = (struct entry){.found = 0};
	if (node)
		queue_item_create(&entry->item, node);
	return node != NULL;
}

static uint64_t random_next(uint64_t *state)
{
	*state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
	return *state >> 33;
}

/* ------------------------------------------------------------------------------------------ one task -- */

TEST(queue, first_in_first_out)
{
	static struct entry entries[100];
	static struct queue queue;
	CHECK(queue_prepare(&queue));
	for (unsigned i = 0; i < 100; i++)
		CHECK(entry_prepare(&entries[i]));
	for (unsigned round = 0; round < 20; round++) {
		CHECK(queue_is_empty(&queue));
		CHECK(queue_dequeue(&queue) == NULL);
		for (unsigned i = 0; i < 100; i++)
			CHECK_EQUAL(queue_enqueue(&queue, &entries[i].item), i == 0);
		CHECK(!queue_is_empty(&queue));
		for (unsigned i = 0; i < 100; i++)
			CHECK(queue_dequeue(&queue) == &entries[i].item);
	}
}

/* -------------------------------------------------------------------------------------------- stress -- */

/* Two queues, so that nodes move from one to the other. Each task puts entries in and takes them out at random; it
 * puts what it took in again later. */
struct stress {
	size_t tasks, entries_each;
	uint64_t rounds, end;
	struct queue queues[2];
	struct entry *entries; /* entries_each for each task */
	uint32_t *seen;        /* [queue][consumer][producer]: the last sequence that came out */
};

static size_t entries_bytes(const struct stress *stress)
{
	return stress->tasks * stress->entries_each * sizeof(struct entry);
}

static size_t seen_bytes(const struct stress *stress)
{
	return 2 * stress->tasks * stress->tasks * sizeof(uint32_t);
}

/* Take an entry from a queue into the hand; returns the number of errors. */
static intptr_t take(struct stress *stress, unsigned which, size_t consumer, struct entry **hand)
{
	struct entry *entry = (struct entry *)queue_dequeue(&stress->queues[which]);
	if (!entry)
		return 0;
	uint32_t *seen = &stress->seen[(which * stress->tasks + consumer) * stress->tasks + entry->producer];
	intptr_t wrong = entry->sequence <= *seen;
	*seen = entry->sequence;
	entry->below = *hand;
	*hand = entry;
	return wrong;
}

/* Returns the number of errors. Entries in hand at the end are marked as found. */
static intptr_t stress_task(size_t number, void *argument)
{
	struct stress *stress = argument;
	struct entry *hand = NULL;
	uint64_t random = heddle_seed() + number * 977;
	uint32_t sequence = 0;
	intptr_t wrong = 0;
	for (size_t i = 0; i < stress->entries_each; i++) {
		struct entry *entry = &stress->entries[number * stress->entries_each + i];
		entry->below = hand;
		hand = entry;
	}
	for (uint64_t round = 0; round < stress->rounds; round++) {
		uint64_t choice = random_next(&random);
		if (hand && choice & 2) {
			struct entry *entry = hand;
			hand = entry->below;
			entry->producer = number;
			entry->sequence = ++sequence;
			queue_enqueue(&stress->queues[choice & 1], &entry->item);
		} else {
			wrong += take(stress, choice & 1, number, &hand);
		}
		if (round % 128 == 127 && heddle_clock() > stress->end)
			break;
	}
	for (; hand; hand = hand->below)
		hand->found++;
	return wrong;
}

/* All tasks have ended: every entry was in hand or is in a queue, exactly once. */
static intptr_t stress_finish(struct stress *stress)
{
	struct entry *hand = NULL;
	intptr_t wrong = 0;
	for (unsigned which = 0; which < 2; which++) {
		for (;;) {
			struct entry *before = hand;
			wrong += take(stress, which, 0, &hand);
			if (hand == before)
				break;
			hand->found++;
		}
		wrong += !queue_is_empty(&stress->queues[which]);
	}
	for (size_t i = 0; i < stress->tasks * stress->entries_each; i++)
		wrong += stress->entries[i].found != 1;
	return wrong;
}

static bool stress_prepare(struct stress *stress)
{
	stress->entries = heddle_allocate(entries_bytes(stress));
	stress->seen = heddle_allocate(seen_bytes(stress));
	if (!stress->entries || !stress->seen)
		return false;
	for (size_t i = 0; i < seen_bytes(stress) / sizeof(uint32_t); i++)
		stress->seen[i] = 0;
	for (size_t i = 0; i < stress->tasks * stress->entries_each; i++)
		if (!entry_prepare(&stress->entries[i]))
			return false;
	return queue_prepare(&stress->queues[0]) && queue_prepare(&stress->queues[1]);
}

/* Returns the number of errors; -1: no memory. */
static intptr_t stress_run(size_t entries_each)
{
	struct stress stress = {.tasks = heddle_processors(), .entries_each = entries_each};
	struct crew crew = {.function = stress_task, .argument = &stress, .count = stress.tasks, .bound = true};
	intptr_t wrong = -1;
	stress.rounds = 400000 / stress.tasks;
	if (stress_prepare(&stress) && crew_create(&crew) == HEDDLE_OK) {
		stress.end = heddle_clock() + TIME_LIMIT;
		crew_start(&crew);
		if (crew_join(&crew, &wrong) == HEDDLE_OK)
			wrong += stress_finish(&stress);
	}
	heddle_free(stress.entries, entries_bytes(&stress));
	heddle_free(stress.seen, seen_bytes(&stress));
	return wrong;
}

/* Nearly empty all the time: head and tail are at the same node, and each node is reused at once. */
TEST(queue, stress_with_one_entry_each)
{
	CHECK_EQUAL(stress_run(1), 0);
}

TEST(queue, stress_with_many_entries_each)
{
	CHECK_EQUAL(stress_run(16), 0);
}

/* ----------------------------------------------------------------------------------- small histories -- */

#define WRITERS         3
#define OPERATIONS_EACH 5
#define HISTORY_ROUNDS  3000

_Static_assert(2 * WRITERS * OPERATIONS_EACH <= HISTORY_MAXIMUM, "what is left inside is taken out as well");

struct recording {
	struct queue queue;
	struct entry entries[WRITERS][OPERATIONS_EACH];
	struct history_operation operations[WRITERS][OPERATIONS_EACH];
	_Atomic uint64_t time;
	_Atomic uint64_t round; /* the round that the writers may do; 0: none yet */
	_Atomic uint64_t done;  /* rounds that writers have done, all together */
	atomic_bool over;
};

/* seq_cst: all starts and ends are in one order, and none moves across its operation. */
static uint64_t time_next(struct recording *recording)
{
	return atomic_fetch_add_explicit(&recording->time, 1, memory_order_seq_cst);
}

static uint32_t entry_value(const struct recording *recording, const struct queue_item *item)
{
	return item ? (uint32_t)((const struct entry *)item - &recording->entries[0][0]) + 1 : 0;
}

/* Whether operation i of a writer is an enqueue, of its own entry i, or a dequeue of any entry. */
static void operation_record(struct recording *recording, size_t writer, unsigned i, bool is_enqueue)
{
	struct history_operation *operation = &recording->operations[writer][i];
	struct queue_item *item = is_enqueue ? &recording->entries[writer][i].item : NULL;
	operation->is_enqueue = is_enqueue;
	operation->start = time_next(recording);
	if (is_enqueue)
		queue_enqueue(&recording->queue, item);
	else
		item = queue_dequeue(&recording->queue);
	operation->end = time_next(recording);
	operation->value = entry_value(recording, item);
}

static intptr_t record_rounds(size_t number, void *argument)
{
	struct recording *recording = argument;
	uint64_t random = heddle_seed() + number * 331;
	for (uint64_t round = 1;; round++) {
		/* acquire: the queue is empty again; pairs with the release in round_play */
		while (atomic_load_explicit(&recording->round, memory_order_acquire) < round) {
			if (atomic_load_explicit(&recording->over, memory_order_relaxed))
				return 0;
			task_yield();
		}
		for (unsigned i = 0; i < OPERATIONS_EACH; i++)
			operation_record(recording, number, i, random_next(&random) & 1);
		/* release: what was recorded, for round_play */
		atomic_fetch_add_explicit(&recording->done, 1, memory_order_release);
	}
}

/* Let the writers do one round, take out what is left, and check the history. */
static bool round_play(struct recording *recording, uint64_t round)
{
	struct history history = {0};
	atomic_store_explicit(&recording->round, round, memory_order_release);
	/* acquire: what was recorded */
	while (atomic_load_explicit(&recording->done, memory_order_acquire) < round * WRITERS)
		task_yield();
	for (unsigned writer = 0; writer < WRITERS; writer++)
		for (unsigned i = 0; i < OPERATIONS_EACH; i++)
			history.operations[history.count++] = recording->operations[writer][i];
	for (uint32_t value = 1; value != 0;) {
		struct history_operation *operation = &history.operations[history.count++];
		operation->start = time_next(recording);
		value = entry_value(recording, queue_dequeue(&recording->queue));
		*operation = (struct history_operation){false, value, operation->start, time_next(recording)};
	}
	return history_is_linearizable(&history);
}

TEST(queue, histories_are_linearizable)
{
	static struct recording recording;
	struct crew crew = {.function = record_rounds, .argument = &recording, .count = WRITERS, .bound = true};
	uint64_t end = heddle_clock() + TIME_LIMIT, rounds = 0;
	bool right = true;
	intptr_t unused;
	if (heddle_processors() < 2) {
		test_skip(test, "needs two processors");
		return;
	}
	recording = (struct recording){.time = 1};
	CHECK(queue_prepare(&recording.queue));
	for (unsigned i = 0; i < WRITERS * OPERATIONS_EACH; i++)
		CHECK(entry_prepare(&recording.entries[i / OPERATIONS_EACH][i % OPERATIONS_EACH]));
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	while (right && rounds < HISTORY_ROUNDS && heddle_clock() < end)
		right = round_play(&recording, ++rounds);
	atomic_store_explicit(&recording.over, true, memory_order_relaxed);
	CHECK_EQUAL(crew_join(&crew, &unused), HEDDLE_OK);
	CHECK(right);
}
