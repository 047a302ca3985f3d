/*
 * All kinds of synchronization at once, by many tasks, whose waits are cancelled all the time: sections
 * exclude each other, no wake-up is lost (else this does not end), each message comes once. The program `mix`
 * does that for as long as one likes.
 */
#include <string.h>

#include "heddle/barrier.h"
#include "heddle/channel.h"
#include "heddle/condition.h"
#include "heddle/event.h"
#include "heddle/latch.h"
#include "heddle/mutex.h"
#include "heddle/program.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define HUNTERS 2  /* they cancel; they are joined first, while the others' pointers are valid */
#define WORKERS 20 /* half of them put and send, half take and receive */
#define ROUNDS  80
#define MUTEXES 3
#define PERMITS 4
#define PLACES  2

struct mix {
	struct crew crew;
	uint64_t seed;
	struct latch start;
	struct mutex mutexes[MUTEXES];
	unsigned inside[MUTEXES];
	struct semaphore semaphore;
	_Atomic int64_t taken;
	struct reader_writer_lock lock;
	_Atomic unsigned readers, writers;
	struct mutex monitor;
	struct condition not_full, not_empty;
	unsigned count;
	struct channel channels[2];
	uint32_t buffers[2][2];
	_Atomic uint8_t received[WORKERS * ROUNDS];
	struct barrier barrier;
	struct event event;
	_Atomic unsigned working, wrong;
};

static void expect(struct mix *mix, bool right)
{
	if (!right)
		atomic_fetch_add(&mix->wrong, 1);
}

/* ----------------------------------------------------------------------------------------- sections -- */

/* Two mutexes at once, always in the same order. */
static void use_mutexes(struct mix *mix, uint32_t draw)
{
	unsigned first = draw % MUTEXES, last = first + (draw >> 4) % (MUTEXES - first);
	for (unsigned i = first; i <= last; i++) {
		uint64_t deadline = draw & 0x100 ? heddle_clock() + draw % 20000 : HEDDLE_NO_DEADLINE;
		enum heddle_error error;
		do
			error = mutex_lock_until(&mix->mutexes[i], deadline);
		while (error == HEDDLE_CANCELLED);
		if (error != HEDDLE_OK) {
			expect(mix, error == HEDDLE_TIMED_OUT && draw & 0x100);
			last = i - 1;
			break;
		}
		expect(mix, mix->inside[i]++ == 0);
	}
	if (draw & 0x200)
		task_yield();
	for (unsigned i = first; i <= last && last != UINT32_MAX; i++) {
		expect(mix, --mix->inside[i] == 0);
		expect(mix, mutex_unlock(&mix->mutexes[i]) == HEDDLE_OK);
	}
}

static enum heddle_error release(struct waiting *waiting)
{
	return semaphore_release(waiting->object, (uint32_t)waiting->number);
}

static void use_semaphore(struct mix *mix, uint32_t draw)
{
	uint32_t count = 1 + draw % PERMITS;
	enum heddle_error error;
	do
		error = semaphore_acquire(&mix->semaphore, count);
	while (error == HEDDLE_CANCELLED);
	expect(mix, error == HEDDLE_OK);
	expect(mix, atomic_fetch_add(&mix->taken, count) + count <= PERMITS);
	if (draw & 0x100)
		task_yield();
	atomic_fetch_sub(&mix->taken, count);
	struct waiting inside = {.wait = release, .object = &mix->semaphore, .number = count};
	expect(mix, (draw & 0x200 ? uncooperatively(&inside) : release(&inside)) == HEDDLE_OK);
}

static void read(struct mix *mix, uint32_t draw)
{
	enum heddle_error error;
	do
		error = read_lock(&mix->lock);
	while (error == HEDDLE_CANCELLED);
	expect(mix, error == HEDDLE_OK);
	atomic_fetch_add(&mix->readers, 1);
	expect(mix, atomic_load(&mix->writers) == 0);
	if (draw & 0x100)
		task_yield();
	expect(mix, atomic_load(&mix->writers) == 0);
	atomic_fetch_sub(&mix->readers, 1);
	expect(mix, read_unlock(&mix->lock) == HEDDLE_OK);
}

static void write(struct mix *mix, uint32_t draw)
{
	enum heddle_error error;
	do
		error = write_lock(&mix->lock);
	while (error == HEDDLE_CANCELLED);
	expect(mix, error == HEDDLE_OK);
	expect(mix, atomic_fetch_add(&mix->writers, 1) == 0 && atomic_load(&mix->readers) == 0);
	if (draw & 0x100)
		task_yield();
	expect(mix, atomic_load(&mix->readers) == 0);
	atomic_fetch_sub(&mix->writers, 1);
	expect(mix, write_unlock(&mix->lock) == HEDDLE_OK);
}

/* ----------------------------------------------------------------------------------- conditions, messages --
 */

/* Each puts or takes as often as the others: all come to their end. */
static void use_monitor(struct mix *mix, bool puts)
{
	enum heddle_error error;
	do
		error = mutex_lock(&mix->monitor);
	while (error == HEDDLE_CANCELLED);
	expect(mix, error == HEDDLE_OK);
	while (mix->count == (puts ? PLACES : 0)) {
		error = condition_wait(puts ? &mix->not_full : &mix->not_empty, &mix->monitor);
		expect(mix, error == HEDDLE_OK || error == HEDDLE_CANCELLED);
	}
	mix->count += puts ? 1 : -1;
	condition_notify_one(puts ? &mix->not_empty : &mix->not_full);
	expect(mix, mutex_unlock(&mix->monitor) == HEDDLE_OK);
}

/* By select, with a deadline or without. */
static void use_channels(struct mix *mix, bool sends, uint32_t message, uint32_t draw)
{
	uint32_t messages[2] = {message, message};
	struct channel_case cases[2];
	size_t chosen = draw & 1;
	enum heddle_error error;
	for (unsigned i = 0; i < 2; i++)
		cases[i] = (struct channel_case){&mix->channels[(i + draw) % 2], sends, &messages[i]};
	do
		error =
		    channel_select(cases, 2, &chosen, draw & 2 ? heddle_clock() + draw % 30000 : HEDDLE_NO_DEADLINE);
	while (error == HEDDLE_CANCELLED || error == HEDDLE_TIMED_OUT);
	expect(mix, error == HEDDLE_OK);
	expect(mix, messages[chosen] < WORKERS * ROUNDS);
	if (!sends && messages[chosen] < WORKERS * ROUNDS)
		atomic_fetch_add(&mix->received[messages[chosen]], 1);
}

/* What has no promise but that it ends. */
static void use_event(struct mix *mix, uint32_t draw)
{
	enum heddle_error error = HEDDLE_OK;
	if (draw % 3 == 0)
		error = event_set(&mix->event);
	else if (draw % 3 == 1)
		error = event_reset(&mix->event);
	else
		error = event_wait_until(&mix->event, heddle_clock() + draw % 20000);
	expect(mix, error == HEDDLE_OK || error == HEDDLE_TIMED_OUT || error == HEDDLE_CANCELLED);
}

static void meet(struct mix *mix)
{
	enum heddle_error error;
	do
		error = barrier_wait(&mix->barrier, NULL);
	while (error == HEDDLE_CANCELLED);
	expect(mix, error == HEDDLE_OK);
}

/* ------------------------------------------------------------------------------------------- the tasks -- */

static void work(struct mix *mix, uint32_t number)
{
	uint64_t random = mix->seed + number;
	bool puts = number % 2;
	while (latch_wait(&mix->start) == HEDDLE_CANCELLED)
		continue;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		use_mutexes(mix, random_next(&random));
		use_monitor(mix, puts);
		use_semaphore(mix, random_next(&random));
		use_channels(mix, puts, number * ROUNDS + round, random_next(&random));
		use_event(mix, random_next(&random));
		if (random_next(&random) % 4)
			read(mix, random_next(&random));
		else
			write(mix, random_next(&random));
		if (round % 8 == 7)
			meet(mix);
	}
	atomic_fetch_sub(&mix->working, 1);
}

static void hunt(struct mix *mix, uint32_t number)
{
	uint64_t random = mix->seed + number;
	expect(mix, latch_count_down(&mix->start, 1) == HEDDLE_OK);
	while (atomic_load(&mix->working) > 0) {
		task_cancel(crew_task(&mix->crew, HUNTERS + random_next(&random) % WORKERS));
		task_sleep_until(heddle_clock() + random_next(&random) % 50000);
	}
}

static intptr_t work_or_hunt(size_t number, void *mix)
{
	if (number < HUNTERS)
		hunt(mix, (uint32_t)number);
	else
		work(mix, (uint32_t)(number - HUNTERS));
	return 1;
}

static bool ended_well(struct mix *mix)
{
	bool ok = atomic_load(&mix->wrong) == 0 && mix->count == 0;
	for (unsigned i = 0; i < MUTEXES; i++)
		ok &= mutex_destroy(&mix->mutexes[i]) == HEDDLE_OK;
	ok &= semaphore_permits(&mix->semaphore) == PERMITS && semaphore_destroy(&mix->semaphore) == HEDDLE_OK;
	ok &= reader_writer_lock_destroy(&mix->lock) == HEDDLE_OK;
	ok &= mutex_destroy(&mix->monitor) == HEDDLE_OK && condition_destroy(&mix->not_full) == HEDDLE_OK &&
	      condition_destroy(&mix->not_empty) == HEDDLE_OK;
	for (unsigned i = 0; i < 2; i++)
		ok &= mix->channels[i].count == 0 && channel_destroy(&mix->channels[i]) == HEDDLE_OK;
	for (unsigned i = 0; i < WORKERS * ROUNDS; i++)
		ok &= atomic_load(&mix->received[i]) == i / ROUNDS % 2;
	ok &= barrier_destroy(&mix->barrier) == HEDDLE_OK && event_destroy(&mix->event) == HEDDLE_OK;
	return ok && latch_destroy(&mix->start) == HEDDLE_OK;
}

static bool prepare(struct mix *mix, uint64_t seed, bool bound)
{
	memset(mix, 0, sizeof(*mix));
	mix->seed = seed;
	mix->start = (struct latch)LATCH_INITIALIZER(HUNTERS);
	mix->semaphore = (struct semaphore)SEMAPHORE_INITIALIZER(PERMITS);
	mix->barrier = (struct barrier)BARRIER_INITIALIZER(WORKERS);
	mix->working = WORKERS;
	for (unsigned i = 0; i < 2; i++)
		channel_create(&mix->channels[i], mix->buffers[i], sizeof(uint32_t), 1 + i);
	mix->crew =
	    (struct crew){.function = work_or_hunt, .argument = mix, .count = HUNTERS + WORKERS, .bound = bound};
	return crew_create(&mix->crew) == HEDDLE_OK;
}

/* NULL: all is well; else what is wrong. */
static const char *stress(uint64_t seed, bool bound)
{
	const char *wrong = NULL;
	intptr_t done = 0;
	struct mix *mix = heddle_allocate(sizeof(*mix));
	if (!mix)
		return "no memory";
	if (!prepare(mix, seed, bound)) {
		heddle_free(mix, sizeof(*mix));
		return "no memory for the tasks";
	}
	crew_start(&mix->crew);
	if (crew_join(&mix->crew, &done) != HEDDLE_OK || done != HUNTERS + WORKERS)
		wrong = "a task has not come to its end";
	else if (atomic_load(&mix->wrong) != 0)
		wrong = "a call gave what it may not give, or tasks were together that may not";
	else if (!ended_well(mix))
		wrong = "something is not left as it was found";
	heddle_free(mix, sizeof(*mix));
	return wrong;
}

TEST(sync_mix, of_tasks_anywhere)
{
	for (unsigned round = 0; round < 3; round++)
		CHECK_EQUAL(stress(heddle_seed() + round * WORKERS, false), NULL);
}

TEST(sync_mix, of_bound_tasks)
{
	CHECK_EQUAL(stress(heddle_seed(), true), NULL);
}

static bool run(struct program_run *run)
{
	uint64_t rounds = program_value(run, "rounds"), start = heddle_clock();
	for (uint64_t round = 0; round < rounds; round++) {
		uint64_t seed = heddle_seed() * UINT64_C(1000003) + round * WORKERS;
		const char *wrong = stress(seed, round % 4 == 3);
		if (wrong)
			return program_failed(run, "round %lu: %s", round, wrong);
	}
	return program_result(run, NULL, rounds * WORKERS * ROUNDS, heddle_clock() - start, true);
}

static const struct program_parameter parameters[] = {
    {"rounds", 10, 1, UINT64_MAX, "how often; each time with other random numbers"}, {0}};

PROGRAM(mix, "all kinds of synchronization at once, with cancellation, checked", parameters, run);
