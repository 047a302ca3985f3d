/* task_cancel() ends each kind of wait, once, also when it comes first; it leaves nothing behind in the object. */
#include "heddle/barrier.h"
#include "heddle/channel.h"
#include "heddle/condition.h"
#include "heddle/event.h"
#include "heddle/latch.h"
#include "heddle/mutex.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

/* One of each, in a state in which the caller must wait. */
struct objects {
	struct mutex held, mutex;
	struct semaphore semaphore;
	struct reader_writer_lock written, read;
	struct condition condition;
	struct barrier barrier;
	struct latch latch;
	struct event event;
	struct channel empty, full;
	uint32_t buffers[2];
	struct task *sleeper;
};

enum kind {
	SUSPEND,
	SLEEP,
	JOIN,
	MUTEX,
	SEMAPHORE,
	READ,
	WRITE,
	WRITE_BEHIND_READER,
	CONDITION,
	BARRIER,
	LATCH,
	EVENT,
	RECEIVE,
	SEND,
	SELECT,
	KINDS
};

static enum heddle_error wait_for_condition(struct objects *objects)
{
	if (mutex_lock(&objects->mutex) != HEDDLE_OK)
		return HEDDLE_BAD_ARGUMENT;
	enum heddle_error error = condition_wait(&objects->condition, &objects->mutex);
	return mutex_unlock(&objects->mutex) == HEDDLE_OK ? error : HEDDLE_BAD_ARGUMENT;
}

static enum heddle_error wait_for_one(struct objects *objects)
{
	uint32_t message = 0;
	struct channel_case cases[2] = {{&objects->empty, false, &message}, {&objects->full, true, &message}};
	size_t chosen;
	return channel_select(cases, 2, &chosen, HEDDLE_NO_DEADLINE);
}

static enum heddle_error wait_for_kind(struct objects *objects, enum kind kind)
{
	uint32_t message = 0;
	switch (kind) {
	case SUSPEND:
		return task_suspend();
	case SLEEP:
		return task_sleep_until(after(1000000));
	case JOIN:
		return task_join(objects->sleeper, NULL);
	case MUTEX:
		return mutex_lock(&objects->held);
	case SEMAPHORE:
		return semaphore_acquire(&objects->semaphore, 3);
	case READ:
		return reader_writer_lock_read(&objects->written);
	case WRITE:
		return reader_writer_lock_write(&objects->written);
	case WRITE_BEHIND_READER:
		return reader_writer_lock_write(&objects->read);
	case CONDITION:
		return wait_for_condition(objects);
	case BARRIER:
		return barrier_wait(&objects->barrier, NULL);
	case LATCH:
		return latch_wait(&objects->latch);
	case EVENT:
		return event_wait(&objects->event);
	case RECEIVE:
		return channel_receive(&objects->empty, &message);
	case SEND:
		return channel_send(&objects->full, &message);
	default:
		return wait_for_one(objects);
	}
}

static enum heddle_error wait_of_kind(struct waiting *waiting)
{
	return wait_for_kind(waiting->object, (enum kind)waiting->number);
}

static intptr_t suspend(void *unused)
{
	(void)unused;
	return task_suspend();
}

static bool objects_create(struct objects *objects)
{
	uint32_t message = 0;
	*objects = (struct objects){.barrier = HEDDLE_BARRIER_INITIALIZER(2),
	                            .latch = HEDDLE_LATCH_INITIALIZER(1),
	                            .semaphore = HEDDLE_SEMAPHORE_INITIALIZER(1)};
	return task_create(&objects->sleeper, suspend, NULL, NULL) == HEDDLE_OK &&
	       mutex_lock(&objects->held) == HEDDLE_OK &&
	       reader_writer_lock_write(&objects->written) == HEDDLE_OK &&
	       reader_writer_lock_read(&objects->read) == HEDDLE_OK &&
	       channel_create(&objects->empty, &objects->buffers[0], 4, 1) == HEDDLE_OK &&
	       channel_create(&objects->full, &objects->buffers[1], 4, 1) == HEDDLE_OK &&
	       channel_send(&objects->full, &message) == HEDDLE_OK;
}

/* Whether everything is in its initial state, and no task waits any more. */
static bool objects_destroy(struct objects *objects)
{
	task_resume(objects->sleeper);
	bool ok = task_join(objects->sleeper, NULL) == HEDDLE_OK;
	ok &= mutex_unlock(&objects->held) == HEDDLE_OK && mutex_destroy(&objects->held) == HEDDLE_OK;
	ok &= reader_writer_lock_write_unlock(&objects->written) == HEDDLE_OK;
	ok &= reader_writer_lock_destroy(&objects->written) == HEDDLE_OK;
	ok &= reader_writer_lock_read_unlock(&objects->read) == HEDDLE_OK;
	ok &= reader_writer_lock_destroy(&objects->read) == HEDDLE_OK;
	ok &= semaphore_permits(&objects->semaphore) == 1 &&
	      semaphore_try_acquire(&objects->semaphore, 1) == HEDDLE_OK &&
	      semaphore_destroy(&objects->semaphore) == HEDDLE_OK;
	ok &= mutex_destroy(&objects->mutex) == HEDDLE_OK;
	ok &= condition_destroy(&objects->condition) == HEDDLE_OK;
	ok &= objects->barrier.arrived == 0 && barrier_destroy(&objects->barrier) == HEDDLE_OK;
	ok &= latch_destroy(&objects->latch) == HEDDLE_OK && event_destroy(&objects->event) == HEDDLE_OK;
	ok &= objects->empty.count == 0 && channel_destroy(&objects->empty) == HEDDLE_OK;
	ok &= objects->full.count == 1 && channel_destroy(&objects->full) == HEDDLE_OK;
	return ok;
}

TEST(cancel, bad_argument)
{
	CHECK_EQUAL(task_cancel(NULL), HEDDLE_BAD_ARGUMENT);
}

TEST(cancel, ends_each_kind_of_wait)
{
	for (int bound = 0; bound <= 1; bound++) {
		struct objects objects;
		CHECK(objects_create(&objects));
		for (unsigned kind = 0; kind < KINDS; kind++) {
			struct waiting waiting[2];
			for (unsigned i = 0; i < 2; i++) {
				waiting[i] = (struct waiting){.wait = wait_of_kind,
				                              .object = &objects,
				                              .number = kind,
				                              .bound = bound,
				                              .processor = kind + i};
				/* Only one task can join, and a single task is not enough for the barrier. */
				if (i == 1 && (kind == JOIN || kind == BARRIER))
					break;
				CHECK(waiting_start(&waiting[i]));
			}
			CHECK_EQUAL(task_cancel(waiting[0].task), HEDDLE_OK);
			CHECK_EQUAL(waiting_end(&waiting[0]), HEDDLE_CANCELLED);
			if (kind == JOIN || kind == BARRIER)
				continue;
			CHECK(task_waits(waiting[1].task));
			CHECK_EQUAL(task_cancel(waiting[1].task), HEDDLE_OK);
			CHECK_EQUAL(waiting_end(&waiting[1]), HEDDLE_CANCELLED);
		}
		CHECK(objects_destroy(&objects));
	}
}

/* It ends the first wait, but not the next. */
static enum heddle_error wait_cancelled(struct waiting *waiting)
{
	task_cancel(task_current());
	task_cancel(task_current());
	task_yield();
	enum heddle_error error = wait_of_kind(waiting);
	return error == HEDDLE_CANCELLED ? task_sleep_until(after(1)) : HEDDLE_BAD_ARGUMENT;
}

TEST(cancel, that_comes_first)
{
	struct objects objects;
	CHECK(objects_create(&objects));
	for (unsigned kind = 0; kind < KINDS; kind++) {
		struct waiting waiting = {.wait = wait_cancelled, .object = &objects, .number = kind};
		CHECK(waiting_create(&waiting));
		CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	}
	CHECK(objects_destroy(&objects));
}

/* An operation that need not wait is not cancelled. */
TEST(cancel, does_not_end_what_does_not_wait)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(1);
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	struct barrier barrier = HEDDLE_BARRIER_INITIALIZER(1);
	CHECK_EQUAL(task_cancel(task_current()), HEDDLE_OK);
	CHECK_EQUAL(mutex_lock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(mutex_unlock(&mutex), HEDDLE_OK);
	CHECK_EQUAL(semaphore_acquire(&semaphore, 1), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_write(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_write_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_read(&lock), HEDDLE_OK);
	CHECK_EQUAL(reader_writer_lock_read_unlock(&lock), HEDDLE_OK);
	CHECK_EQUAL(barrier_wait(&barrier, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_suspend(), HEDDLE_CANCELLED);
}

/* -------------------------------------------------------------------------------------------- stress -- */

#define VICTIMS 8

struct hunt {
	struct crew crew;
	struct objects objects;
	_Atomic unsigned waits[VICTIMS];     /* cancelled waits */
	_Atomic unsigned cancelled[VICTIMS]; /* how often task_cancel() was called */
	_Atomic unsigned wrong;
	uint64_t end;
};

/* Each request is for one wait. */
static intptr_t wait_repeatedly(struct hunt *hunt, size_t number)
{
	uint64_t random = heddle_seed() + number;
	while (heddle_clock() < hunt->end) {
		uint32_t draw = random_next(&random);
		enum heddle_error error;
		if (draw & 0x100)
			error = task_sleep_until(heddle_clock() + draw % 3000);
		else
			error = mutex_lock_until(&hunt->objects.held, heddle_clock() + draw % 3000);
		if (error == HEDDLE_CANCELLED) {
			unsigned waits = atomic_fetch_add(&hunt->waits[number], 1) + 1;
			if (waits > atomic_load(&hunt->cancelled[number]))
				atomic_fetch_add(&hunt->wrong, 1);
		} else if (error != HEDDLE_OK && error != HEDDLE_TIMED_OUT) {
			atomic_fetch_add(&hunt->wrong, 1);
		}
	}
	return 1;
}

/* The next request comes after the previous one has ended a wait. */
static intptr_t cancel_repeatedly(struct hunt *hunt, size_t number)
{
	struct task *victim = crew_task(&hunt->crew, VICTIMS + number);
	for (unsigned requests = 1; heddle_clock() < hunt->end; requests++) {
		atomic_store(&hunt->cancelled[number], requests);
		task_cancel(victim);
		while (atomic_load(&hunt->waits[number]) < requests && heddle_clock() < hunt->end)
			task_yield();
	}
	return 1;
}

/* The hunters are joined first: the victims exist until then. */
static intptr_t hunt_or_run(size_t number, void *hunt)
{
	return number < VICTIMS ? cancel_repeatedly(hunt, number) : wait_repeatedly(hunt, number - VICTIMS);
}

TEST(cancel, ends_one_wait_each)
{
	for (int bound = 0; bound <= 1; bound++) {
		struct hunt hunt = {.end = after(150)};
		intptr_t done = 0;
		CHECK_EQUAL(mutex_lock(&hunt.objects.held), HEDDLE_OK);
		hunt.crew =
		    (struct crew){.function = hunt_or_run, .argument = &hunt, .count = 2 * VICTIMS, .bound = bound};
		CHECK_EQUAL(crew_create(&hunt.crew), HEDDLE_OK);
		crew_start(&hunt.crew);
		CHECK_EQUAL(crew_join(&hunt.crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, 2 * VICTIMS);
		CHECK_EQUAL(atomic_load(&hunt.wrong), 0);
		CHECK_EQUAL(mutex_unlock(&hunt.objects.held), HEDDLE_OK);
	}
}
