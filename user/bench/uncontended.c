/*
 * The cost of a lock without contention: one task locks and unlocks it again and again. There is a line for each
 * kind.
 */
#include "heddle/channel.h"
#include "heddle/mutex.h"
#include "heddle/program.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "heddle/system.h"

struct objects {
	struct mutex mutex;
	struct semaphore semaphore;
	struct reader_writer_lock lock;
	struct channel channel;
	uint64_t buffer[4];
};

static bool use_mutex(struct objects *objects)
{
	return mutex_lock(&objects->mutex) == HEDDLE_OK && mutex_unlock(&objects->mutex) == HEDDLE_OK;
}

static bool use_semaphore(struct objects *objects)
{
	return semaphore_acquire(&objects->semaphore, 1) == HEDDLE_OK &&
	       semaphore_release(&objects->semaphore, 1) == HEDDLE_OK;
}

static bool read(struct objects *objects)
{
	return reader_writer_lock_read(&objects->lock) == HEDDLE_OK &&
	       reader_writer_lock_read_unlock(&objects->lock) == HEDDLE_OK;
}

static bool write(struct objects *objects)
{
	return reader_writer_lock_write(&objects->lock) == HEDDLE_OK &&
	       reader_writer_lock_write_unlock(&objects->lock) == HEDDLE_OK;
}

static bool pass_on(struct objects *objects)
{
	uint64_t message = 1;
	return channel_send(&objects->channel, &message) == HEDDLE_OK &&
	       channel_receive(&objects->channel, &message) == HEDDLE_OK;
}

/* Inline, so that what is measured is the lock's operations and no call of a function that only calls them. */
__attribute__((always_inline)) static inline bool measure(struct program_run *run, struct objects *objects,
                                                          const char *kind, bool (*use)(struct objects *))
{
	uint64_t rounds = program_value(run, "rounds"), right = 0, start = heddle_clock();
	for (uint64_t i = 0; i < rounds; i++)
		right += use(objects);
	uint64_t duration = heddle_clock() - start;
	return program_result(run, kind, rounds, duration, right == rounds);
}

static bool run(struct program_run *run)
{
	struct objects objects = {.mutex = HEDDLE_MUTEX_INITIALIZER,
	                          .semaphore = HEDDLE_SEMAPHORE_INITIALIZER(1),
	                          .lock = HEDDLE_READER_WRITER_LOCK_INITIALIZER};
	bool ok = channel_create(&objects.channel, objects.buffer, 8, 4) == HEDDLE_OK;
	ok &= measure(run, &objects, "mutex", use_mutex);
	ok &= measure(run, &objects, "semaphore", use_semaphore);
	ok &= measure(run, &objects, "read lock", read);
	ok &= measure(run, &objects, "write lock", write);
	ok &= measure(run, &objects, "channel", pass_on);
	return ok;
}

static const struct program_parameter parameters[] = {
    {"rounds", 1000000, 1, UINT64_MAX, "how often each is locked and unlocked"}, {0}};

HEDDLE_PROGRAM(uncontended, "locks without contention", parameters, run);
