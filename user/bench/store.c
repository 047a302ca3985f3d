/*
 * An ordered set that many tasks change and search (delegation paper, section 5.2, Figures 1 and 2): each operation
 * is on a random key, either a lookup, or an insert or a delete with equal probability. The set begins with every
 * second key, so on average it has half of all keys from the start.
 */
#include "heddle/program.h"
#include "user/bench/measure.h"
#include "user/bench/random.h"
#include "user/bench/store_lock.h"
#include "user/program_run.h"

#define SHARES 10000

struct shared {
	uint64_t rounds, lookups /* of SHARES */, range;
	struct store store;
	struct store_lock lock;
	_Atomic uint64_t inserts, deletes, wrong, failed;
};

static enum store_operation_kind choose(struct random *random, uint64_t lookups)
{
	if (random_below(random, SHARES) < lookups)
		return LOOK_UP;
	return random_below(random, 2) ? INSERT : DELETE;
}

static intptr_t member(size_t number, void *argument)
{
	struct shared *shared = argument;
	struct random random = random_start(number);
	struct ccsynch_node *mine = store_lock_node(&shared->lock, number);
	uint64_t value[STORE_VALUE_MAXIMUM / sizeof(uint64_t)], counts[DELETE + 1] = {0}, wrong = 0, failed = 0;
	for (uint64_t i = 0; i < shared->rounds; i++) {
		struct store_operation operation = {.kind = choose(&random, shared->lookups),
		                                    .store = &shared->store,
		                                    .key = random_below(&random, shared->range),
		                                    .value = value,
		                                    .mine = &mine};
		if (operation.kind == INSERT)
			store_value_fill(&shared->store, value, operation.key, (uint32_t)i);
		failed += store_lock_do(&shared->lock, &operation) != HEDDLE_OK;
		wrong += operation.wrong;
		counts[operation.kind]++;
	}
	/* relaxed: read after the joins, which order them */
	atomic_fetch_add_explicit(&shared->inserts, counts[INSERT], memory_order_relaxed);
	atomic_fetch_add_explicit(&shared->deletes, counts[DELETE], memory_order_relaxed);
	atomic_fetch_add_explicit(&shared->wrong, wrong, memory_order_relaxed);
	atomic_fetch_add_explicit(&shared->failed, failed, memory_order_relaxed);
	return 0;
}

static uint64_t load(const _Atomic uint64_t *count)
{
	return atomic_load_explicit(count, memory_order_relaxed);
}

static bool store_measure(struct program_run *run, struct shared *shared)
{
	uint64_t tasks = program_value(run, "tasks"), operations = tasks * shared->rounds, duration;
	struct crew crew = {.name = "store", .function = member, .argument = shared, .count = tasks};
	intptr_t sum;
	if (!crew_measure(run, &crew, &duration, &sum))
		return false;
	uint64_t filled = (shared->range + 1) / 2;
	bool kept = store_check(&shared->store, load(&shared->inserts) + filled, load(&shared->deletes));
	bool right = load(&shared->wrong) == 0 && load(&shared->failed) == 0;
	program_result_extra(run, "updates", load(&shared->inserts) + load(&shared->deletes));
	program_result_extra(run, "kept", shared->store.books.inserted - shared->store.books.deleted);
	program_result(run, NULL, operations, duration, kept && right);
	if (!right)
		return program_failed(run, "%lu lookups found what was never inserted, %lu operations failed",
		                      load(&shared->wrong), load(&shared->failed));
	return kept || program_failed(run, "the set is out of order, does not hold what was inserted and not "
	                                   "deleted, or two tasks changed it at once");
}

/* Before other tasks use it. */
static void fill(struct shared *shared)
{
	uint64_t value[STORE_VALUE_MAXIMUM / sizeof(uint64_t)];
	for (uint64_t key = 0; key < shared->range; key += 2) {
		store_value_fill(&shared->store, value, key, 0);
		store_insert(&shared->store, key, value);
	}
}

/* Whether the parameters fit together. */
static bool options_are_right(struct program_run *run, const struct store_lock_options *options,
                              uint64_t size)
{
	if (size % sizeof(uint64_t) != 0)
		return program_failed(run, "value=%lu: allowed are multiples of 8", size);
	if (options->slots & (options->slots - 1))
		return program_failed(run, "slots=%zu: allowed are powers of two", options->slots);
	if (options->step == STEP_COPY && store_message_size(size) > HEDDLE_QD_MESSAGE_MAXIMUM(options->slots))
		return program_failed(run, "slots=%zu: too few for a message with value=%lu", options->slots, size);
	return true;
}

static bool run(struct program_run *run)
{
	struct shared shared = {.rounds = program_value(run, "rounds"),
	                        .lookups = program_value(run, "lookups"),
	                        .range = program_value(run, "range")};
	struct store_lock_options options = {.added = program_choice_added(run, "lock"),
	                                     .step = (enum store_step)program_value(run, "step"),
	                                     .users = program_value(run, "tasks"),
	                                     .slots = program_value(run, "slots"),
	                                     .limit = (uint32_t)program_value(run, "limit")};
	uint64_t size = program_value(run, "value");
	options.kind =
	    options.added == PROGRAM_NONE_ADDED ? (enum store_lock_kind)program_value(run, "lock") : LOCK_ADDED;
	if (!options_are_right(run, &options, size))
		return false;
	enum heddle_error error = store_lock_create(&shared.lock, &options);
	if (error != HEDDLE_OK) {
		store_lock_destroy(&shared.lock);
		return program_failed(run, "the lock: %s", heddle_error_text(error));
	}
	store_create(&shared.store, (uint32_t)size);
	fill(&shared);
	bool ok = store_measure(run, &shared);
	store_destroy(&shared.store);
	store_lock_destroy(&shared.lock);
	return ok;
}

/* The paper has 2^22 operations on 65,536 keys, and 1,024 keys where the size of values varies. */
static const struct program_parameter parameters[] = {
    {"lock", .help = "which lock", .choices = STORE_LOCKS, .is_lock = true},
    {"step", .help = "qd, hqd, mrqd: how updates are delegated", .choices = STORE_STEPS},
    {"lookups", 0, 0, SHARES, "how many of 10,000 operations look up; the paper has 0, 8000 and 9900"},
    {"range", 65536, 2, 10000000, "how many keys there are"},
    {"value", 8, 8, STORE_VALUE_MAXIMUM, "bytes of a value"},
    {"tasks", 64, 1, 100000, "how many tasks"},
    {"rounds", 4000, 1, 10000000, "operations of each task"},
    {"slots", HEDDLE_QD_SLOTS, 1, HEDDLE_QD_SLOTS_MAXIMUM, "qd, hqd, mrqd: slots of a queue, a power of two"},
    {"limit", HEDDLE_QD_LIMIT, 1, 1000000, "qd, hqd, mrqd: sections that a helper runs for others"},
    {0}};

HEDDLE_PROGRAM(store, "an ordered set behind one lock (delegation paper, section 5)", parameters, run);
