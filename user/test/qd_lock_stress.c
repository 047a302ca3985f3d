/*
 * Many tasks delegate to one lock in all ways, and hold it: each task's sections run in order, none is lost, and each
 * runs alone.
 */
#include <string.h>

#include "heddle/qd_lock.h"
#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define SLOTS 8

static struct qd_slot slots[SLOTS];
static struct qd_lock shared_lock;

static struct qd_lock *fresh(uint32_t limit)
{
	qd_lock_create(&shared_lock, slots, SLOTS, limit);
	return &shared_lock;
}

#define DELEGATORS 12
#define ROUNDS     400

struct stress {
	struct crew crew;
	struct qd_lock *lock;
	uint64_t expected[DELEGATORS]; /* the sections': each delegator's next number */
	uint64_t inside, sections;
	bool wrong;
};

struct step {
	struct stress *stress;
	uint64_t delegator, number;
	unsigned char more[64]; /* so that it takes two slots */
};

static void take_step(size_t size, void *message)
{
	struct step *step = message;
	struct stress *stress = step->stress;
	stress->wrong |= stress->inside++ != 0;
	stress->wrong |=
	    size < offsetof(struct step, more) || stress->expected[step->delegator]++ != step->number;
	stress->sections++;
	stress->inside--;
}

/* The holder checks that it is alone. */
static bool hold(struct stress *stress, uint64_t delegator, uint64_t number)
{
	if (qd_lock(stress->lock) != HEDDLE_OK)
		return false;
	stress->wrong |= stress->inside++ != 0;
	if (number % 32 == 0)
		task_yield();
	stress->wrong |= stress->expected[delegator]++ != number;
	stress->sections++;
	stress->inside--;
	return qd_unlock(stress->lock) == HEDDLE_OK;
}

static bool delegate_into_buffer(struct stress *stress, struct step *step, size_t size)
{
	void *buffer;
	if (qd_delegate_or_lock(stress->lock, size, &buffer) != HEDDLE_OK)
		return false;
	if (!buffer) {
		take_step(size, step);
		return qd_delegate_unlock(stress->lock) == HEDDLE_OK;
	}
	memcpy(buffer, step, size);
	return qd_close_buffer(stress->lock, buffer, take_step) == HEDDLE_OK;
}

static intptr_t delegate_all_ways(size_t delegator, void *argument)
{
	struct stress *stress = argument;
	uint64_t random = delegator;
	bool wrong = false;
	for (uint64_t i = 0; i < ROUNDS; i++) {
		struct step step = {.stress = stress, .delegator = delegator, .number = i};
		uint32_t draw = random_next(&random) % 16;
		size_t size = draw & 1 ? sizeof(step) : offsetof(struct step, more);
		if (draw == 0)
			wrong |= !hold(stress, delegator, i);
		else if (draw < 4)
			wrong |= qd_delegate_wait(stress->lock, take_step, size, &step) != HEDDLE_OK;
		else if (draw < 8)
			wrong |= !delegate_into_buffer(stress, &step, size);
		else
			wrong |= qd_delegate(stress->lock, take_step, size, &step) != HEDDLE_OK;
	}
	return wrong;
}

static bool stress_run(struct stress *stress, struct qd_lock *lock)
{
	intptr_t wrong;
	*stress = (struct stress){.lock = lock};
	stress->crew = (struct crew){
	    .name = "delegators", .function = delegate_all_ways, .argument = stress, .count = DELEGATORS};
	if (crew_create(&stress->crew) != HEDDLE_OK)
		return false;
	crew_start(&stress->crew);
	crew_join(&stress->crew, &wrong);
	/* The last delegated section has run when the lock is free. */
	return qd_lock(lock) == HEDDLE_OK && qd_unlock(lock) == HEDDLE_OK && wrong == 0 && !stress->wrong &&
	       stress->sections == DELEGATORS * ROUNDS;
}

TEST(qd_lock, order_of_each_delegator)
{
	static struct stress stress;
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	CHECK(stress_run(&stress, lock));
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

/* What a helper left in the queue; then, after it reached the limit, what was queued meanwhile. */
TEST(qd_lock, helping_is_bounded)
{
	static struct stress stress;
	struct qd_lock *lock = fresh(3);
	CHECK(stress_run(&stress, lock));
	CHECK(lock->counters.longest_help <= 2 * SLOTS);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}
