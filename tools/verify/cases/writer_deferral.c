/*
 * Deferred hand-over by a writer: it goes on, and writes again, reads, or leaves its processor, while others wait,
 * come or give up.
 */
#include "script.h"

#include "heddle/reader_writer_lock.h"
#include "kernel/command_line.h"
#include "sched/owed.h"

#define OK(call) script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)

static struct reader_writer_lock lock;
static unsigned readers, writers, users;
static bool over; /* the first task's wait */

static void prepare(void)
{
	command_line.defer = 1;
	explore_name(&lock, sizeof lock, "lock");
	explore_name(&lock.state, sizeof lock.state, "lock.state");
	explore_ignore(&lock.writer, sizeof lock.writer);
	explore_ignore(&lock.counters, sizeof lock.counters);
	explore_ignore(&lock.deferral.deferred, 2 * sizeof lock.deferral.deferred);
	script_watch(&lock.first, &lock.counters);
	script_watch(&lock.deferral, &lock.deferral.deferred);
}

static const char *check(void)
{
	return lock.state == 0 && !lock.first ? NULL : "the lock is not free";
}

/* ---- what a task does ---- */

static void use_writing(void)
{
	if (writers++ || readers)
		explore_fail("a task writes while another reads or writes");
	explore_pause();
	writers--;
}

static void use_reading(void)
{
	readers++;
	if (writers)
		explore_fail("a task reads while another writes");
	explore_pause();
	readers--;
}

static void write_once(void)
{
	OK(reader_writer_lock_write(&lock));
	use_writing();
	OK(reader_writer_lock_write_unlock(&lock));
}

static void read_once(void)
{
	OK(reader_writer_lock_read(&lock));
	use_reading();
	OK(reader_writer_lock_read_unlock(&lock));
}

/* ---- programs ---- */

static intptr_t write(void *unused)
{
	(void)unused;
	write_once();
	return 0;
}

static intptr_t read(void *unused)
{
	(void)unused;
	read_once();
	return 0;
}

static intptr_t write_again(void *unused)
{
	write(unused);
	return write(unused);
}

static intptr_t write_then_read(void *unused)
{
	write(unused);
	return read(unused);
}

static intptr_t write_then_check(void *unused)
{
	write(unused);
	script_spend();
	return write(unused);
}

static intptr_t write_then_yield(void *unused)
{
	write(unused);
	task_yield();
	return write(unused);
}

/* The last of all frees the lock as soon as its unlock has returned. */
static intptr_t write_and_leave(void *unused)
{
	(void)unused;
	OK(reader_writer_lock_write(&lock));
	use_writing();
	bool last = ++users == 3;
	OK(reader_writer_lock_write_unlock(&lock));
	if (last)
		explore_free(&lock, sizeof lock);
	return 0;
}

static intptr_t write_and_leave_twice(void *unused)
{
	write_and_leave(unused);
	return write_and_leave(unused);
}

/* ---- the first task gives up while the second one has the lock back and waits for that: no other task ends that
 * ---- */

static bool is_over(void *unused)
{
	(void)unused;
	return over;
}

static void end_wait(enum heddle_error error, enum heddle_error other)
{
	script_expect("reader_writer_lock_write()", error, HEDDLE_OK, other);
	if (error == HEDDLE_OK) {
		use_writing();
		OK(reader_writer_lock_write_unlock(&lock));
	}
	over = true;
}

static intptr_t write_cancelled(void *unused)
{
	(void)unused;
	end_wait(reader_writer_lock_write(&lock), HEDDLE_CANCELLED);
	return 0;
}

static intptr_t write_until(void *unused)
{
	(void)unused;
	end_wait(reader_writer_lock_write_until(&lock, SOON), HEDDLE_TIMED_OUT);
	return 0;
}

static intptr_t write_and_await(void *unused)
{
	write(unused);
	OK(reader_writer_lock_write(&lock));
	model_yield_until(is_over, NULL);
	OK(reader_writer_lock_write_unlock(&lock));
	return 0;
}

#define CASE(title, longer, world, ...) \
	SCRIPT_CASE("writer_deferral", title, 0, longer, 2, world, prepare, check, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("again", false, ALONE, write_again, write),
    CASE("again-both", false, ALONE, write_again, write_again),
    CASE("again-three", false, ALONE, write_again, write, write),
    CASE("again-three-twice", true, ALONE, write_again, write_again, write),
    CASE("reader", false, ALONE, write_again, read),
    CASE("reader-behind", false, ALONE, write_again, write, read),
    CASE("then-read", false, ALONE, write_then_read, write),
    CASE("check", false, ALONE, write_then_check, write),
    CASE("yield", false, ALONE, write_then_yield, write),
    CASE("cancel", false, CANCEL, write_cancelled, write_and_await),
    CASE("deadline", false, TIME, write_until, write_and_await),
    SCRIPT_CASE("writer_deferral", "freed", 0, false, 2, ALONE, prepare, NULL, write_and_leave_twice,
                write_and_leave),
    {0},
};
