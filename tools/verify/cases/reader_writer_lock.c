/* The reader-writer lock: deadlines, cancellation, holders that end, and its end. */
#include "script.h"

#include "heddle/reader_writer_lock.h"

#define OK_OR(call, other) script_expect(#call, call, HEDDLE_OK, other)
#define OK(call)           OK_OR(call, HEDDLE_OK)

static struct reader_writer_lock lock;
static unsigned readers, writers, users;

static void prepare_lock(void)
{
	explore_name(&lock, sizeof lock, "lock");
	explore_name(&lock.state, sizeof lock.state, "lock.state");
	explore_name(&lock.writer, sizeof lock.writer, "lock.writer");
	script_watch(&lock.first, &lock.counters);
	explore_ignore(&lock.counters, sizeof lock.counters);
}

static const char *check_lock(void)
{
	return lock.state == 0 && !lock.writer && !lock.first ? NULL : "the lock is not free";
}

static void use_reading(void)
{
	readers++;
	if (writers)
		explore_fail("a task reads while another writes");
	explore_pause();
	readers--;
	OK(reader_writer_lock_read_unlock(&lock));
}

static void use_writing(void)
{
	if (writers++ || readers)
		explore_fail("a task writes while another reads or writes");
	explore_pause();
	writers--;
	OK(reader_writer_lock_write_unlock(&lock));
}

static intptr_t read(void *unused)
{
	(void)unused;
	OK(reader_writer_lock_read(&lock));
	use_reading();
	return 0;
}

static intptr_t write(void *unused)
{
	(void)unused;
	OK(reader_writer_lock_write(&lock));
	use_writing();
	return 0;
}

static intptr_t read_until(void *unused)
{
	(void)unused;
	enum heddle_error error = reader_writer_lock_read_until(&lock, SOON);
	script_expect("reader_writer_lock_read_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		use_reading();
	return 0;
}

static intptr_t write_until(void *unused)
{
	(void)unused;
	enum heddle_error error = reader_writer_lock_write_until(&lock, SOON);
	script_expect("reader_writer_lock_write_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		use_writing();
	return 0;
}

static intptr_t write_cancelled(void *unused)
{
	(void)unused;
	enum heddle_error error = reader_writer_lock_write(&lock);
	script_expect("reader_writer_lock_write()", error, HEDDLE_OK, HEDDLE_CANCELLED);
	if (error == HEDDLE_OK)
		use_writing();
	return 0;
}

static void use_writing_and_leave(void)
{
	script_alone();
	bool last = ++users == 3;
	OK(reader_writer_lock_write_unlock(&lock));
	if (last)
		explore_free(&lock, sizeof lock);
}

static intptr_t write_and_leave(void *unused)
{
	(void)unused;
	OK(reader_writer_lock_write(&lock));
	use_writing_and_leave();
	return 0;
}

static intptr_t write_until_and_leave(void *unused)
{
	(void)unused;
	if (reader_writer_lock_write_until(&lock, SOON) != HEDDLE_OK)
		OK(reader_writer_lock_write(&lock));
	use_writing_and_leave();
	return 0;
}

/* Its read ends, perhaps as the last use, after a writer that found a waiting task, which then gave up. */
static intptr_t read_until_and_leave(void *unused)
{
	(void)unused;
	if (reader_writer_lock_read_until(&lock, SOON) != HEDDLE_OK)
		OK(reader_writer_lock_read(&lock));
	bool last = ++users == 2;
	OK(reader_writer_lock_read_unlock(&lock));
	if (last)
		explore_free(&lock, sizeof lock);
	return 0;
}

static intptr_t write_and_leave_two(void *unused)
{
	(void)unused;
	OK(reader_writer_lock_write(&lock));
	bool last = ++users == 2;
	OK(reader_writer_lock_write_unlock(&lock));
	if (last)
		explore_free(&lock, sizeof lock);
	return 0;
}

/* Places that are left in the queue, of one kind and of both. */
static intptr_t write_until_then_write(void *unused)
{
	write_until(unused);
	return write_until(unused);
}

static intptr_t write_until_then_read(void *unused)
{
	write_until(unused);
	return read(unused);
}

/* Writers that have given up keep no task out. */
static unsigned gave_up;

static intptr_t write_until_and_say(void *unused)
{
	(void)unused;
	enum heddle_error error = reader_writer_lock_write_until(&lock, SOON);
	script_expect("reader_writer_lock_write_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		use_writing();
	else
		gave_up++;
	return 0;
}

static intptr_t read_and_read_again(void *unused)
{
	(void)unused;
	OK(reader_writer_lock_read(&lock));
	OK(task_sleep_until(SOON)); /* leaves both processors to them */
	if (gave_up == 2) {
		OK(reader_writer_lock_try_read(&lock));
		OK(reader_writer_lock_read_unlock(&lock));
	}
	use_reading();
	return 0;
}

/* A writer that ends, and the tasks that come after it. */
static unsigned deaths;

static enum heddle_error expected(void)
{
	return deaths ? HEDDLE_OWNER_DIED : HEDDLE_OK;
}

static intptr_t write_and_end(void *unused)
{
	(void)unused;
	enum heddle_error error = reader_writer_lock_write(&lock);
	script_expect("reader_writer_lock_write()", error, expected(), expected());
	deaths++;
	return 0;
}

static intptr_t read_and_end(void *unused)
{
	(void)unused;
	enum heddle_error error = reader_writer_lock_read(&lock);
	script_expect("reader_writer_lock_read()", error, expected(), expected());
	return 0;
}

static intptr_t read_or_inherit(void *unused)
{
	(void)unused;
	enum heddle_error error = reader_writer_lock_read(&lock);
	script_expect("reader_writer_lock_read()", error, expected(), expected());
	use_reading();
	return 0;
}

static intptr_t write_or_inherit(void *unused)
{
	(void)unused;
	enum heddle_error error = reader_writer_lock_write(&lock);
	script_expect("reader_writer_lock_write()", error, expected(), expected());
	deaths = 0;
	OK(reader_writer_lock_repair(&lock));
	use_writing();
	return 0;
}

#define CASE(title, limit, longer, count, world, first, last, ...) \
	SCRIPT_CASE("reader_writer_lock", title, limit, longer, count, world, first, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("write", 0, false, 2, ALONE, prepare_lock, check_lock, write, write),
    CASE("read-write", 0, false, 2, ALONE, prepare_lock, check_lock, read, write),
    CASE("two-read", 0, false, 2, ALONE, prepare_lock, check_lock, read, write, read),
    CASE("two-write", 0, false, 2, ALONE, prepare_lock, check_lock, write, read, write),
    CASE("deadline-write", 0, false, 2, TIME, prepare_lock, check_lock, write_until, read, read),
    CASE("deadline-read", 0, false, 2, TIME, prepare_lock, check_lock, read_until, write, read),
    CASE("deadline-writers", 0, false, 2, TIME, prepare_lock, check_lock, read, write_until, write),
    CASE("deadline-renewed", 0, false, 2, TIME, prepare_lock, check_lock, write_until_then_write, read),
    CASE("deadline-other-use", 0, false, 2, TIME, prepare_lock, check_lock, write_until_then_read, read,
         write),
    CASE("deadline-both", 3, false, 2, TIME, prepare_lock, check_lock, read_and_read_again,
         write_until_and_say, write_until_and_say),
    CASE("writer-ends", 0, false, 2, ALONE, prepare_lock, check_lock, write_and_end, write_or_inherit,
         read_or_inherit),
    CASE("reader-ends", 0, false, 2, ALONE, prepare_lock, check_lock, read_and_end, write_or_inherit,
         read_or_inherit),
    CASE("all-end", 0, false, 2, ALONE, prepare_lock, check_lock, read_and_end, write_and_end, write_and_end),
    CASE("cancel", 0, false, 2, CANCEL, prepare_lock, check_lock, write_cancelled, read),
    CASE("freed", 0, false, 2, ALONE, prepare_lock, NULL, write_and_leave, write_and_leave, write_and_leave),
    CASE("freed-deadline", 0, false, 2, TIME, prepare_lock, NULL, write_until_and_leave, write_and_leave,
         write_and_leave),
    CASE("freed-read", 0, false, 2, TIME, prepare_lock, NULL, read_until_and_leave, write_and_leave_two),
    {0},
};
