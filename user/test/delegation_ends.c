/*
 * Delegation locks whose tasks give up or end in the middle: what was delegated runs nevertheless, and other tasks
 * get the lock. Tasks that end leave reports in the log.
 */
#include <string.h>

#include "heddle/hqd_lock.h"
#include "heddle/mrqd_lock.h"
#include "sync/delegation/delegation.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define SLOTS 8

struct fixture {
	struct qd_lock lock;
	struct mrqd_lock readers;
	struct hqd_lock nodes;
	_Atomic unsigned count; /* sections that have run */
	_Atomic unsigned calls; /* tasks that are about to delegate */
	_Atomic bool held, opened, go;
	_Atomic uint64_t turns; /* of the counting task */
};

static struct qd_slot slots[HEDDLE_HQD_NODES_MAXIMUM * SLOTS];
static struct fixture fixture;

static struct fixture *fresh(uint32_t limit)
{
	memset(&fixture, 0, sizeof(fixture));
	memset(slots, 0, sizeof(slots));
	qd_lock_create(&fixture.lock, slots, SLOTS, limit);
	return &fixture;
}

static void count(size_t size, void *message)
{
	(void)size, (void)message;
	atomic_fetch_add(&fixture.count, 1);
}

static void await_flag(_Atomic bool *flag)
{
	while (!atomic_load(flag))
		task_sleep_until(after(1));
}

/* -------------------------------------------------------------------------------- waiting tasks give up -- */

static enum heddle_error delegate_and_wait(struct waiting *waiting)
{
	atomic_fetch_add(&fixture.calls, 1);
	return qd_delegate_wait(waiting->object, count, 0, NULL);
}

static enum heddle_error lock_once(struct waiting *waiting)
{
	enum heddle_error error = qd_lock_until(waiting->object, waiting->deadline);
	return error == HEDDLE_OK ? qd_unlock(waiting->object) : error;
}

/* At its limit the helper leaves the rest to a waiting task: here to one that has given up. */
static void leave_rest(struct test_state *test, uint64_t deadline, enum heddle_error expected)
{
	struct qd_lock *lock = &fresh(1)->lock;
	struct waiting delegators[3], late = {.wait = lock_once, .object = lock, .deadline = deadline};
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OK);
	for (unsigned i = 0; i < 3; i++) {
		delegators[i] = (struct waiting){.wait = delegate_and_wait, .object = lock};
		CHECK(waiting_create(&delegators[i]));
	}
	while (atomic_load(&fixture.calls) < 3)
		task_yield();
	CHECK(deadline == HEDDLE_NO_DEADLINE ? waiting_start(&late) : waiting_create(&late));
	if (deadline == HEDDLE_NO_DEADLINE)
		CHECK_EQUAL(task_cancel(late.task), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&late), expected);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQUAL(waiting_end(&delegators[i]), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&fixture.count), 3);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

TEST(delegation_ends, rest_where_deadlines_have_passed)
{
	leave_rest(test, after(5), HEDDLE_TIMED_OUT);
}

TEST(delegation_ends, rest_where_all_were_cancelled)
{
	leave_rest(test, HEDDLE_NO_DEADLINE, HEDDLE_CANCELLED);
}

/* A section of the rest delegates one more: a reader, which gets the rest, runs that, too. */
static void delegate_one_more(size_t size, void *message)
{
	count(size, message);
	qd_delegate(&fixture.readers.lock, count, 0, NULL);
}

static enum heddle_error read_once(struct waiting *waiting)
{
	enum heddle_error error = mrqd_read_lock(waiting->object);
	return error == HEDDLE_OK ? mrqd_read_unlock(waiting->object) : error;
}

TEST(delegation_ends, rest_that_a_reader_gets)
{
	struct mrqd_lock *lock = &fresh(1)->readers;
	struct waiting reader = {.wait = read_once, .object = lock};
	CHECK_EQUAL(mrqd_lock_create(lock, slots, SLOTS, 1), HEDDLE_OK);
	CHECK_EQUAL(mrqd_lock(lock), HEDDLE_OK);
	CHECK(waiting_start(&reader));
	/* One section reaches the limit. */
	lock->lock.help = 1;
	CHECK_EQUAL(mrqd_delegate(lock, delegate_one_more, 0, NULL), HEDDLE_OK);
	CHECK_EQUAL(mrqd_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&reader), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&fixture.count), 2);
	CHECK_EQUAL(mrqd_lock_destroy(lock), HEDDLE_OK);
}

/* ------------------------------------------------------------------------------------- buffers that are open -- */

#ifndef HEDDLE_DEBUG
/* A task with an open buffer runs no sections: if one ended it, the buffer would stay open for ever. */
TEST(delegation_ends, nothing_is_carried_out_with_a_buffer_open)
{
	static struct qd_slot others[SLOTS];
	struct qd_lock other = HEDDLE_QD_LOCK_INITIALIZER(others, SLOTS, 8), *lock = &fresh(8)->lock;
	void *buffer;
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OK);
	/* In the queue, then beyond it. */
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQUAL(qd_delegate_or_lock(lock, 8, &buffer), HEDDLE_OK);
		enum heddle_error inside = qd_delegate_wait(lock, count, 0, NULL);
		enum heddle_error elsewhere = qd_delegate(&other, count, 0, NULL);
		enum heddle_error waited = qd_delegate_wait(&other, count, 0, NULL);
		enum heddle_error unlocked = qd_unlock(lock);
		CHECK_EQUAL(qd_close_buffer(lock, buffer, count), HEDDLE_OK);
		CHECK_EQUAL(inside, HEDDLE_UNCOOPERATIVE);
		CHECK_EQUAL(elsewhere, HEDDLE_UNCOOPERATIVE);
		CHECK_EQUAL(waited, HEDDLE_UNCOOPERATIVE);
		CHECK_EQUAL(unlocked, HEDDLE_UNCOOPERATIVE);
		for (unsigned j = 0; j < SLOTS && i == 0; j++)
			CHECK_EQUAL(qd_delegate(lock, count, 0, NULL), HEDDLE_OK);
	}
	CHECK_EQUAL(atomic_load(&fixture.count), 0);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&fixture.count), 2 + SLOTS);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
	CHECK_EQUAL(qd_lock_destroy(&other), HEDDLE_OK);
}
#endif

static enum heddle_error hold_and_end(struct waiting *waiting)
{
	enum heddle_error error = qd_lock(waiting->object);
	atomic_store(&fixture.held, true);
	while (!atomic_load(&fixture.opened))
		task_yield();
	return error;
}

/* A buffer of so many bytes, until the counting task has made progress. */
static enum heddle_error keep_open_of(struct qd_lock *lock, size_t size)
{
	void *buffer;
	uint64_t end = after(10000);
	if (qd_delegate_or_lock(lock, size, &buffer) != HEDDLE_OK || !buffer)
		return HEDDLE_BUSY;
	memset(buffer, 'x', size);
	atomic_store(&fixture.opened, true);
	while (atomic_load(&fixture.turns) < 100 && heddle_clock() < end)
		continue;
	bool counted = atomic_load(&fixture.turns) >= 100;
	enum heddle_error error = qd_close_buffer(lock, buffer, count);
	return counted ? error : HEDDLE_TIMED_OUT;
}

static enum heddle_error keep_open(struct waiting *waiting)
{
	return keep_open_of(waiting->object, 8);
}

/* It takes two slots. */
static enum heddle_error keep_larger_open(struct waiting *waiting)
{
	return keep_open_of(waiting->object, HEDDLE_QD_MESSAGE_FIRST + 8);
}

static enum heddle_error count_turns(struct waiting *waiting)
{
	(void)waiting;
	await_flag(&fixture.opened);
	task_sleep_until(after(5));
	while (atomic_fetch_add(&fixture.turns, 1) < 100)
		task_yield();
	return HEDDLE_OK;
}

/* The holder ends, and waits until a buffer is closed: other tasks run on that processor meanwhile. */
static void end_where_open(struct test_state *test, struct qd_lock *lock,
                           enum heddle_error (*keep)(struct waiting *))
{
	unsigned before = atomic_load(&fixture.count);
	struct waiting holder = {.wait = hold_and_end, .object = lock, .bound = true, .processor = 1};
	struct waiting counting = {.wait = count_turns, .bound = true, .processor = 1};
	struct waiting writer = {.wait = keep, .object = lock, .bound = true, .processor = 2};
	if (heddle_processors() < 3) {
		test_skip(test,
		          "needs three processors: a buffer is open while others run, and while the holder ends");
		return;
	}
	CHECK(waiting_create(&holder));
	await_flag(&fixture.held);
	CHECK(waiting_create(&counting));
	CHECK(waiting_create(&writer));
	CHECK_EQUAL(waiting_end(&writer), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&counting), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&fixture.count), before + 1);
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(mutex_repair(&lock->mutex), HEDDLE_OK);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

TEST(delegation_ends, holder_where_a_buffer_is_open)
{
	end_where_open(test, &fresh(8)->lock, keep_open);
}

static void fill(struct test_state *test, struct qd_lock *lock, unsigned number)
{
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OK);
	for (unsigned i = 0; i < number; i++)
		CHECK_EQUAL(qd_delegate(lock, count, 0, NULL), HEDDLE_OK);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
}

/* The buffer does not fit before the end of the ring. So the holder passes over the last slot before it has to wait;
 * what was there before must not be taken for a section that was under way. */
TEST(delegation_ends, holder_where_a_buffer_is_open_behind_a_skipped_slot)
{
	struct qd_lock *lock = &fresh(2 * SLOTS)->lock;
	fill(test, lock, SLOTS);
	fill(test, lock, SLOTS - 1);
	end_where_open(test, lock, keep_larger_open);
}

/* ------------------------------------------------------------------------------------------- sections -- */

static enum heddle_error hold_until_told_and_end(struct waiting *waiting)
{
	enum heddle_error error = qd_lock(waiting->object);
	atomic_store(&fixture.held, true);
	await_flag(&fixture.go);
	return error;
}

__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) static void fault(size_t size,
                                                                                           void *message)
{
	(void)size, (void)message;
	volatile uintptr_t nowhere = 16;
	*(volatile int *)nowhere = 0;
}

static enum heddle_error delegate_fault(struct waiting *waiting)
{
	return qd_delegate_wait(waiting->object, fault, 0, NULL);
}

/* They end the task again, which is already ending: each fault is reported, and the other sections run. */
TEST(delegation_ends, sections_that_fault_at_the_end)
{
	struct qd_lock *lock = &fresh(8)->lock;
	struct waiting holder = {.wait = hold_until_told_and_end, .object = lock}, victims[2];
	CHECK(waiting_create(&holder));
	await_flag(&fixture.held);
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQUAL(qd_delegate(lock, count, 0, NULL), HEDDLE_OK);
		victims[i] = (struct waiting){.wait = delegate_fault, .object = lock};
		CHECK(waiting_create(&victims[i]));
		while (qd_end(lock) < 2 * i + 2)
			task_yield();
	}
	CHECK_EQUAL(qd_delegate(lock, count, 0, NULL), HEDDLE_OK);
	atomic_store(&fixture.go, true);
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_TASK_FAULT);
	for (unsigned i = 0; i < 2; i++)
		CHECK_EQUAL(waiting_end(&victims[i]), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(atomic_load(&fixture.count), 3);
	CHECK_EQUAL(qd_lock(lock), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(mutex_repair(&lock->mutex), HEDDLE_OK);
	CHECK_EQUAL(qd_unlock(lock), HEDDLE_OK);
	CHECK_EQUAL(qd_lock_destroy(lock), HEDDLE_OK);
}

/* ----------------------------------------------------------------------------------------------- readers -- */

static enum heddle_error read_and_end(struct waiting *waiting)
{
	/* More locks than a task has places for. */
	static struct mrqd_lock others[3];
	enum heddle_error error = mrqd_read_lock(waiting->object);
	for (unsigned i = 0; i < 3; i++) {
		mrqd_lock_create(&others[i], slots + (i + 1) * SLOTS, SLOTS, 1);
		mrqd_read_lock(&others[i]);
	}
	for (unsigned i = 0; i < 2; i++)
		mrqd_read_unlock(&others[i]);
	await_flag(&fixture.go);
	return error;
}

static enum heddle_error write_once(struct waiting *waiting)
{
	enum heddle_error error = mrqd_lock(waiting->object);
	return error == HEDDLE_OK ? mrqd_unlock(waiting->object) : error;
}

TEST(delegation_ends, reader)
{
	struct mrqd_lock *lock = &fresh(8)->readers;
	struct waiting reader = {.wait = read_and_end, .object = lock};
	struct waiting writer = {.wait = write_once, .object = lock};
	CHECK_EQUAL(mrqd_lock_create(lock, slots, SLOTS, 8), HEDDLE_OK);
	CHECK(waiting_start(&reader));
	CHECK(waiting_start(&writer));
	atomic_store(&fixture.go, true);
	CHECK_EQUAL(waiting_end(&reader), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&writer), HEDDLE_OK);
	CHECK_EQUAL(mrqd_lock_destroy(lock), HEDDLE_OK);
}

/* ----------------------------------------------------------------------------------------------- nodes -- */

static enum heddle_error end_on_node(struct waiting *waiting)
{
	enum heddle_error error = qd_lock(&fixture.nodes.node[waiting->number]);
	atomic_store(&fixture.held, true);
	await_flag(&fixture.go);
	return error;
}

static _Atomic unsigned inside, most;

static enum heddle_error use_node(struct waiting *waiting)
{
	struct qd_lock *node = &fixture.nodes.node[waiting->number];
	enum heddle_error error = qd_lock(node);
	unsigned now = atomic_fetch_add(&inside, 1) + 1;
	if (now > atomic_load(&most))
		atomic_store(&most, now);
	task_sleep_until(after(5));
	atomic_fetch_sub(&inside, 1);
	return qd_unlock(node) == HEDDLE_OK ? error : HEDDLE_NOT_OWNER;
}

/* The outer mutex moves on together with the node's, to the other node; and the waiting tasks of its own node are
 * told. */
TEST(delegation_ends, holder_on_a_node)
{
	struct hqd_lock *lock = &fresh(8)->nodes;
	struct waiting holder = {.wait = end_on_node, .number = 0};
	struct waiting other = {.wait = use_node, .number = 1}, own = {.wait = use_node, .number = 0};
	atomic_store(&inside, 0);
	atomic_store(&most, 0);
	CHECK_EQUAL(hqd_lock_create(lock, 2, slots, SLOTS, 8), HEDDLE_OK);
	CHECK(waiting_create(&holder));
	await_flag(&fixture.held);
	CHECK(waiting_start(&other));
	CHECK(waiting_start(&own));
	atomic_store(&fixture.go, true);
	CHECK_EQUAL(waiting_end(&holder), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&other), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&own), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(atomic_load(&most), 1);
	CHECK_EQUAL(hqd_lock_destroy(lock), HEDDLE_OK);
}
