/*
 * Turns of the storm: several locks at once, for writing or reading, with anything done inside.
 */
#include "user/test/storm_lock.h"

#define DEPTH 4 /* locks that are held at once, at most */

/* --------------------------------------------------------------------------------- what is protected -- */

static bool is_whole(const struct storm_guarded *guarded)
{
	for (size_t i = 0; i < sizeof(guarded->copies) / sizeof(*guarded->copies); i++)
		if (guarded->copies[i] != guarded->count)
			return false;
	return true;
}

/* If a holder has ended inside, each task that gets the lock is told, until one repairs it. */
static void check_told(const struct storm_lock *lock, bool reads, enum heddle_error error)
{
	bool told = error == HEDDLE_OWNER_DIED;
	if (told != lock->guarded.broken && !lock->kind->partly_told)
		storm_wrong(__FILE__, __LINE__, told ? "told that the owner died" : "not told that the owner died",
		            reads && lock->kind->delegate ? "mrqd lock, to read" : lock->kind->name);
}

static void mend(struct storm_lock *lock, enum heddle_error error)
{
	struct storm_guarded *guarded = &lock->guarded;
	if (error == HEDDLE_OWNER_DIED)
		STORM_OK(lock->kind->repair(lock));
	guarded->inside = NULL;
	guarded->broken = false;
	guarded->count = guarded->visits;
	for (size_t i = 0; i < sizeof(guarded->copies) / sizeof(*guarded->copies); i++)
		guarded->copies[i] = guarded->count;
}

bool storm_lock_enter(struct storm_task *self, struct storm_lock *lock, bool reads, enum heddle_error error)
{
	struct storm_guarded *guarded = &lock->guarded;
	check_told(lock, reads, error);
	if ((guarded->broken || error == HEDDLE_OWNER_DIED) && !reads && storm_draw(self, 2))
		mend(lock, error);
	if (guarded->broken)
		return false;
	STORM_CHECK(guarded->inside == NULL);
	STORM_CHECK(is_whole(guarded));
	if (reads) {
		atomic_fetch_add_explicit(&guarded->readers, 1, memory_order_relaxed);
		return true;
	}
	STORM_CHECK(atomic_load_explicit(&guarded->readers, memory_order_relaxed) == 0);
	guarded->inside = task_current();
	guarded->count++;
	return true;
}

void storm_lock_leave(struct storm_lock *lock, bool reads)
{
	struct storm_guarded *guarded = &lock->guarded;
	if (reads) {
		STORM_CHECK(guarded->inside == NULL && is_whole(guarded));
		atomic_fetch_sub_explicit(&guarded->readers, 1, memory_order_relaxed);
		return;
	}
	STORM_CHECK(atomic_load_explicit(&guarded->readers, memory_order_relaxed) == 0);
	STORM_CHECK(guarded->inside == task_current());
	for (size_t i = 0; i < sizeof(guarded->copies) / sizeof(*guarded->copies); i++)
		guarded->copies[i]++;
	STORM_CHECK(is_whole(guarded));
	guarded->inside = NULL;
	atomic_fetch_add_explicit(&guarded->visits, 1, memory_order_relaxed);
}

/* ------------------------------------------------------------------------------------ taking, giving -- */

#define TRIED                                                                       \
	(STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_BUSY) | STORM_BIT(HEDDLE_OWNER_DIED) | \
	 STORM_BIT(HEDDLE_NO_MEMORY))
static bool is_held(enum heddle_error error)
{
	return error == HEDDLE_OK || error == HEDDLE_OWNER_DIED;
}

static uint32_t waits_for(const struct storm_lock_kind *kind, uint64_t deadline)
{
	uint32_t allowed = storm_waits(deadline) | STORM_BIT(HEDDLE_OWNER_DIED);
	return kind->cancels ? allowed : allowed & ~STORM_BIT(HEDDLE_CANCELLED);
}

static enum heddle_error lock_uncooperatively(struct storm_lock *lock)
{
	uncooperative_begin();
	enum heddle_error error = lock->kind->lock(lock);
	uncooperative_end();
	return error;
}

static enum heddle_error take_to_read(struct storm_task *self, struct storm_lock *lock)
{
	enum heddle_error error;
	uint64_t deadline = storm_deadline(self);
	if (storm_draw(self, 3) == 0)
		STORM_GIVES(error = lock->kind->read_try_lock(lock), TRIED);
	else
		STORM_GIVES(error = STORM_CALL(self, lock->kind->read_lock_until(lock, deadline)),
		            waits_for(lock->kind, deadline));
	return error;
}

static enum heddle_error take_to_write(struct storm_task *self, struct storm_lock *lock)
{
	const struct storm_lock_kind *kind = lock->kind;
	enum heddle_error error;
	uint64_t deadline = kind->lock_until ? storm_deadline(self) : HEDDLE_NO_DEADLINE;
	uint32_t draw = storm_draw(self, 6);
	if (draw == 0)
		STORM_GIVES(error = kind->try_lock(lock), TRIED);
	else if (draw == 1)
		STORM_GIVES(error = lock_uncooperatively(lock),
		            waits_for(kind, HEDDLE_NO_DEADLINE) | STORM_BIT(HEDDLE_UNCOOPERATIVE));
	else if (deadline == HEDDLE_NO_DEADLINE)
		STORM_GIVES(error = STORM_CALL(self, kind->lock(lock)), waits_for(kind, deadline));
	else
		STORM_GIVES(error = STORM_CALL(self, kind->lock_until(lock, deadline)), waits_for(kind, deadline));
	return error;
}

bool storm_lock_take(struct storm_task *self, struct storm_lock *lock, bool reads, enum heddle_error *error)
{
	*error = reads ? take_to_read(self, lock) : take_to_write(self, lock);
	return is_held(*error);
}

static enum heddle_error release_uncooperatively(struct storm_lock *lock, bool reads)
{
	uncooperative_begin();
	enum heddle_error error = reads ? lock->kind->read_unlock(lock) : lock->kind->unlock(lock);
	uncooperative_end();
	return error;
}

void storm_lock_release(struct storm_task *self, struct storm_lock *lock, bool reads)
{
	enum heddle_error error = HEDDLE_UNCOOPERATIVE;
	uint32_t allowed = STORM_BIT(HEDDLE_OK);
	if (lock->kind->delegate && !reads)
		allowed |= STORM_BIT(HEDDLE_UNCOOPERATIVE); /* a buffer is open */
	if (!lock->kind->dies)
		allowed |= STORM_BIT(HEDDLE_NO_MEMORY); /* for objects that are served */
	if (storm_draw(self, 8) == 0)
		STORM_GIVES(error = release_uncooperatively(lock, reads), allowed);
	if (error != HEDDLE_OK)
		STORM_OK(STORM_CALL(self, reads ? lock->kind->read_unlock(lock) : lock->kind->unlock(lock)));
}

/* ---------------------------------------------------------------------------------------------- turn -- */

struct held {
	struct storm_lock *lock;
	bool reads;
};

/* Hold one of the locks from `place` on. */
static bool hold(struct storm_task *self, struct storm_lock *lock, bool reads, struct held *held)
{
	enum heddle_error error;
	if (!storm_lock_take(self, lock, reads, &error))
		return false;
	if (!storm_lock_enter(self, lock, reads, error)) {
		storm_lock_release(self, lock, reads);
		return false;
	}
	*held = (struct held){lock, reads};
	return true;
}

/* Locks that come later than those that are held. */
static unsigned hold_some(struct storm_task *self, struct held *held,
                          bool (*suits)(const struct storm_lock_kind *, bool))
{
	unsigned count = 0, wanted = storm_draw(self, 3) ? 1 : 1 + storm_draw(self, DEPTH);
	for (unsigned place = storm_draw(self, STORM_LOCKS); place < STORM_LOCKS && wanted > 0; wanted--) {
		struct storm_lock *lock = &storm_locks[place];
		bool reads = lock->kind->read_lock_until && storm_draw(self, 3);
		if (suits(lock->kind, reads) && hold(self, lock, reads, &held[count]))
			count++;
		if (count > 0 && storm_draw(self, 2))
			storm_dawdle(self);
		place += 1 + storm_draw(self, 4);
	}
	return count;
}

static bool any(const struct storm_lock_kind *kind, bool reads)
{
	(void)kind, (void)reads;
	return true;
}

static void turn(struct storm_task *self)
{
	struct held held[DEPTH];
	unsigned count = hold_some(self, held, any);
	while (count > 0) {
		unsigned which = storm_draw(self, count);
		storm_lock_leave(held[which].lock, held[which].reads);
		storm_lock_release(self, held[which].lock, held[which].reads);
		held[which] = held[--count];
	}
}

/* The kinds whose tasks notice that a holder has ended. */
static bool notices_end(const struct storm_lock_kind *kind, bool reads)
{
	return kind->dies && !(reads && kind->delegate);
}

void storm_nest_die(struct storm_task *self)
{
	struct held held[DEPTH];
	unsigned count = hold_some(self, held, notices_end);
	for (unsigned i = 0; i < count; i++) {
		if (held[i].reads)
			storm_lock_leave(held[i].lock, true);
		else
			held[i].lock->guarded.broken = true;
	}
}

const struct storm_kind storm_nest = {.name = "locks",
                                      .weight = 10,
                                      .prepare = storm_locks_prepare,
                                      .turn = turn,
                                      .finish = storm_locks_finish};
