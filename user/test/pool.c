#include "kernel/pool.h"

#include "heddle/attributes.h"
#include "heddle/system.h"
#include "user/crew.h"
#include "user/test/hoard.h"
#include "user/test/test.h"

#define ROUNDS  40000
#define OBJECTS 5000
#define HELD    100

struct thing {
	struct pool_object pooled;
	atomic_uint holders;
	struct thing *below;
	uint64_t value;
};

static struct thing *thing_take(struct pool *pool)
{
	return (struct thing *)pool_take(pool);
}

/* Free all things of a stack; returns how many. */
static unsigned things_give(struct pool *pool, struct thing *top)
{
	unsigned count = 0;
	for (; top; count++) {
		struct thing *thing = top;
		top = thing->below;
		pool_give(pool, &thing->pooled);
	}
	return count;
}

/* Called inside the pool's own code, where no task is switched; so is `prepare`. */
HEDDLE_UNCOOPERATIVE_FUNCTION static void count_visit(struct pool_object *object, void *argument)
{
	struct thing *thing = (struct thing *)object;
	uint64_t *sum = argument;
	*sum += thing->value;
}

TEST(pool, made_once_and_kept)
{
	static struct pool pool;
	struct thing *top = NULL;
	uint64_t sum = 0, expected = 0;

	pool_create(&pool, "test", sizeof(struct thing), NULL);
	CHECK_EQUAL(pool_count(&pool).objects, 0);
	for (unsigned i = 0; i < OBJECTS; i++) {
		struct thing *thing = thing_take(&pool);
		CHECK(thing);
		CHECK_EQUAL((uintptr_t)thing % 16, 0);
		CHECK(thing->value == 0 && !thing->below);
		thing->below = top;
		top = thing;
		thing->value = i;
		expected += i;
	}
	pool_visit(&pool, count_visit, &sum);
	CHECK_EQUAL(sum, expected);
	CHECK_EQUAL(things_give(&pool, top), OBJECTS);
	CHECK_EQUAL(pool_count(&pool).objects, OBJECTS);
	CHECK_EQUAL(pool_count(&pool).free, OBJECTS);
	top = NULL;
	for (unsigned i = 0; i < OBJECTS; i++) {
		struct thing *thing = thing_take(&pool);
		expected -= thing->value;
		thing->below = top;
		top = thing;
	}
	CHECK_EQUAL(expected, 0);
	CHECK_EQUAL(pool_count(&pool).objects, OBJECTS);
	CHECK_EQUAL(pool_count(&pool).free, 0);
	things_give(&pool, top);
}

/* Also for sizes of which few or none fit in a slab. */
TEST(pool, aligned_objects_of_any_size)
{
	static const size_t sizes[] = {16, 48, 64, 192, 1000, 4096, 20000, 70000};
	for (unsigned i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		struct pool pool;
		struct pool_object *objects[8];
		pool_create(&pool, "test", sizes[i], NULL);
		for (unsigned j = 0; j < 8; j++) {
			objects[j] = pool_take(&pool);
			CHECK(objects[j]);
			CHECK_EQUAL((uintptr_t)objects[j] % (sizes[i] % 64 == 0 ? 64 : 16), 0);
			for (unsigned k = 0; k < j; k++)
				CHECK((char *)objects[k] + sizes[i] <= (char *)objects[j] ||
				      (char *)objects[j] + sizes[i] <= (char *)objects[k]);
		}
		for (unsigned j = 0; j < 8; j++)
			pool_give(&pool, objects[j]);
	}
}

static unsigned preparations, refusals;

HEDDLE_UNCOOPERATIVE_FUNCTION static bool prepare(struct pool *pool, struct pool_object *object)
{
	(void)pool;
	struct thing *thing = (struct thing *)object;
	if (refusals > 0) {
		refusals--;
		return false;
	}
	thing->value = ++preparations;
	return true;
}

TEST(pool, prepared_once)
{
	static struct pool pool;
	preparations = 0;
	refusals = 3;
	pool_create(&pool, "test", sizeof(struct thing), prepare);
	for (unsigned i = 0; i < 3; i++)
		CHECK(!pool_take(&pool));
	CHECK_EQUAL(pool_count(&pool).objects, 0);
	struct thing *one = thing_take(&pool), *other = thing_take(&pool);
	CHECK(one && other);
	CHECK_EQUAL(one->value, 1);
	CHECK_EQUAL(other->value, 2);
	pool_give(&pool, &one->pooled);
	CHECK(thing_take(&pool) == one);
	CHECK_EQUAL(preparations, 2);
	CHECK_EQUAL(pool_count(&pool).objects, 2);
	pool_give(&pool, &one->pooled);
	pool_give(&pool, &other->pooled);
}

TEST(pool, exhausted_and_back)
{
	static struct pool pool;
	struct hoard hoard;
	struct thing *top = NULL, *thing;
	unsigned count = 0;

	pool_create(&pool, "test", sizeof(struct thing), NULL);
	top = thing_take(&pool);
	CHECK(top);
	hoard_fill(&hoard);
	for (; (thing = thing_take(&pool)); count++) {
		thing->below = top;
		top = thing;
	}
	bool refused = !thing_take(&pool);
	hoard_empty(&hoard);
	thing = thing_take(&pool);
	things_give(&pool, top);
	CHECK(refused && thing);
	CHECK(count > 0);
	pool_give(&pool, &thing->pooled);
	CHECK_EQUAL(pool_count(&pool).objects, count + 2);
	CHECK_EQUAL(pool_count(&pool).free, count + 2);
}

/* A freed object is in this processor's magazine or reachable by all, whatever a magazine holds. */
TEST(pool, any_weight)
{
	for (size_t weight = 1; weight < (size_t)1 << 40; weight *= 16) {
		struct pool pool;
		struct thing *top = NULL;
		pool_create(&pool, "test", sizeof(struct thing), NULL);
		pool_set_weight(&pool, weight);
		for (unsigned round = 0; round < 3; round++) {
			top = NULL;
			for (unsigned i = 0; i < HELD; i++) {
				struct thing *thing = thing_take(&pool);
				CHECK(thing);
				thing->below = top;
				top = thing;
			}
			CHECK_EQUAL(things_give(&pool, top), HELD);
			CHECK_EQUAL(pool_count(&pool).objects, HELD);
			CHECK_EQUAL(pool_count(&pool).free, HELD);
		}
	}
}

struct market {
	struct pool pool;
	_Atomic(struct thing *) stalls[HELD];
};

/* Take objects and leave each at a stall, where another processor may find and free it. Returns how often an
 * allocated object was already in use. */
static intptr_t trade(size_t number, void *argument)
{
	struct market *market = argument;
	intptr_t errors = 0;

	for (size_t round = 0; round < ROUNDS / heddle_processors(); round++) {
		struct thing *thing = thing_take(&market->pool);
		if (!thing)
			return errors + 1;
		errors += atomic_exchange_explicit(&thing->holders, 1, memory_order_relaxed) != 0;
		thing->value = round;
		/* release: the value; acquire: the other task's value. */
		size_t stall = (round * 17 + number * 5) % HELD;
		thing = atomic_exchange_explicit(&market->stalls[stall], thing, memory_order_acq_rel);
		if (!thing)
			continue;
		errors += thing->value > ROUNDS;
		atomic_store_explicit(&thing->holders, 0, memory_order_relaxed);
		pool_give(&market->pool, &thing->pooled);
	}
	return errors;
}

TEST(pool, each_to_one_processor)
{
	static struct market market;
	intptr_t errors;
	unsigned left = 0;
	struct crew crew = {.name = "trader",
	                    .function = trade,
	                    .argument = &market,
	                    .count = heddle_processors(),
	                    .processors = heddle_processors()};

	pool_create(&market.pool, "test", sizeof(struct thing), NULL);
	for (unsigned i = 0; i < HELD; i++)
		atomic_store_explicit(&market.stalls[i], NULL, memory_order_relaxed);
	CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
	crew_start(&crew);
	CHECK_EQUAL(crew_join(&crew, &errors), HEDDLE_OK);
	CHECK_EQUAL(errors, 0);
	for (unsigned i = 0; i < HELD; i++)
		left += atomic_load_explicit(&market.stalls[i], memory_order_relaxed) != NULL;
	struct pool_count count = pool_count(&market.pool);
	CHECK_EQUAL(count.free, count.objects - left);
	CHECK(count.objects <= left + 2 * POOL_BATCH * (heddle_processors() + 1));
}
