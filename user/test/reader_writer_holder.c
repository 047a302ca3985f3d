/* The reader-writer lock and its holders: misuse, many at once, and holders that end. */
#include "heddle/reader_writer_lock.h"

#include "user/test/test.h"
#include "user/test/waiting.h"

static enum heddle_error read(struct waiting *waiting)
{
	enum heddle_error error = reader_writer_lock_read(waiting->object);
	if (error == HEDDLE_OK || error == HEDDLE_OWNER_DIED)
		reader_writer_lock_read_unlock(waiting->object);
	return error;
}

static enum heddle_error write(struct waiting *waiting)
{
	enum heddle_error error = reader_writer_lock_write(waiting->object);
	if (error == HEDDLE_OK || error == HEDDLE_OWNER_DIED)
		reader_writer_lock_write_unlock(waiting->object);
	return error;
}

/* ------------------------------------------------------------------------------------------- misuse -- */

TEST(reader_writer_lock, trying_what_one_holds)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_try_write(&lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_try_write(&lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_try_write(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_try_read(&lock), HEDDLE_BUSY);
	CHECK_EQUAL(reader_writer_lock_write_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_OK);
}

/* A debug build panics: user/demo/misbehave.c. */
#ifndef HEDDLE_DEBUG
static enum heddle_error ending_of(struct waiting waiting)
{
	return waiting_create(&waiting) ? waiting_end(&waiting) : HEDDLE_NO_MEMORY;
}

static enum heddle_error write_unlock_only(struct waiting *waiting)
{
	return reader_writer_lock_write_unlock(waiting->object);
}

TEST(reader_writer_lock, misuse_changes_nothing)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	struct waiting stranger = {.wait = write_unlock_only, .object = &lock};
	struct waiting waiting = {.wait = read, .object = &lock};
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(reader_writer_lock_write_unlock(&lock), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(reader_writer_lock_write(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_write(&lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(reader_writer_lock_write_until(&lock, 0), HEDDLE_RELOCKED);
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_IN_USE);
	CHECK_EQUAL(ending_of(stranger), HEDDLE_NOT_OWNER);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(reader_writer_lock_write_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_write_unlock(&lock), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(reader_writer_lock_repair(&lock), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_IN_USE);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_OK);
}

static enum heddle_error read_unlock_only(struct waiting *waiting)
{
	struct reader_writer_lock other = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	reader_writer_lock_read(&other);
	enum heddle_error error = reader_writer_lock_read_unlock(waiting->object);
	reader_writer_lock_read_unlock(&other);
	return error;
}

/* A task that reads under another lock, and one that would wait for itself. */
TEST(reader_writer_lock, misuse_while_reading)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	struct waiting stranger = {.wait = read_unlock_only, .object = &lock};
	struct waiting waiting = {.wait = write, .object = &lock};
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_OK);
	CHECK_EQUAL(ending_of(stranger), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(reader_writer_lock_write(&lock), HEDDLE_RELOCKED);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(reader_writer_lock_try_read(&lock), HEDDLE_BUSY);
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(reader_writer_lock_read_until(&lock, 0), HEDDLE_RELOCKED);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_NOT_OWNER);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_OK);
}
#endif

/* --------------------------------------------------------------------------------------------- many -- */

#define LOCKS 100

static bool read_all(struct reader_writer_lock *locks, unsigned times)
{
	bool ok = true;
	for (unsigned i = 0; i < LOCKS * times; i++)
		ok &= reader_writer_lock_read(&locks[i % LOCKS]) == HEDDLE_OK;
	return ok;
}

static bool none_is_used(struct reader_writer_lock *locks)
{
	bool ok = true;
	for (unsigned i = 0; i < LOCKS; i++)
		ok &= reader_writer_lock_destroy(&locks[i]) == HEDDLE_OK;
	return ok;
}

TEST(reader_writer_lock, many_are_given_up_in_any_order)
{
	static const unsigned steps[] = {1, LOCKS - 1, 7, 63};
	static struct reader_writer_lock locks[LOCKS];
	for (unsigned round = 0; round < sizeof steps / sizeof *steps; round++)
		for (unsigned times = 1; times <= 2; times++) {
			CHECK(read_all(locks, times));
			for (unsigned i = 0, lock = 0; i < LOCKS * times; i++) {
				CHECK_EQUAL(reader_writer_lock_read_unlock(&locks[lock]), HEDDLE_OK);
				lock = (lock + steps[round]) % LOCKS;
			}
			CHECK(none_is_used(locks));
		}
	for (unsigned i = 0; i < LOCKS; i++)
		CHECK_EQUAL(reader_writer_lock_write(&locks[i]), HEDDLE_OK);
	for (unsigned i = 0; i < LOCKS; i++)
		CHECK_EQUAL(reader_writer_lock_write_unlock(&locks[i * 7 % LOCKS]), HEDDLE_OK);
	CHECK(none_is_used(locks));
}

/* -------------------------------------------------------------------------------- a holder that ends -- */

__attribute__((noinline, no_sanitize("address", "thread", "undefined"))) static void fault(void)
{
	volatile uintptr_t nowhere = 16;
	*(volatile uint32_t *)nowhere = 1;
}

/* `number`: whether it ends by a fault. */
static enum heddle_error end_writing(struct waiting *waiting)
{
	struct reader_writer_lock *locks = waiting->object;
	reader_writer_lock_write(&locks[0]);
	reader_writer_lock_write(&locks[1]);
	task_suspend();
	if (waiting->number)
		fault();
	return HEDDLE_OK;
}

static void writer_ends(struct test_state *test, bool by_fault)
{
	struct reader_writer_lock locks[2] = {HEDDLE_READER_WRITER_LOCK_INITIALIZER};
	struct waiting holder = {.wait = end_writing, .object = locks, .number = by_fault}, waiting[5];
	CHECK(waiting_start(&holder));
	for (unsigned i = 0; i < 5; i++) {
		waiting[i] = (struct waiting){.wait = i % 3 ? read : write, .object = &locks[0]};
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK_EQUAL(reader_writer_lock_try_read(&locks[1]), HEDDLE_BUSY);
	task_resume(holder.task);
	CHECK_EQUAL(waiting_end(&holder), by_fault ? HEDDLE_TASK_FAULT : HEDDLE_OK);
	for (unsigned i = 0; i < 5; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OWNER_DIED);
	/* Also if no task waited; and again and again, until it is repaired. */
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQUAL(reader_writer_lock_read(&locks[i]), HEDDLE_OWNER_DIED);
		CHECK_EQUAL(reader_writer_lock_try_read(&locks[i]), HEDDLE_OWNER_DIED);
		CHECK_EQUAL(reader_writer_lock_read_unlock(&locks[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_read_unlock(&locks[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_write_until(&locks[i], 0), HEDDLE_OWNER_DIED);
		CHECK_EQUAL(reader_writer_lock_write_unlock(&locks[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_try_write(&locks[i]), HEDDLE_OWNER_DIED);
		CHECK_EQUAL(reader_writer_lock_repair(&locks[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_write_unlock(&locks[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_read(&locks[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_read_unlock(&locks[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_write(&locks[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_write_unlock(&locks[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_destroy(&locks[i]), HEDDLE_OK);
	}
}

TEST(reader_writer_lock, writer_returns)
{
	writer_ends(test, false);
}

TEST(reader_writer_lock, writer_faults)
{
	writer_ends(test, true);
}

static enum heddle_error end_reading(struct waiting *waiting)
{
	struct reader_writer_lock *locks = waiting->object;
	for (unsigned i = 0; i < 10; i++) {
		reader_writer_lock_read(&locks[0]);
		reader_writer_lock_read(&locks[1]);
	}
	reader_writer_lock_read_unlock(&locks[1]);
	task_suspend();
	if (waiting->number)
		fault();
	return HEDDLE_OK;
}

/* Its shares are given back, and no task is told. */
TEST(reader_writer_lock, reader_ends)
{
	for (unsigned by_fault = 0; by_fault <= 1; by_fault++) {
		struct reader_writer_lock locks[2] = {HEDDLE_READER_WRITER_LOCK_INITIALIZER};
		struct waiting holder = {.wait = end_reading, .object = locks, .number = by_fault}, waiting[3];
		CHECK(waiting_start(&holder));
		CHECK_EQUAL(reader_writer_lock_read(&locks[1]), HEDDLE_OK);
		for (unsigned i = 0; i < 3; i++) {
			waiting[i] = (struct waiting){.wait = i == 1 ? read : write, .object = &locks[0]};
			CHECK(waiting_start(&waiting[i]));
		}
		task_resume(holder.task);
		CHECK_EQUAL(waiting_end(&holder), by_fault ? HEDDLE_TASK_FAULT : HEDDLE_OK);
		for (unsigned i = 0; i < 3; i++)
			CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_read_unlock(&locks[1]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_write(&locks[1]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_write_unlock(&locks[1]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_destroy(&locks[0]), HEDDLE_OK);
		CHECK_EQUAL(reader_writer_lock_destroy(&locks[1]), HEDDLE_OK);
	}
}

static enum heddle_error write_and_end(struct waiting *waiting)
{
	return reader_writer_lock_write(waiting->object);
}

/* Each ends while it writes, one after the other: every task gets the lock, with the error. */
TEST(reader_writer_lock, each_writer_ends_with_it)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	struct waiting waiting[6];
	CHECK_EQUAL(reader_writer_lock_write(&lock), HEDDLE_OK);
	for (unsigned i = 0; i < 6; i++) {
		waiting[i] = (struct waiting){.wait = write_and_end, .object = &lock, .bound = i % 2, .processor = i};
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK_EQUAL(reader_writer_lock_write_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting[0]), HEDDLE_OK);
	for (unsigned i = 1; i < 6; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_OK);
}
