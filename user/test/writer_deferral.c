/*
 * Deferred hand-over from writer to writer (sync/reader_writer_deferral.c). An interrupt, or another processor, may
 * end a deferral at any moment. So each test tries again if there was none, or if it ended before what the test wants
 * to see.
 */
#include "heddle/reader_writer_lock.h"
#include "kernel/command_line.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define TRIES 1000

struct play {
	struct reader_writer_lock lock;
	struct waiting waiting;
	_Atomic bool ran; /* the waiting task has had the lock */
	bool good;        /* what `act` has seen */
	void (*act)(struct play *play);
	enum heddle_error (*wait)(struct waiting *waiting);
};

static bool has_run(struct play *play)
{
	return atomic_load_explicit(&play->ran, memory_order_relaxed);
}

static enum heddle_error wait_to_write(struct waiting *waiting)
{
	struct play *play = waiting->object;
	enum heddle_error error = reader_writer_lock_write(&play->lock);
	atomic_store_explicit(&play->ran, true, memory_order_relaxed);
	reader_writer_lock_write_unlock(&play->lock);
	return error;
}

static enum heddle_error wait_to_read(struct waiting *waiting)
{
	struct play *play = waiting->object;
	enum heddle_error error = reader_writer_lock_read(&play->lock);
	atomic_store_explicit(&play->ran, true, memory_order_relaxed);
	reader_writer_lock_read_unlock(&play->lock);
	return error;
}

static enum heddle_error wait_with_deadline(struct waiting *waiting)
{
	struct play *play = waiting->object;
	enum heddle_error error = reader_writer_lock_write_until(&play->lock, after(100000));
	atomic_store_explicit(&play->ran, true, memory_order_relaxed);
	reader_writer_lock_write_unlock(&play->lock);
	return error;
}

/* A separate task, with the stack that this file is compiled for. The other one waits before it unlocks. */
static intptr_t give(void *argument)
{
	struct play *play = argument;
	play->waiting = (struct waiting){.wait = play->wait, .object = play};
	if (reader_writer_lock_write(&play->lock) != HEDDLE_OK || !waiting_start(&play->waiting))
		return false;
	reader_writer_lock_write_unlock(&play->lock);
	play->act(play);
	return true;
}

/* Whether everything was right in the end. */
static bool play_once(struct play *play)
{
	struct task *giver;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	intptr_t given = false;
	if (task_create(&giver, give, play, &options) != HEDDLE_OK || task_join(giver, &given) != HEDDLE_OK ||
	    !given)
		return false;
	return waiting_end(&play->waiting) == HEDDLE_OK && has_run(play) &&
	       reader_writer_lock_destroy(&play->lock) == HEDDLE_OK;
}

static void check_seen(struct test_state *test, void (*act)(struct play *play))
{
	struct play play = {0};
	if (command_line.defer < 100 || command_line.quantum < 1000) {
		test_skip(test, "needs defer=100 or more, and quantum=1000 or more");
		return;
	}
	for (unsigned i = 0; i < TRIES && !play.good; i++) {
		play = (struct play){.act = act, .wait = wait_to_write};
		CHECK(play_once(&play));
	}
	CHECK(play.good);
	CHECK(play.lock.deferral.deferred > 0);
}

/* ---- what a task does after an unlock ---- */

static void write_again(struct play *play)
{
	bool before = has_run(play);
	if (reader_writer_lock_write(&play->lock) != HEDDLE_OK)
		return;
	play->good = !before && !has_run(play) && play->lock.deferral.retaken == 1 &&
	             play->lock.counters.acquisitions == 2 && play->lock.counters.contended == 0;
	reader_writer_lock_write_unlock(&play->lock);
}

static void try_again(struct play *play)
{
	play->good = reader_writer_lock_try_write(&play->lock) == HEDDLE_BUSY &&
	             reader_writer_lock_try_read(&play->lock) == HEDDLE_BUSY && !has_run(play);
}

static void read_then(struct play *play)
{
	bool before = has_run(play);
	if (reader_writer_lock_read(&play->lock) != HEDDLE_OK)
		return;
	play->good = !before && has_run(play);
	reader_writer_lock_read_unlock(&play->lock);
}

static void yield(struct play *play)
{
	bool before = has_run(play);
	task_yield();
	play->good = !before && has_run(play);
}

static void do_nothing(struct play *play)
{
	play->good = true;
}

/* ---- tests ---- */

TEST(writer_deferral, is_taken_back)
{
	check_seen(test, write_again);
}

TEST(writer_deferral, is_not_taken_back_by_a_try)
{
	check_seen(test, try_again);
}

TEST(writer_deferral, ends_when_its_task_reads)
{
	check_seen(test, read_then);
}

TEST(writer_deferral, ends_at_a_yield)
{
	check_seen(test, yield);
}

static void check_never(struct test_state *test, enum heddle_error (*wait)(struct waiting *waiting))
{
	for (unsigned i = 0; i < 20; i++) {
		struct play play = {.act = do_nothing, .wait = wait};
		CHECK(play_once(&play));
		CHECK_EQUAL(play.lock.deferral.deferred, 0);
	}
}

TEST(writer_deferral, is_not_for_a_reader)
{
	check_never(test, wait_to_read);
}

TEST(writer_deferral, is_not_where_a_deadline_could_pass)
{
	check_never(test, wait_with_deadline);
}
