/*
 * The delegation lock for many readers, and the one with a queue for each node.
 */
#include "heddle/hqd_lock.h"
#include "heddle/mrqd_lock.h"

#include <string.h>

#include "sync/delegation/queue.h"
#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define SLOTS  8
#define TASKS  12
#define ROUNDS 300

static struct qd_slot slots[HEDDLE_HQD_NODES_MAXIMUM * SLOTS];
static struct mrqd_lock readers_lock = HEDDLE_MRQD_LOCK_INITIALIZER(slots, SLOTS, 5);
static struct hqd_lock node_lock;

/* Two halves that are equal except while a section runs; and what each task has added. */
struct shared {
	uint64_t first, second, of_task[TASKS];
	_Atomic unsigned wrong;
};

static struct shared shared;

static void add(size_t size, void *message)
{
	size_t task;
	memcpy(&task, message, sizeof(task));
	if (size != sizeof(task) || shared.first != shared.second)
		atomic_fetch_add(&shared.wrong, 1);
	shared.first++;
	shared.of_task[task]++;
	shared.second++;
}

/* Every reader sees everything that it has delegated before. */
static intptr_t add_and_read(size_t number, void *unused)
{
	(void)unused;
	uint64_t random = number, added = 0;
	for (unsigned i = 0; i < ROUNDS; i++) {
		enum heddle_error error;
		uint32_t draw = random_next(&random) % 8;
		if (draw < 4) {
			error = mrqd_read_lock(&readers_lock);
			if (shared.first != shared.second || shared.of_task[number] != added)
				atomic_fetch_add(&shared.wrong, 1);
			if (draw == 0)
				task_yield();
			mrqd_read_unlock(&readers_lock);
		} else if (draw < 7) {
			error = mrqd_delegate(&readers_lock, add, sizeof(number), &number);
			added++;
		} else {
			error = mrqd_delegate_wait(&readers_lock, add, sizeof(number), &number);
			added++;
		}
		if (error != HEDDLE_OK)
			atomic_fetch_add(&shared.wrong, 1);
	}
	return (intptr_t)added;
}

static bool run_crew(intptr_t (*function)(size_t, void *), intptr_t *added)
{
	struct crew crew = {.name = "adder", .function = function, .count = TASKS};
	memset(&shared, 0, sizeof(shared));
	if (crew_create(&crew) != HEDDLE_OK)
		return false;
	crew_start(&crew);
	return crew_join(&crew, added) == HEDDLE_OK;
}

TEST(mrqd_lock, readers_see_what_was_delegated_before)
{
	intptr_t added;
	CHECK(run_crew(add_and_read, &added));
	CHECK_EQUAL(mrqd_read_lock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(shared.first, added);
	CHECK_EQUAL(mrqd_read_unlock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&shared.wrong), 0);
	CHECK_EQUAL(mrqd_lock_destroy(&readers_lock), HEDDLE_OK);
}

static enum heddle_error read_until(struct waiting *waiting)
{
	enum heddle_error error = mrqd_read_lock_until(&readers_lock, waiting->deadline);
	return error == HEDDLE_OK ? mrqd_read_unlock(&readers_lock) : error;
}

static enum heddle_error lock_until(struct waiting *waiting)
{
	enum heddle_error error = mrqd_lock_until(&readers_lock, waiting->deadline);
	return error == HEDDLE_OK ? mrqd_unlock(&readers_lock) : error;
}

/* Readers are in together; a writer waits for them, until its deadline. */
TEST(mrqd_lock, deadlines)
{
	struct waiting reader = {.wait = read_until, .deadline = HEDDLE_NO_DEADLINE};
	struct waiting writer = {.wait = lock_until, .deadline = after(5)};
	CHECK_EQUAL(mrqd_read_lock(&readers_lock), HEDDLE_OK);
	CHECK(waiting_create(&reader));
	CHECK_EQUAL(waiting_end(&reader), HEDDLE_OK);
	CHECK(waiting_create(&writer));
	CHECK_EQUAL(waiting_end(&writer), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(mrqd_read_unlock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_try_lock(&readers_lock), HEDDLE_OK);
	reader.deadline = after(5);
	CHECK(waiting_create(&reader));
	CHECK_EQUAL(waiting_end(&reader), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(mrqd_unlock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_lock_destroy(&readers_lock), HEDDLE_OK);
}

/* It has the lock, not a buffer: nobody held it. */
static enum heddle_error add_in_place(struct waiting *waiting)
{
	size_t number = 0;
	void *buffer = waiting;
	enum heddle_error error = mrqd_delegate_or_lock(&readers_lock, sizeof(number), &buffer);
	if (error != HEDDLE_OK || buffer)
		return HEDDLE_IN_USE;
	add(sizeof(number), &number);
	return mrqd_unlock(&readers_lock);
}

static enum heddle_error delegate_add(struct waiting *waiting)
{
	size_t number = 1;
	(void)waiting;
	return mrqd_delegate(&readers_lock, add, sizeof(number), &number);
}

static bool queue_opens(void)
{
	uint64_t end = heddle_clock() + PATIENCE;
	while (!qd_is_open(&readers_lock.lock) && heddle_clock() < end)
		task_sleep_until(heddle_clock() + MILLISECOND / 20);
	return qd_is_open(&readers_lock.lock);
}

/* Others need not wait for the readers, too: their sections gather behind the holder. */
TEST(mrqd_lock, sections_are_taken_while_its_holder_waits_for_readers)
{
	struct waiting holder = {.wait = add_in_place}, other = {.wait = delegate_add};
	memset(&shared, 0, sizeof(shared));
	CHECK_EQUAL(mrqd_read_lock(&readers_lock), HEDDLE_OK);
	CHECK(waiting_create(&holder));
	CHECK(queue_opens());
	CHECK(waiting_create(&other));
	CHECK_EQUAL(waiting_end(&other), HEDDLE_OK);
	CHECK_EQUAL(shared.first, 0);
	CHECK_EQUAL(mrqd_read_unlock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_OK);
	CHECK_EQUAL(shared.first, 2);
	CHECK_EQUAL(atomic_load(&shared.wrong), 0);
	CHECK_EQUAL(mrqd_lock_destroy(&readers_lock), HEDDLE_OK);
}

static enum heddle_error hold_and_end(struct waiting *waiting)
{
	return mrqd_lock(waiting->object);
}

/* Until a holder says that the protected data is in order again. */
TEST(mrqd_lock, readers_learn_that_its_holder_has_ended)
{
	struct mrqd_lock *lock = &readers_lock;
	struct waiting holder = {.wait = hold_and_end, .object = lock};
	CHECK(waiting_create(&holder));
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_OK);
	CHECK_EQUAL(mrqd_read_lock(lock), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(mrqd_read_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_read_try_lock(lock), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(mrqd_read_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_lock(lock), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(mutex_repair(&lock->lock.mutex), HEDDLE_OK);
	CHECK_EQUAL(mrqd_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_read_lock(lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_read_unlock(lock), HEDDLE_OK);
}

TEST(mrqd_lock, try)
{
	struct waiting reader = {.wait = read_until, .deadline = HEDDLE_NO_DEADLINE};
	CHECK_EQUAL(mrqd_read_try_lock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_try_lock(&readers_lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(mrqd_read_try_lock(&readers_lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(mrqd_read_unlock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_try_lock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_read_try_lock(&readers_lock), HEDDLE_RELOCKED);
	CHECK(waiting_start(&reader));
	CHECK_EQUAL(mrqd_unlock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&reader), HEDDLE_OK);
	CHECK_EQUAL(mrqd_lock_destroy(&readers_lock), HEDDLE_OK);
}

#ifndef HEDDLE_DEBUG
/* It would wait for itself. */
TEST(mrqd_lock, reader_that_wants_more)
{
	size_t task = 0;
	void *buffer;
	uint64_t before = shared.first;
	CHECK_EQUAL(mrqd_read_lock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(mrqd_lock(&readers_lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(mrqd_delegate(&readers_lock, add, sizeof(task), &task), HEDDLE_RELOCKED);
	CHECK_EQUAL(mrqd_delegate_wait(&readers_lock, add, sizeof(task), &task), HEDDLE_RELOCKED);
	CHECK_EQUAL(mrqd_delegate_or_lock(&readers_lock, sizeof(task), &buffer), HEDDLE_RELOCKED);
	CHECK_EQUAL(mrqd_read_unlock(&readers_lock), HEDDLE_OK);
	CHECK_EQUAL(shared.first, before);
	CHECK_EQUAL(mrqd_lock_destroy(&readers_lock), HEDDLE_OK);
}
#endif

/* ---------------------------------------------------------------------------------------------- nodes -- */

static intptr_t add_by_node(size_t number, void *unused)
{
	(void)unused;
	for (unsigned i = 0; i < ROUNDS; i++) {
		enum heddle_error error;
		if (i % 16 == 0) {
			error = hqd_lock(&node_lock);
			add(sizeof(number), &number);
			task_yield();
			hqd_unlock(&node_lock);
		} else if (i % 4 == 0) {
			error = hqd_delegate_wait(&node_lock, add, sizeof(number), &number);
			/* Only we add to it. */
			if (shared.of_task[number] != i + 1)
				atomic_fetch_add(&shared.wrong, 1);
		} else {
			error = hqd_delegate(&node_lock, add, sizeof(number), &number);
		}
		if (error != HEDDLE_OK)
			atomic_fetch_add(&shared.wrong, 1);
	}
	return ROUNDS;
}

TEST(hqd_lock, queues_of_several_nodes)
{
	intptr_t added;
	size_t number = 0;
	/* More queues than nodes, so that every machine has several. */
	CHECK_EQUAL(hqd_lock_create(&node_lock, 3, slots, SLOTS, 5), HEDDLE_OK);
	CHECK(run_crew(add_by_node, &added));
	CHECK_EQUAL(hqd_delegate_wait(&node_lock, add, sizeof(number), &number), HEDDLE_OK);
	for (unsigned i = 0; i < 3; i++) {
		CHECK_EQUAL(qd_lock(&node_lock.node[i]), HEDDLE_OK);
		CHECK_EQUAL(qd_unlock(&node_lock.node[i]), HEDDLE_OK);
	}
	CHECK_EQUAL(shared.first, added + 1);
	CHECK_EQUAL(atomic_load(&shared.wrong), 0);
	CHECK_EQUAL(hqd_lock_destroy(&node_lock), HEDDLE_OK);
	memset(slots, 0, sizeof(slots));
}
