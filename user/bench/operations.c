/*
 * Single basic operations between marks: tools/measure/instructions/ counts from outside how many instructions of the
 * kernel each takes. On one processor, with a long quantum, that is the same each time. Each result line has the
 * duration, too.
 */
#include "heddle/channel.h"
#include "heddle/mutex.h"
#include "heddle/program.h"
#include "heddle/qd_lock.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "heddle/system.h"
#include "sched/node.h"
#include "sched/queue.h"
#include "user/bench/marks.h"
#include "user/crew.h"

#define BATCH 50 /* sections delegated at a time: fewer than fit in the queue */

struct measurement {
	uint64_t rounds;
	/* the results */
	uint64_t operations, start, duration;
	bool ok;
};

static void measure_begin(struct measurement *measurement)
{
	measurement->start = heddle_clock();
	marks_begin();
}

static void measure_end(struct measurement *measurement, uint64_t operations, bool ok)
{
	marks_end();
	measurement->duration = heddle_clock() - measurement->start;
	measurement->operations = operations;
	measurement->ok = ok;
}

/* ------------------------------------------------------------------------------------------ one task -- */

static void measure_mutex(struct measurement *measurement)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	bool ok = true;
	measure_begin(measurement);
	for (uint64_t i = 0; i < measurement->rounds; i++)
		ok &= mutex_lock(&mutex) == HEDDLE_OK && mutex_unlock(&mutex) == HEDDLE_OK;
	measure_end(measurement, measurement->rounds, ok);
}

static void measure_semaphore(struct measurement *measurement)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(1);
	bool ok = true;
	measure_begin(measurement);
	for (uint64_t i = 0; i < measurement->rounds; i++)
		ok &= semaphore_acquire(&semaphore, 1) == HEDDLE_OK && semaphore_release(&semaphore, 1) == HEDDLE_OK;
	measure_end(measurement, measurement->rounds, ok);
}

static void measure_read_lock(struct measurement *measurement)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	bool ok = true;
	measure_begin(measurement);
	for (uint64_t i = 0; i < measurement->rounds; i++)
		ok &=
		    reader_writer_lock_read(&lock) == HEDDLE_OK && reader_writer_lock_read_unlock(&lock) == HEDDLE_OK;
	measure_end(measurement, measurement->rounds, ok);
}

static void measure_channel(struct measurement *measurement)
{
	struct channel channel;
	uint64_t buffer[4], message = 1;
	bool ok = channel_create(&channel, buffer, sizeof(message), 4) == HEDDLE_OK;
	measure_begin(measurement);
	for (uint64_t i = 0; i < measurement->rounds; i++)
		ok &=
		    channel_send(&channel, &message) == HEDDLE_OK && channel_receive(&channel, &message) == HEDDLE_OK;
	measure_end(measurement, measurement->rounds, ok && message == 1);
}

/* Nodes are never freed, so all runs share one queue. */
static void measure_queue(struct measurement *measurement)
{
	static struct queue queue;
	static struct queue_item item;
	if (!item.node) {
		struct queue_node *sentinel = node_make(), *node = node_make();
		if (!sentinel || !node)
			return;
		queue_create(&queue, sentinel);
		queue_item_create(&item, node);
	}
	bool ok = true;
	measure_begin(measurement);
	for (uint64_t i = 0; i < measurement->rounds; i++) {
		queue_enqueue(&queue, &item);
		ok &= queue_dequeue(&queue) == &item;
	}
	measure_end(measurement, measurement->rounds, ok);
}

/* ---------------------------------------------------------------------------------------- two tasks -- */

struct pair {
	struct measurement *measurement;
	struct crew crew;
	void (*operation)(struct pair *pair, size_t number);
};

static void yield_to_other(struct pair *pair, size_t number)
{
	(void)pair;
	(void)number;
	task_yield();
}

/* One suspends itself before it resumes the other, the other one after that. */
static void wake_other(struct pair *pair, size_t number)
{
	if (number == 1)
		task_suspend();
	task_resume(crew_task(&pair->crew, !number));
	if (number == 0)
		task_suspend();
}

/* The two tasks take turns. The first measures, beginning after the other has begun: as many operations of its own as
 * of the other's. */
static intptr_t pair_member(size_t number, void *argument)
{
	struct pair *pair = argument;
	struct measurement *measurement = pair->measurement;
	pair->operation(pair, number);
	if (number == 0)
		measure_begin(measurement);
	for (uint64_t i = 0; i < measurement->rounds; i++)
		pair->operation(pair, number);
	if (number == 0)
		measure_end(measurement, 2 * measurement->rounds, true);
	return 0;
}

static void measure_pair(struct measurement *measurement, void (*operation)(struct pair *pair, size_t number))
{
	struct pair pair = {.measurement = measurement,
	                    .operation = operation,
	                    .crew = {.name = "pair", .function = pair_member, .argument = &pair, .count = 2}};
	intptr_t unused;
	if (crew_create(&pair.crew) != HEDDLE_OK)
		return;
	crew_start(&pair.crew);
	measurement->ok &= crew_join(&pair.crew, &unused) == HEDDLE_OK;
}

static void measure_yield(struct measurement *measurement)
{
	measure_pair(measurement, yield_to_other);
}

static void measure_suspend(struct measurement *measurement)
{
	measure_pair(measurement, wake_other);
}

struct delegation {
	struct qd_lock lock;
	uint64_t batches, sections;
};

static void section(size_t size, void *message)
{
	(void)size;
	(*(struct delegation **)message)->sections++;
}

/* Delegates a batch to the holder, each time that it has the lock. */
static intptr_t delegate_batches(size_t number, void *argument)
{
	struct delegation *delegation = argument;
	(void)number;
	for (uint64_t i = 0; i < delegation->batches; i++) {
		for (unsigned j = 0; j < BATCH; j++)
			qd_delegate(&delegation->lock, section, sizeof(delegation), &delegation);
		task_yield();
	}
	return 0;
}

static void measure_delegation(struct measurement *measurement)
{
	static struct qd_slot slots[HEDDLE_QD_SLOTS];
	struct delegation delegation = {.lock =
	                                    HEDDLE_QD_LOCK_INITIALIZER(slots, HEDDLE_QD_SLOTS, HEDDLE_QD_LIMIT),
	                                .batches = (measurement->rounds + BATCH - 1) / BATCH};
	struct crew crew = {
	    .name = "delegation", .function = delegate_batches, .argument = &delegation, .count = 1};
	intptr_t unused;
	if (crew_create(&crew) != HEDDLE_OK)
		return;
	crew_start(&crew);
	measure_begin(measurement);
	for (uint64_t i = 0; i < delegation.batches; i++) {
		qd_lock(&delegation.lock);
		task_yield();
		qd_unlock(&delegation.lock);
	}
	measure_end(measurement, delegation.batches * BATCH, true);
	measurement->ok = crew_join(&crew, &unused) == HEDDLE_OK &&
	                  delegation.sections == delegation.batches * BATCH &&
	                  (heddle_processors() > 1 || delegation.lock.counters.helped == delegation.sections);
}

/* --------------------------------------------------------------------------------------- many tasks -- */

struct hand_over {
	struct mutex mutex;
	struct measurement *measurement;
	_Atomic uint64_t came;
	uint64_t passed; /* with the mutex held */
};

static intptr_t hand_over_member(size_t number, void *argument)
{
	struct hand_over *hand_over = argument;
	(void)number;
	/* relaxed: only counted */
	atomic_fetch_add_explicit(&hand_over->came, 1, memory_order_relaxed);
	mutex_lock(&hand_over->mutex);
	if (++hand_over->passed == hand_over->measurement->rounds)
		measure_end(hand_over->measurement, hand_over->measurement->rounds, true);
	mutex_unlock(&hand_over->mutex);
	return 0;
}

/* All tasks wait at a mutex, and hand it on one after the other. */
static void measure_exchange(struct measurement *measurement)
{
	struct hand_over hand_over = {.mutex = HEDDLE_MUTEX_INITIALIZER, .measurement = measurement};
	struct crew crew = {.name = "exchange",
	                    .function = hand_over_member,
	                    .argument = &hand_over,
	                    .count = measurement->rounds};
	intptr_t unused;
	if (crew_create(&crew) != HEDDLE_OK)
		return;
	mutex_lock(&hand_over.mutex);
	crew_start(&crew);
	while (atomic_load_explicit(&hand_over.came, memory_order_relaxed) < measurement->rounds)
		task_yield();
	measure_begin(measurement);
	mutex_unlock(&hand_over.mutex);
	measurement->ok &= crew_join(&crew, &unused) == HEDDLE_OK && hand_over.passed == measurement->rounds;
}

enum life_part { CREATE, EXIT, JOIN, LIFE_PARTS };

static intptr_t end_at_once(void *argument)
{
	/* relaxed: only counted */
	atomic_fetch_add_explicit((_Atomic uint64_t *)argument, 1, memory_order_relaxed);
	return 0;
}

static bool life_part_run(enum life_part part, struct task **tasks, uint64_t count)
{
	static _Atomic uint64_t ended;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	bool ok = true;
	options.stack_size = HEDDLE_TASK_STACK_MINIMUM;
	if (part == CREATE) {
		atomic_store_explicit(&ended, 0, memory_order_relaxed);
		for (uint64_t i = 0; i < count && ok; i++)
			ok = task_create(&tasks[i], end_at_once, &ended, &options) == HEDDLE_OK;
	} else if (part == EXIT) {
		while (atomic_load_explicit(&ended, memory_order_relaxed) < count)
			task_yield();
	} else {
		for (uint64_t i = 0; i < count; i++)
			ok &= task_join(tasks[i], NULL) == HEDDLE_OK;
	}
	return ok;
}

/* All phases of many tasks' lives: the first time to allocate the memory, then again, measuring one of the phases. */
static void measure_life(struct measurement *measurement, enum life_part measured)
{
	uint64_t count = measurement->rounds;
	struct task **tasks = heddle_allocate(count * sizeof(struct task *));
	bool ok = tasks != NULL;
	for (unsigned i = 0; i < 2 * LIFE_PARTS && ok; i++) {
		enum life_part part = i % LIFE_PARTS;
		bool measures = i >= LIFE_PARTS && part == measured;
		if (measures)
			measure_begin(measurement);
		ok = life_part_run(part, tasks, count);
		if (measures)
			measure_end(measurement, count, ok);
	}
	measurement->ok &= ok;
	heddle_free(tasks, count * sizeof(struct task *));
}

static void measure_create(struct measurement *measurement)
{
	measure_life(measurement, CREATE);
}

static void measure_exit(struct measurement *measurement)
{
	measure_life(measurement, EXIT);
}

static void measure_join(struct measurement *measurement)
{
	measure_life(measurement, JOIN);
}

/* ---------------------------------------------------------------------------------------------- run -- */

static const struct {
	const char *name;
	void (*measure)(struct measurement *measurement);
} operations[] = {{"yield", measure_yield},
                  {"suspend and resume", measure_suspend},
                  {"create", measure_create},
                  {"start and exit", measure_exit},
                  {"join", measure_join},
                  {"mutex", measure_mutex},
                  {"exchange", measure_exchange},
                  {"semaphore", measure_semaphore},
                  {"channel", measure_channel},
                  {"read lock", measure_read_lock},
                  {"delegation", measure_delegation},
                  {"queue", measure_queue}};
#define OPERATIONS (sizeof(operations) / sizeof(*operations))

/* Results are printed after everything is measured, because printing causes later work on the processors. */
static bool run(struct program_run *run)
{
	struct measurement measurements[OPERATIONS];
	bool ok = true;
	for (unsigned i = 0; i < OPERATIONS; i++) {
		measurements[i] = (struct measurement){.rounds = program_value(run, "rounds")};
		operations[i].measure(&measurements[i]);
	}
	for (unsigned i = 0; i < OPERATIONS; i++)
		ok &= program_result(run, operations[i].name, measurements[i].operations, measurements[i].duration,
		                     measurements[i].ok);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"rounds", 200, BATCH, 1000000, "repetitions of each, or number of tasks"}, {0}};

HEDDLE_PROGRAM(operations, "basic operations, each alone, whose instructions are counted from outside",
               parameters, run);
