/* Tasks that end with locks held, with an allocation failing: the next task is told, and none waits for ever. */
#include "heddle/event.h"
#include "heddle/mutex.h"
#include "heddle/reader_writer_lock.h"
#include "user/test/fail.h"
#include "user/test/waiting.h"

struct legacy {
	struct mutex mutex;
	struct reader_writer_lock written, read;
	struct event end;
	bool mutex_is_left, written_is_left; /* each under its lock */
};

/* Without memory for the event it ends at once. */
static void end_with_locks(struct helper *helper)
{
	struct legacy *legacy = helper->object;
	legacy->mutex_is_left = EXPECT(helper->attempt, mutex_lock(&legacy->mutex), HEDDLE_OK);
	legacy->written_is_left = EXPECT(helper->attempt, reader_writer_lock_write(&legacy->written), HEDDLE_OK);
	EXPECT(helper->attempt, reader_writer_lock_read(&legacy->read), HEDDLE_OK);
	EXPECT(helper->attempt, event_wait(&legacy->end), HEDDLE_OK);
}

static uint64_t deadline_of(const struct helper *helper)
{
	return helper->number ? after(20000) : HEDDLE_NO_DEADLINE;
}

/* Whether it holds the lock; only the first holder is told. */
static bool inherits(struct helper *helper, enum heddle_error error, bool *is_left)
{
	if (error == HEDDLE_NO_MEMORY)
		return EXPECT(helper->attempt, error, HEDDLE_OK);
	bool is_as_said = EXPECT(helper->attempt, error, *is_left ? HEDDLE_OWNER_DIED : HEDDLE_OK);
	*is_left = false;
	return is_as_said;
}

static void pass_mutex(struct helper *helper)
{
	struct legacy *legacy = helper->object;
	enum heddle_error error = mutex_lock_until(&legacy->mutex, deadline_of(helper));
	if (!inherits(helper, error, &legacy->mutex_is_left))
		return;
	if (error == HEDDLE_OWNER_DIED)
		MUST(helper->attempt, mutex_repair(&legacy->mutex));
	MUST(helper->attempt, mutex_unlock(&legacy->mutex));
}

static void pass_writing(struct helper *helper)
{
	struct legacy *legacy = helper->object;
	enum heddle_error error = reader_writer_lock_write_until(&legacy->written, deadline_of(helper));
	if (!inherits(helper, error, &legacy->written_is_left))
		return;
	if (error == HEDDLE_OWNER_DIED)
		MUST(helper->attempt, reader_writer_lock_repair(&legacy->written));
	MUST(helper->attempt, reader_writer_lock_write_unlock(&legacy->written));
}

/* A reader leaves nothing inconsistent behind. */
static void pass_read(struct helper *helper)
{
	struct legacy *legacy = helper->object;
	if (EXPECT(helper->attempt, reader_writer_lock_write_until(&legacy->read, deadline_of(helper)),
	           HEDDLE_OK))
		MUST(helper->attempt, reader_writer_lock_write_unlock(&legacy->read));
}

static void (*const heirs[])(struct helper *) = {pass_mutex, pass_writing, pass_read};

#define HEIRS (2 * sizeof(heirs) / sizeof(*heirs))

static void run_ends(struct attempt *attempt)
{
	struct legacy legacy = {.mutex = HEDDLE_MUTEX_INITIALIZER};
	struct helper holder = {.attempt = attempt, .run = end_with_locks, .object = &legacy}, helpers[HEIRS];
	helper_start(&holder);
	for (unsigned i = 0; i < HEIRS; i++) {
		helpers[i] =
		    (struct helper){.attempt = attempt, .run = heirs[i / 2], .object = &legacy, .number = i % 2};
		helper_start(&helpers[i]);
	}
	MUST(attempt, event_set(&legacy.end));
	helper_end(&holder);
	for (unsigned i = 0; i < HEIRS; i++)
		helper_end(&helpers[i]);
	MUST(attempt, mutex_destroy(&legacy.mutex));
	MUST(attempt, reader_writer_lock_destroy(&legacy.written));
	MUST(attempt, reader_writer_lock_destroy(&legacy.read));
	MUST(attempt, event_destroy(&legacy.end));
}

const struct part fail_ends[] = {{"ends", run_ends}, {0}};
