/* The reader-writer lock: which tasks may be in together, order, deadlines, misuse. */
#include "heddle/reader_writer_lock.h"

#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

static enum heddle_error read(struct waiting *waiting)
{
	enum heddle_error error = reader_writer_lock_read_until(waiting->object, waiting->deadline);
	return error == HEDDLE_OK ? reader_writer_lock_read_unlock(waiting->object) : error;
}

static enum heddle_error write(struct waiting *waiting)
{
	enum heddle_error error = reader_writer_lock_write_until(waiting->object, waiting->deadline);
	return error == HEDDLE_OK ? reader_writer_lock_write_unlock(waiting->object) : error;
}

static struct waiting reader(struct reader_writer_lock *lock)
{
	return (struct waiting){.wait = read, .object = lock, .deadline = HEDDLE_NO_DEADLINE};
}

static struct waiting writer(struct reader_writer_lock *lock)
{
	return (struct waiting){.wait = write, .object = lock, .deadline = HEDDLE_NO_DEADLINE};
}

/* In another task: a holder of the lock would get another error. */
static enum heddle_error ending_of(struct waiting waiting)
{
	return waiting_create(&waiting) ? waiting_end(&waiting) : HEDDLE_NO_MEMORY;
}

static enum heddle_error read_try(struct waiting *waiting)
{
	enum heddle_error error = reader_writer_lock_try_read(waiting->object);
	return error == HEDDLE_OK ? reader_writer_lock_read_unlock(waiting->object) : error;
}

static enum heddle_error write_try(struct waiting *waiting)
{
	enum heddle_error error = reader_writer_lock_try_write(waiting->object);
	return error == HEDDLE_OK ? reader_writer_lock_write_unlock(waiting->object) : error;
}

/* ----------------------------------------------------------------------------- which tasks may be in -- */

TEST(reader_writer_lock, readers_share_and_writers_do_not)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	struct waiting reads = {.wait = read_try, .object = &lock};
	struct waiting writes = {.wait = write_try, .object = &lock};
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_try_read(&lock), HEDDLE_OK);
	CHECK_EQUAL(ending_of(reads), HEDDLE_OK);
	CHECK_EQUAL(ending_of(writes), HEDDLE_BUSY);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(ending_of(writes), HEDDLE_BUSY);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_write(&lock), HEDDLE_OK);
	CHECK_EQUAL(ending_of(reads), HEDDLE_BUSY);
	CHECK_EQUAL(ending_of(writes), HEDDLE_BUSY);
	CHECK_EQUAL(reader_writer_lock_try_write(&lock), HEDDLE_RELOCKED);
	CHECK_EQUAL(reader_writer_lock_write_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(ending_of(writes), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_OK);
}

/* --------------------------------------------------------------------------------------------- order -- */

#define WAITERS 12

struct book {
	struct reader_writer_lock lock;
	_Atomic unsigned readers, writers, came, wrong;
	_Atomic unsigned together; /* readers, at most */
	unsigned order[WAITERS];
};

static void enter_reading(struct book *book)
{
	unsigned readers = atomic_fetch_add(&book->readers, 1) + 1;
	unsigned most = atomic_load(&book->together);
	while (readers > most && !atomic_compare_exchange_weak(&book->together, &most, readers))
		continue;
	atomic_fetch_add(&book->wrong, atomic_load(&book->writers) != 0);
}

static void leave_reading(struct book *book)
{
	atomic_fetch_add(&book->wrong, atomic_load(&book->writers) != 0);
	atomic_fetch_sub(&book->readers, 1);
}

static void write_in(struct book *book, bool yields)
{
	atomic_fetch_add(&book->wrong, atomic_fetch_add(&book->writers, 1) != 0);
	atomic_fetch_add(&book->wrong, atomic_load(&book->readers) != 0);
	if (yields)
		task_yield();
	atomic_fetch_sub(&book->writers, 1);
}

/* Two readers, then a writer, and so on. */
static bool writes(size_t number)
{
	return number % 3 == 2;
}

static enum heddle_error come_in(struct waiting *waiting)
{
	struct book *book = waiting->object;
	size_t number = waiting->number;
	enum heddle_error error =
	    writes(number) ? reader_writer_lock_write(&book->lock) : reader_writer_lock_read(&book->lock);
	if (error != HEDDLE_OK)
		return error;
	book->order[number] = atomic_fetch_add(&book->came, 1);
	if (writes(number)) {
		write_in(book, true);
		return reader_writer_lock_write_unlock(&book->lock);
	}
	enter_reading(book);
	task_yield();
	leave_reading(book);
	return reader_writer_lock_read_unlock(&book->lock);
}

/* Readers between two writers are in together, in any order; otherwise everything is in order. */
TEST(reader_writer_lock, first_come_first_served)
{
	for (int reads = 0; reads <= 1; reads++) {
		struct book book = {.lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER};
		struct waiting waiting[WAITERS], first = writer(&book.lock);
		CHECK_EQUAL(reads ? reader_writer_lock_read(&book.lock) : reader_writer_lock_write(&book.lock),
		            HEDDLE_OK);
		/* Behind a reader, only a writer makes later tasks wait. */
		CHECK(waiting_start(&first));
		for (unsigned i = 0; i < WAITERS; i++) {
			waiting[i] = (struct waiting){.wait = come_in,
			                              .object = &book,
			                              .number = i,
			                              .priority = HEDDLE_PRIORITY_IDLE + (int)(i % HEDDLE_PRIORITIES),
			                              .bound = i % 2,
			                              .processor = i};
			CHECK(waiting_start(&waiting[i]));
		}
		CHECK_EQUAL(ending_of((struct waiting){.wait = read_try, .object = &book.lock}), HEDDLE_BUSY);
		CHECK_EQUAL(reads ? reader_writer_lock_read_unlock(&book.lock)
		                  : reader_writer_lock_write_unlock(&book.lock),
		            HEDDLE_OK);
		CHECK_EQUAL(waiting_end(&first), HEDDLE_OK);
		for (unsigned i = 0; i < WAITERS; i++)
			CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
		for (unsigned i = 0; i < WAITERS; i++)
			CHECK_EQUAL(writes(i) ? i : i / 3 * 3, writes(i) ? book.order[i] : book.order[i] / 3 * 3);
		CHECK_EQUAL(atomic_load(&book.wrong), 0);
		CHECK_EQUAL(reader_writer_lock_destroy(&book.lock), HEDDLE_OK);
	}
}

/* ----------------------------------------------------------------------------------------- deadlines -- */

/* Readers wait behind a waiting writer; when that gives up, they go on together with the present reader. */
TEST(reader_writer_lock, a_writer_that_gives_up_lets_readers_by)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	struct waiting gives_up = writer(&lock), readers[3], late = writer(&lock);
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_OK);
	gives_up.deadline = after(10);
	CHECK(waiting_create(&gives_up));
	for (unsigned i = 0; i < 3; i++) {
		readers[i] = reader(&lock);
		CHECK(waiting_create(&readers[i]));
	}
	CHECK_EQUAL(waiting_end(&gives_up), HEDDLE_TIMED_OUT);
	CHECK(heddle_clock() >= gives_up.deadline);
	for (unsigned i = 0; i < 3; i++)
		CHECK_EQUAL(waiting_end(&readers[i]), HEDDLE_OK);
	CHECK(waiting_start(&late));
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&late), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_OK);
}

TEST(reader_writer_lock, deadlines)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	struct waiting past[2] = {reader(&lock), writer(&lock)}, soon[2] = {reader(&lock), writer(&lock)};
	CHECK_EQUAL(reader_writer_lock_read_until(&lock, 0), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_write_until(&lock, 0), HEDDLE_OK);
	for (unsigned i = 0; i < 2; i++) {
		past[i].deadline = 1;
		soon[i].deadline = after(3);
		CHECK_EQUAL(ending_of(past[i]), HEDDLE_TIMED_OUT);
		CHECK(waiting_create(&soon[i]));
	}
	for (unsigned i = 0; i < 2; i++) {
		CHECK_EQUAL(waiting_end(&soon[i]), HEDDLE_TIMED_OUT);
		CHECK(heddle_clock() >= soon[i].deadline);
	}
	CHECK_EQUAL(reader_writer_lock_write_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_OK);
}

/* ------------------------------------------------------------------------------ uncooperative regions -- */

static enum heddle_error lock_to_read(struct waiting *waiting)
{
	return reader_writer_lock_read(waiting->object);
}

static enum heddle_error lock_to_write(struct waiting *waiting)
{
	return reader_writer_lock_write(waiting->object);
}

static enum heddle_error unlock_read(struct waiting *waiting)
{
	return reader_writer_lock_read_unlock(waiting->object);
}

static enum heddle_error unlock_write(struct waiting *waiting)
{
	return reader_writer_lock_write_unlock(waiting->object);
}

static enum heddle_error write_uncooperatively(struct waiting *waiting)
{
	struct waiting inner = {.wait = lock_to_write, .object = waiting->object};
	return uncooperatively(&inner);
}

TEST(reader_writer_lock, uncooperative_regions)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	struct waiting inside = {.wait = lock_to_read, .object = &lock}, waiting = writer(&lock);
	struct waiting refused = {.wait = write_uncooperatively, .object = &lock};
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(ending_of(refused), HEDDLE_UNCOOPERATIVE);
	CHECK(waiting_start(&waiting));
	inside.wait = unlock_read;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	inside.wait = lock_to_write;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	waiting = reader(&lock);
	CHECK(waiting_start(&waiting));
	inside.wait = unlock_write;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_destroy(&lock), HEDDLE_OK);
}

/* -------------------------------------------------------------------------------------------- stress -- */

static bool give_back(struct reader_writer_lock *lock, bool wrote, bool rudely)
{
	struct waiting inside = {.wait = wrote ? unlock_write : unlock_read, .object = lock};
	return (rudely ? uncooperatively(&inside) : inside.wait(&inside)) == HEDDLE_OK;
}

static intptr_t read_and_write(size_t number, void *argument)
{
	struct book *book = argument;
	uint64_t random = heddle_seed() + number;
	for (unsigned i = 0; i < 100; i++) {
		uint32_t draw = random_next(&random);
		bool to_write = draw % 4 == 0;
		uint64_t deadline = draw & 0x30 ? HEDDLE_NO_DEADLINE : heddle_clock() + (draw >> 10) % 30000;
		if ((to_write ? reader_writer_lock_write_until(&book->lock, deadline)
		              : reader_writer_lock_read_until(&book->lock, deadline)) != HEDDLE_OK)
			continue;
		if (to_write) {
			write_in(book, draw & 0x80);
		} else {
			enter_reading(book);
			if (draw & 0x80)
				task_yield();
			leave_reading(book);
		}
		if (!give_back(&book->lock, to_write, (draw & 0x300) == 0))
			atomic_fetch_add(&book->wrong, 1);
	}
	return 1;
}

TEST(reader_writer_lock, excludes_writers)
{
	for (int bound = 0; bound <= 1; bound++) {
		struct book book = {.lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER};
		struct crew crew = {.function = read_and_write, .argument = &book, .count = 30, .bound = bound};
		intptr_t done = 0;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, 30);
		CHECK_EQUAL(atomic_load(&book.wrong), 0);
		CHECK_EQUAL(reader_writer_lock_destroy(&book.lock), HEDDLE_OK);
	}
}
