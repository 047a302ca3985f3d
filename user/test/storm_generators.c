/*
 * Turns of the storm: generators, on the caller's stack or on their own, that do what tasks do between two values;
 * some end, some are destroyed before.
 */
#include "heddle/generator.h"

#include "heddle/mutex.h"
#include "user/test/storm.h"

#define STACK 8192 /* sleeping or locking needs some 4 KiB */

static struct mutex mutex;
static uint64_t counted, expected;

static bool prepare(void)
{
	mutex = (struct mutex)HEDDLE_MUTEX_INITIALIZER;
	counted = expected = 0;
	return true;
}

/* The values count up; every third comes from inside a section that spans the yield. */
static void count(struct generator_body *body, void *argument)
{
	struct storm_task *self = argument;
	for (intptr_t i = 1; i <= 10; i++) {
		enum heddle_error error = HEDDLE_BUSY;
		if (i % 3 == 0)
			STORM_GIVES(error = STORM_CALL(self, mutex_lock(&mutex)), storm_waits(HEDDLE_NO_DEADLINE));
		if (error == HEDDLE_OK)
			counted++;
		generator_yield(body, i);
		if (error == HEDDLE_OK) {
			expected++;
			STORM_CHECK(counted == expected);
			STORM_OK(STORM_CALL(self, mutex_unlock(&mutex)));
		}
		if (storm_draw(self, 4) == 0)
			task_yield();
	}
}

/* The generator is destroyed only where it holds nothing. */
static void turn(struct storm_task *self)
{
	char stack[STACK];
	struct generator numbers;
	bool own = storm_draw(self, 2);
	intptr_t end = storm_draw(self, 3) ? INTPTR_MAX : 1 + (intptr_t)storm_draw(self, 3) * 3;
	enum heddle_error error =
	    generator_create(&numbers, own ? NULL : stack, own ? STACK : sizeof(stack), count, self);
	if (!STORM_GIVES(error, STORM_BIT(HEDDLE_OK) | (own ? STORM_BIT(HEDDLE_NO_MEMORY) : 0)))
		return;
	intptr_t last = 0;
	while (last < end && generator_resume(&numbers) == HEDDLE_OK) {
		STORM_CHECK(generator_value(&numbers) == last + 1);
		last = generator_value(&numbers);
	}
	STORM_CHECK(last == (end < 10 ? end : 10));
	STORM_OK(generator_destroy(&numbers));
}

static void finish(void)
{
	STORM_CHECK(counted == expected);
	STORM_OK(mutex_destroy(&mutex));
}

const struct storm_kind storm_generators = {
    .name = "generators", .weight = 3, .prepare = prepare, .turn = turn, .finish = finish};
