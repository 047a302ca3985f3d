/*
 * The delegation lock: order, what happens when the queue is full or closed, helping, buffers, nesting, misuse. Each
 * test has its own lock with a small queue.
 */
#include "heddle/qd_lock.h"

#include <string.h>

#include "user/test/test.h"
#include "user/test/waiting.h"

#define SLOTS 8

struct fixture {
	struct qd_slot slots[SLOTS];
	struct qd_lock lock;
	unsigned count; /* what sections have recorded, and in which order */
	uint64_t notes[64];
	bool wrong;
	_Atomic bool held, opened;
	uintptr_t nowhere; /* an unmapped address */
};

static struct fixture fixture;

static struct qd_lock *fresh(uint32_t limit)
{
	memset(&fixture, 0, sizeof(fixture));
	qd_lock_create(&fixture.lock, fixture.slots, SLOTS, limit);
	fixture.nowhere = 16;
	return &fixture.lock;
}

static void note(size_t size, void *message)
{
	uint64_t number;
	fixture.wrong |= size != sizeof(number);
	memcpy(&number, message, sizeof(number));
	if (fixture.count < 64)
		fixture.notes[fixture.count] = number;
	fixture.count++;
}

static enum heddle_error delegate_note(struct qd_lock *lock, uint64_t number)
{
	return qd_delegate(lock, note, sizeof(number), &number);
}

static bool noted(unsigned count)
{
	bool right = fixture.count == count && !fixture.wrong;
	for (unsigned i = 0; i < count; i++)
		right &= fixture.notes[i] == i;
	return right;
}

TEST(qd_lock, carries_out_at_once_while_it_is_free)
{
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	for (uint64_t i = 0; i < 20; i++) {
		CHECK_EQUAL(delegate_note(lock, i), HEDDLE_OK);
		CHECK_EQUAL(fixture.count, i + 1);
	}
	CHECK(noted(20));
	CHECK_EQUAL(lock->counters.helped, 0);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

/* What the holder itself delegates waits for its unlock, in order, also beyond the length of the queue. */
TEST(qd_lock, holder_delegates_more_than_the_queue_holds)
{
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OK);
	for (uint64_t i = 0; i < 3 * SLOTS; i++)
		CHECK_EQUAL(delegate_note(lock, i), HEDDLE_OK);
	CHECK_EQUAL(fixture.count, 0);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	CHECK(noted(3 * SLOTS));
	CHECK_EQUAL(lock->counters.nested, 2 * SLOTS);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

/* ------------------------------------------------------------------------------------------- messages -- */

static void check_pattern(size_t size, void *message)
{
	unsigned char *bytes = message;
	fixture.wrong |= (uintptr_t)message % 8 != 0;
	for (size_t i = 0; i < size; i++)
		fixture.wrong |= bytes[i] != (unsigned char)(i * 7 + size);
	fixture.count++;
}

/* Of all sizes, so that they meet the end of the ring in every way. */
TEST(qd_lock, messages_of_all_sizes)
{
	static unsigned char message[HEDDLE_QD_MESSAGE_MAXIMUM(SLOTS) + 1];
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	unsigned count = 0;
	for (size_t size = 0; size <= HEDDLE_QD_MESSAGE_MAXIMUM(SLOTS); size += 13) {
		CHECK_EQUAL(qd_lock(lock), HEDDLE_OK);
		for (size_t small = size % 3; small <= size; small += size / 2 + 1) {
			for (size_t i = 0; i < small; i++)
				message[i] = (unsigned char)(i * 7 + small);
			CHECK_EQUAL(qd_delegate(lock, check_pattern, small, message), HEDDLE_OK);
			count++;
		}
		memset(message, 0, sizeof(message));
		CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	}
	CHECK(!fixture.wrong);
	CHECK_EQUAL(fixture.count, count);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

/* ------------------------------------------------------------------------------------------- the queue -- */

static enum heddle_error delegate_number(struct waiting *waiting)
{
	return delegate_note(waiting->object, waiting->number);
}

/* While the lock is held, other tasks go on; one that finds the queue full waits, and its section is not lost. */
TEST(qd_lock, nothing_is_lost_where_the_queue_is_full)
{
	struct waiting waiting[2 * SLOTS];
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OK);
	for (size_t i = 0; i < 2 * SLOTS; i++) {
		waiting[i] = (struct waiting){.wait = delegate_number, .object = lock, .number = i};
		CHECK(waiting_create(&waiting[i]));
		/* The first ones end, the others wait. */
		if (i < SLOTS)
			CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	}
	CHECK_EQUAL(fixture.count, 0);
	task_sleep_until(after(20));
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	for (size_t i = SLOTS; i < 2 * SLOTS; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK_EQUAL(fixture.count, 2 * SLOTS);
	for (unsigned i = 0; i < SLOTS; i++)
		CHECK_EQUAL(fixture.notes[i], i);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

static enum heddle_error delegate_in_pieces(struct waiting *waiting)
{
	void *buffer;
	struct qd_lock *lock = waiting->object;
	enum heddle_error error = qd_delegate_or_lock(lock, sizeof(uint64_t), &buffer);
	if (error != HEDDLE_OK || !buffer)
		return HEDDLE_BUSY;
	atomic_store(&fixture.opened, true);
	while (heddle_clock() < waiting->deadline)
		continue;
	memcpy(buffer, &waiting->number, sizeof(uint64_t));
	return qd_close_buffer(lock, buffer, note);
}

static enum heddle_error unlock_soon(struct waiting *waiting)
{
	struct qd_lock *lock = waiting->object;
	enum heddle_error error = qd_lock(lock);
	atomic_store(&fixture.held, true);
	while (error == HEDDLE_OK && !atomic_load(&fixture.opened))
		task_yield();
	return error == HEDDLE_OK ? qd_unlock(lock) : error;
}

/* A holder that meets an open buffer is suspended until it is closed. */
TEST(qd_lock, open_buffer_is_awaited)
{
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	struct waiting holder = {.wait = unlock_soon, .object = lock};
	struct waiting writer = {.wait = delegate_in_pieces, .object = lock};
	CHECK(waiting_create(&holder));
	while (!atomic_load(&fixture.held))
		task_yield();
	writer.deadline = after(20);
	CHECK(waiting_create(&writer));
	CHECK_EQUAL(waiting_end(&writer), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_OK);
	CHECK(noted(1));
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

static enum heddle_error delegate_piece(struct waiting *waiting)
{
	void *buffer;
	struct qd_lock *lock = waiting->object;
	enum heddle_error error = qd_delegate_or_lock(lock, sizeof(uint64_t), &buffer);
	if (error != HEDDLE_OK)
		return error;
	if (buffer) {
		memcpy(buffer, &waiting->number, sizeof(uint64_t));
		return qd_close_buffer(lock, buffer, note);
	}
	note(sizeof(uint64_t), &waiting->number);
	return qd_delegate_unlock(lock);
}

/* A task that finds the queue full waits until the helper has emptied it. *handed_over: whether it got the whole lock,
 * all the same. */
static void fill_and_delegate(struct test_state *test, struct qd_lock *lock, bool *handed_over)
{
	struct waiting waiting = {.wait = delegate_piece, .object = lock, .number = SLOTS};
	uint64_t before = lock->mutex.counters.contended;
	fixture.count = 0;
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OK);
	for (uint64_t i = 0; i < SLOTS; i++)
		CHECK_EQUAL(delegate_note(lock, i), HEDDLE_OK);
	CHECK(waiting_create(&waiting));
	CHECK_EQUAL(task_sleep_until(after(5)), HEDDLE_OK);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK(noted(SLOTS + 1));
	*handed_over = lock->mutex.counters.contended != before;
}

/* Its turn may come while others hold the lock again: then it is handed over, but that is not the rule. */
TEST(qd_lock, full_queue_gives_a_buffer_later)
{
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	bool handed_over = true;
	for (unsigned i = 0; i < 20 && handed_over; i++) {
		handed_over = false;
		fill_and_delegate(test, lock, &handed_over);
	}
	CHECK(!handed_over);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

/* ---------------------------------------------------------------------------------------------- inside -- */

static void delegate_inside(size_t size, void *message)
{
	uint64_t number;
	memcpy(&number, message, sizeof(number));
	note(size, message);
	for (uint64_t i = 2; i < 2 + 2 * SLOTS; i++)
		fixture.wrong |= delegate_note(&fixture.lock, i) != HEDDLE_OK;
	/* At once, before all of that. */
	number++;
	fixture.wrong |= qd_delegate_wait(&fixture.lock, note, sizeof(number), &number) != HEDDLE_OK;
	fixture.wrong |= fixture.count != 2;
	fixture.wrong |= qd_try_lock(&fixture.lock) != HEDDLE_RELOCKED;
}

TEST(qd_lock, section_delegates_to_its_own_lock)
{
	uint64_t number = 0;
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	CHECK_EQUAL(qd_delegate(lock, delegate_inside, sizeof(number), &number), HEDDLE_OK);
	CHECK(noted(2 + 2 * SLOTS));
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

static void wait_inside(size_t size, void *message)
{
	(void)size;
	struct mutex *mutex = *(struct mutex **)message;
	fixture.wrong |= mutex_lock(mutex) != HEDDLE_UNCOOPERATIVE;
	fixture.count++;
}

TEST(qd_lock, section_that_would_wait_is_refused)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER, *message = &mutex;
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	struct waiting holder = {.wait = unlock_soon, .object = lock};
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	atomic_store(&fixture.opened, false);
	CHECK(waiting_create(&holder));
	while (!atomic_load(&fixture.held))
		task_yield();
	/* By another task, because ours holds the mutex. */
	CHECK_EQUAL(qd_delegate(lock, wait_inside, sizeof(message), &message), HEDDLE_OK);
	atomic_store(&fixture.opened, true);
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_OK);
	CHECK(!fixture.wrong);
	CHECK_EQUAL(fixture.count, 1);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
}

/* ---------------------------------------------------------------------------------------------- misuse -- */

#ifndef HEDDLE_DEBUG
static enum heddle_error unlock_anyway(struct waiting *waiting)
{
	return qd_unlock(waiting->object);
}

TEST(qd_lock, misuse)
{
	static unsigned char message[HEDDLE_QD_MESSAGE_MAXIMUM(SLOTS) + 1];
	void *buffer;
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	struct waiting stranger = {.wait = unlock_anyway, .object = lock};
	CHECK_EQUAL(qd_delegate(lock, note, sizeof(message), message), HEDDLE_TOO_LARGE);
	CHECK_EQUAL(qd_delegate_or_lock(lock, sizeof(message), &buffer), HEDDLE_TOO_LARGE);
	CHECK_EQUAL(qd_delegate(lock, NULL, 0, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(qd_delegate_wait(lock, NULL, 0, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(qd_delegate(lock, note, 1, NULL), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OK);
	CHECK_EQUAL(qd_try_lock(lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_IN_USE);
	CHECK(waiting_create(&stranger));
	CHECK_EQUAL(waiting_end(&stranger), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(qd_lock_create(lock, fixture.slots, 3, 1), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(qd_lock_create(lock, fixture.slots, SLOTS, 0), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(qd_lock_create(lock, NULL, SLOTS, 1), HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

TEST(qd_lock, misuse_of_buffers)
{
	void *buffer, *other;
	uint64_t number = 0;
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OK);
	CHECK_EQUAL(qd_delegate_or_lock(lock, sizeof(number), &buffer), HEDDLE_OK);
	enum heddle_error second = qd_delegate_or_lock(lock, sizeof(number), &other);
	enum heddle_error unlocked = qd_unlock(lock);
	enum heddle_error null = qd_close_buffer(lock, buffer, NULL);
	enum heddle_error strange = qd_close_buffer(lock, &number, note);
	memcpy(buffer, &number, sizeof(number));
	enum heddle_error closed = qd_close_buffer(lock, buffer, note);
	CHECK_EQUAL(second, HEDDLE_IN_USE);
	CHECK_EQUAL(unlocked, HEDDLE_UNCOOPERATIVE);
	CHECK_EQUAL(null, HEDDLE_BAD_ARGUMENT);
	CHECK_EQUAL(strange, HEDDLE_NO_BUFFER);
	CHECK_EQUAL(closed, HEDDLE_OK);
	CHECK_EQUAL(qd_close_buffer(lock, buffer, note), HEDDLE_NO_BUFFER);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	CHECK(noted(1));
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}
#endif

/* ----------------------------------------------------------------------------------------------- fault -- */

static void fault(size_t size, void *message)
{
	(void)size, (void)message;
	*(volatile int *)fixture.nowhere = 0;
}

static enum heddle_error delegate_and_wait(struct waiting *waiting)
{
	return qd_delegate_wait(waiting->object, fault, 0, NULL);
}

/* The helper ends, the waiting task is told, and the other sections run. */
TEST(qd_lock, section_that_faults)
{
	struct qd_lock *lock = fresh(HEDDLE_QD_LIMIT);
	struct waiting holder = {.wait = unlock_soon, .object = lock};
	struct waiting victim = {.wait = delegate_and_wait, .object = lock};
	CHECK(waiting_create(&holder));
	while (!atomic_load(&fixture.held))
		task_yield();
	CHECK(waiting_create(&victim));
	uint64_t end = after(10000);
	while (wait_phase(victim.task) != WAIT_KEPT && heddle_clock() < end)
		task_yield();
	CHECK_EQUAL(delegate_note(lock, 0), HEDDLE_OK);
	atomic_store(&fixture.opened, true);
	CHECK_EQUAL(waiting_end(&victim), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_TASK_FAULT);
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OWNER_DIED);
	CHECK(noted(1));
	CHECK_EQUAL(mutex_repair(&lock->mutex), HEDDLE_OK);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}
