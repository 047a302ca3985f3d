/* Locks and everything else that tasks wait for, with an allocation failing. */
#include "heddle/barrier.h"
#include "heddle/condition.h"
#include "heddle/event.h"
#include "heddle/latch.h"
#include "heddle/mcs_lock.h"
#include "heddle/mutex.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "heddle/ttas_lock.h"
#include "heddle/ttas_mcs_lock.h"
#include "user/test/fail.h"
#include "user/test/waiting.h"

/* How a helper waits. */
enum { FOR_EVER, LONG, SHORT, CANCELLED, WAYS };

static uint64_t deadline_of(const struct helper *helper)
{
	return helper->number == LONG ? after(20000) : helper->number == SHORT ? after(1) : HEDDLE_NO_DEADLINE;
}

/* What the helper's wait returns, if the object becomes free only after the shorter waits have ended. */
static enum heddle_error outcome_of(const struct helper *helper)
{
	return helper->number == SHORT       ? HEDDLE_TIMED_OUT
	       : helper->number == CANCELLED ? HEDDLE_CANCELLED
	                                     : HEDDLE_OK;
}

/* One helper of each kind; on return only those with long waits wait. */
static void ways_start(struct helper *helpers, struct attempt *attempt, void (*run)(struct helper *),
                       void *object)
{
	for (unsigned way = 0; way < WAYS; way++) {
		helpers[way] = (struct helper){.attempt = attempt, .run = run, .object = object, .number = way};
		if (helper_start(&helpers[way]) && way == CANCELLED)
			MUST(attempt, task_cancel(helpers[way].task));
	}
	helper_await(&helpers[SHORT]);
	helper_await(&helpers[CANCELLED]);
}

static void ways_end(struct helper *helpers)
{
	for (unsigned way = 0; way < WAYS; way++)
		helper_end(&helpers[way]);
}

/* ---------------------------------------------------------------------------------------------- mutex -- */

static void pass_mutex(struct helper *helper)
{
	struct mutex *mutex = helper->object;
	if (EXPECT(helper->attempt, mutex_lock_until(mutex, deadline_of(helper)), outcome_of(helper)) &&
	    outcome_of(helper) == HEDDLE_OK)
		MUST(helper->attempt, mutex_unlock(mutex));
}

static void run_mutex(struct attempt *attempt)
{
	struct mutex mutex = HEDDLE_MUTEX_INITIALIZER;
	struct helper helpers[WAYS];
	if (!EXPECT(attempt, mutex_lock(&mutex), HEDDLE_OK))
		return;
	ways_start(helpers, attempt, pass_mutex, &mutex);
	MUST(attempt, mutex_unlock(&mutex));
	ways_end(helpers);
	MUST(attempt, mutex_destroy(&mutex));
}

/* ------------------------------------------------------------------------------------------ condition -- */

struct monitor {
	struct mutex mutex;
	struct condition condition;
	bool is_open;
};

/* It holds the mutex after each wait, whatever the result. */
static void await_open(struct helper *helper)
{
	struct monitor *monitor = helper->object;
	enum heddle_error error = HEDDLE_OK;
	if (!EXPECT(helper->attempt, mutex_lock(&monitor->mutex), HEDDLE_OK))
		return;
	while (!monitor->is_open && error == HEDDLE_OK)
		error = condition_wait_until(&monitor->condition, &monitor->mutex, deadline_of(helper));
	EXPECT(helper->attempt, error, outcome_of(helper));
	MUST(helper->attempt, mutex_unlock(&monitor->mutex));
}

static void run_condition(struct attempt *attempt)
{
	struct monitor monitor = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, false};
	struct helper helpers[WAYS];
	ways_start(helpers, attempt, await_open, &monitor);
	while (!EXPECT(attempt, mutex_lock(&monitor.mutex), HEDDLE_OK) && !atomic_load(&attempt->is_wrong))
		task_yield();
	monitor.is_open = true;
	MUST(attempt, condition_notify_one(&monitor.condition));
	MUST(attempt, mutex_unlock(&monitor.mutex));
	MUST(attempt, condition_notify_all(&monitor.condition));
	ways_end(helpers);
	MUST(attempt, condition_destroy(&monitor.condition));
	MUST(attempt, mutex_destroy(&monitor.mutex));
}

/* ------------------------------------------------------------------------------------------ semaphore -- */

static void take_permit(struct helper *helper)
{
	struct semaphore *semaphore = helper->object;
	if (EXPECT(helper->attempt, semaphore_acquire_until(semaphore, 2, deadline_of(helper)),
	           outcome_of(helper)) &&
	    outcome_of(helper) == HEDDLE_OK)
		MUST(helper->attempt, semaphore_release(semaphore, 2));
}

static void run_semaphore(struct attempt *attempt)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(1);
	struct helper helpers[WAYS];
	ways_start(helpers, attempt, take_permit, &semaphore);
	MUST(attempt, semaphore_release(&semaphore, 1));
	ways_end(helpers);
	HOLDS(attempt, semaphore_permits(&semaphore) == 2);
	MUST(attempt, semaphore_destroy(&semaphore));
}

/* -------------------------------------------------------------------------------------- readers, writers -- */

static void pass_reading(struct helper *helper)
{
	struct reader_writer_lock *lock = helper->object;
	if (EXPECT(helper->attempt, reader_writer_lock_read_until(lock, deadline_of(helper)),
	           outcome_of(helper)) &&
	    outcome_of(helper) == HEDDLE_OK)
		MUST(helper->attempt, reader_writer_lock_read_unlock(lock));
}

static void pass_writing(struct helper *helper)
{
	struct reader_writer_lock *lock = helper->object;
	if (EXPECT(helper->attempt, reader_writer_lock_write_until(lock, deadline_of(helper)),
	           outcome_of(helper)) &&
	    outcome_of(helper) == HEDDLE_OK)
		MUST(helper->attempt, reader_writer_lock_write_unlock(lock));
}

static void run_readers(struct attempt *attempt)
{
	struct reader_writer_lock lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER;
	struct helper readers[WAYS], writers[WAYS];
	if (EXPECT(attempt, reader_writer_lock_write(&lock), HEDDLE_OK)) {
		ways_start(readers, attempt, pass_reading, &lock);
		MUST(attempt, reader_writer_lock_write_unlock(&lock));
		ways_end(readers);
	}
	if (EXPECT(attempt, reader_writer_lock_read(&lock), HEDDLE_OK)) {
		ways_start(writers, attempt, pass_writing, &lock);
		MUST(attempt, reader_writer_lock_read_unlock(&lock));
		ways_end(writers);
	}
	MUST(attempt, reader_writer_lock_destroy(&lock));
}

#define READ_AT_ONCE 24

/* More than a task can record. */
static void run_many_reads(struct attempt *attempt)
{
	static struct reader_writer_lock locks[READ_AT_ONCE];
	unsigned count = 0;
	while (count < READ_AT_ONCE && EXPECT(attempt, reader_writer_lock_read(&locks[count]), HEDDLE_OK))
		count++;
	while (count > 0)
		MUST(attempt, reader_writer_lock_read_unlock(&locks[--count]));
	for (unsigned i = 0; i < READ_AT_ONCE; i++)
		MUST(attempt, reader_writer_lock_destroy(&locks[i]));
}

/* --------------------------------------------------------------------------------- barrier, latch, event -- */

/* If not all have come, the waiting ones are cancelled. */
static void meet(struct helper *helper)
{
	enum heddle_error error = barrier_wait_until(helper->object, NULL, deadline_of(helper));
	if (error != HEDDLE_CANCELLED)
		EXPECT(helper->attempt, error, HEDDLE_OK);
}

static void run_barrier(struct attempt *attempt)
{
	struct barrier barrier = HEDDLE_BARRIER_INITIALIZER(3);
	struct helper helpers[2];
	unsigned waiting = 0;
	for (unsigned way = FOR_EVER; way <= LONG; way++) {
		helpers[way] = (struct helper){.attempt = attempt, .run = meet, .object = &barrier, .number = way};
		waiting += helper_start(&helpers[way]);
	}
	EXPECT(attempt, barrier_wait_until(&barrier, NULL, after(waiting == 2 ? 20000 : 1)),
	       waiting == 2 ? HEDDLE_OK : HEDDLE_TIMED_OUT);
	for (unsigned way = FOR_EVER; way <= LONG; way++) {
		if (helpers[way].task)
			MUST(attempt, task_cancel(helpers[way].task));
		helper_end(&helpers[way]);
	}
	MUST(attempt, barrier_destroy(&barrier));
}

static void await_latch(struct helper *helper)
{
	EXPECT(helper->attempt, latch_wait_until(helper->object, deadline_of(helper)), outcome_of(helper));
}

static void run_latch(struct attempt *attempt)
{
	struct latch latch = HEDDLE_LATCH_INITIALIZER(2);
	struct helper helpers[WAYS];
	ways_start(helpers, attempt, await_latch, &latch);
	MUST(attempt, latch_count_down(&latch, 1));
	MUST(attempt, latch_count_down(&latch, 1));
	ways_end(helpers);
	MUST(attempt, latch_destroy(&latch));
}

static void await_event(struct helper *helper)
{
	EXPECT(helper->attempt, event_wait_until(helper->object, deadline_of(helper)), outcome_of(helper));
}

static void run_event(struct attempt *attempt)
{
	struct event event = HEDDLE_EVENT_INITIALIZER;
	struct helper helpers[WAYS];
	ways_start(helpers, attempt, await_event, &event);
	MUST(attempt, event_set(&event));
	ways_end(helpers);
	MUST(attempt, event_destroy(&event));
}

/* ---------------------------------------------------------------------------- spin, yield, then suspend -- */

struct strategy_locks {
	struct ttas_lock ttas;
	struct mcs_lock mcs;
	struct ttas_mcs_lock cohort;
	atomic_uint inside;
};

static void pass_strategy_locks(struct helper *helper)
{
	struct strategy_locks *locks = helper->object;
	if (EXPECT(helper->attempt, ttas_lock_lock(&locks->ttas), HEDDLE_OK))
		MUST(helper->attempt, ttas_lock_unlock(&locks->ttas));
	if (EXPECT(helper->attempt, mcs_lock_lock(&locks->mcs), HEDDLE_OK)) {
		HOLDS(helper->attempt, atomic_fetch_add(&locks->inside, 1) == 0);
		task_yield();
		atomic_fetch_sub(&locks->inside, 1);
		MUST(helper->attempt, mcs_lock_unlock(&locks->mcs));
	}
	if (EXPECT(helper->attempt, ttas_mcs_lock_lock(&locks->cohort), HEDDLE_OK))
		MUST(helper->attempt, ttas_mcs_lock_unlock(&locks->cohort));
}

static void run_strategies(struct attempt *attempt)
{
	static struct strategy_locks locks;
	struct helper helpers[WAYS];
	MUST(attempt, ttas_lock_create(&locks.ttas, NULL));
	MUST(attempt, mcs_lock_create(&locks.mcs, NULL));
	MUST(attempt, ttas_mcs_lock_create(&locks.cohort, NULL, NULL, 0, HEDDLE_TTAS_MCS_PROCESSOR));
	if (EXPECT(attempt, mcs_lock_lock(&locks.mcs), HEDDLE_OK)) {
		for (unsigned i = 0; i < WAYS; i++) {
			helpers[i] = (struct helper){.attempt = attempt, .run = pass_strategy_locks, .object = &locks};
			helper_start(&helpers[i]);
		}
		MUST(attempt, mcs_lock_unlock(&locks.mcs));
		ways_end(helpers);
	}
	MUST(attempt, ttas_lock_destroy(&locks.ttas));
	MUST(attempt, mcs_lock_destroy(&locks.mcs));
	MUST(attempt, ttas_mcs_lock_destroy(&locks.cohort));
}

const struct part fail_locks[] = {{"mutex", run_mutex},           {"condition", run_condition},
                                  {"semaphore", run_semaphore},   {"readers", run_readers},
                                  {"reads", run_many_reads},      {"barrier", run_barrier},
                                  {"latch", run_latch},           {"event", run_event},
                                  {"strategies", run_strategies}, {0}};
