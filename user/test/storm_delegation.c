/*
 * Turns of the storm: sections delegated to a lock, in all ways. Each delegated section runs once, those of a worker
 * in order, and never two at a time.
 */
#include <string.h>

#include "user/test/storm_lock.h"

#define LARGEST 200 /* bytes of filler */
#define NESTED  UINT32_MAX
#define OPEN    2000 /* turns of a loop, while a buffer is open */

struct message {
	struct storm_lock *lock;
	uint64_t number; /* of the worker's sections for that lock */
	uint32_t origin; /* the worker, or NESTED */
	uint16_t size;   /* bytes, including filler */
	uint8_t draw;    /* what the section does */
	bool nests;      /* it delegates, too */
	bool done;       /* set by the section, for a waiting worker */
	uint8_t filler[LARGEST];
};

#define SMALLEST offsetof(struct message, filler)

_Static_assert(sizeof(struct message) <= HEDDLE_QD_MESSAGE_MAXIMUM(STORM_SLOTS_FEWEST),
               "each fits into any queue");

static struct storm_lock *lock_choose(uint32_t draw)
{
	return &storm_locks[STORM_LOCKS - 1 - draw % STORM_DELEGATES];
}

/* ------------------------------------------------------------------------------------------ sections -- */

static void section(size_t size, void *argument);

static void message_fill(struct message *message, struct storm_lock *lock, uint32_t draw)
{
	*message = (struct message){.lock = lock, .draw = (uint8_t)(draw >> 8), .nests = draw % 7 == 0};
	message->size = (uint16_t)(SMALLEST + draw % 6 * (LARGEST / 5));
	for (size_t i = SMALLEST; i < message->size; i++)
		message->filler[i - SMALLEST] = (uint8_t)(message->draw + i);
}

static bool is_undamaged(const struct message *message, size_t size)
{
	if (size != message->size)
		return false;
	for (size_t i = SMALLEST; i < size; i++)
		if (message->filler[i - SMALLEST] != (uint8_t)(message->draw + i))
			return false;
	return true;
}

#define GIVEN_INSIDE (STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY) | STORM_BIT(HEDDLE_UNCOOPERATIVE))

/* From inside a section: to its own lock, where a section that is waited for runs at once, or to another lock that
 * the helper cannot be reading. */
static void delegate_inside(struct storm_lock *lock, uint32_t draw)
{
	struct storm_lock *chosen = lock_choose(draw), *other = chosen->kind->read_try_lock ? lock : chosen;
	struct message message;
	message_fill(&message, other, draw >> 1);
	message.origin = NESTED;
	enum heddle_error error;
	bool waits = draw & 4;
	if (waits)
		STORM_GIVES(error = other->kind->delegate_wait(other, section, message.size, &message), GIVEN_INSIDE);
	else
		STORM_GIVES(error = other->kind->delegate(other, section, message.size, &message), GIVEN_INSIDE);
	STORM_CHECK(error != HEDDLE_UNCOOPERATIVE || other != lock);
	STORM_CHECK(!waits || message.done == (error == HEDDLE_OK));
	if (error == HEDDLE_OK)
		atomic_fetch_add_explicit(&other->nested_told, 1, memory_order_relaxed);
}

/* No other task is inside; only the holder is, if it is the holder's own section. */
static void visit(struct storm_guarded *guarded, uint32_t turns)
{
	struct task *holder = guarded->inside;
	if (guarded->broken)
		return;
	STORM_CHECK(holder == NULL || holder == task_current());
	STORM_CHECK(atomic_load_explicit(&guarded->readers, memory_order_relaxed) == 0);
	guarded->inside = task_current();
	for (volatile uint32_t i = 0; i < turns; i++)
		;
	STORM_CHECK(guarded->inside == task_current());
	guarded->inside = holder;
}

static void section(size_t size, void *argument)
{
	struct message *message = argument;
	struct storm_lock *lock = message->lock;
	STORM_CHECK(is_undamaged(message, size));
	visit(&lock->guarded, message->draw);
	message->done = true;
	if (message->origin == NESTED) {
		atomic_fetch_add_explicit(&lock->nested_carried_out, 1, memory_order_relaxed);
		return;
	}
	STORM_CHECK(lock->carried_out[message->origin] == message->number);
	lock->carried_out[message->origin]++;
	if (message->nests)
		delegate_inside(lock, message->draw + (uint32_t)message->number);
}

/* ---------------------------------------------------------------------------------------------- turn -- */

#define GIVEN (STORM_BIT(HEDDLE_OK) | STORM_BIT(HEDDLE_NO_MEMORY))

static bool delegate(struct storm_task *self, struct storm_lock *lock, struct message *message)
{
	return STORM_GIVES(STORM_CALL(self, lock->kind->delegate(lock, section, message->size, message)), GIVEN);
}

static bool delegate_and_wait(struct storm_task *self, struct storm_lock *lock, struct message *message)
{
	bool ok = STORM_GIVES(STORM_CALL(self, lock->kind->delegate_wait(lock, section, message->size, message)),
	                      GIVEN);
	STORM_CHECK(message->done == ok);
	return ok;
}

static bool delegate_uncooperatively(struct storm_task *self, struct storm_lock *lock,
                                     struct message *message)
{
	bool waits = storm_draw(self, 2);
	uncooperative_begin();
	enum heddle_error error = waits ? lock->kind->delegate_wait(lock, section, message->size, message)
	                                : lock->kind->delegate(lock, section, message->size, message);
	uncooperative_end();
	STORM_CHECK(!waits || message->done == (error == HEDDLE_OK));
	return STORM_GIVES(error, GIVEN | STORM_BIT(HEDDLE_UNCOOPERATIVE));
}

/* Into a buffer of the queue, or with the lock. */
static bool delegate_or_lock(struct storm_task *self, struct storm_lock *lock, struct message *message)
{
	void *buffer;
	uint32_t allowed = storm_waits(HEDDLE_NO_DEADLINE) | STORM_BIT(HEDDLE_OWNER_DIED);
	enum heddle_error error;
	STORM_GIVES(error = STORM_CALL(self, lock->kind->delegate_or_lock(lock, message->size, &buffer)),
	            allowed);
	if (error != HEDDLE_OK && error != HEDDLE_OWNER_DIED)
		return false;
	if (buffer) {
		/* The helper may have reached the buffer, and waits. */
		for (volatile uint32_t i = storm_draw(self, OPEN); i > 0; i--)
			;
		memcpy(buffer, message, message->size);
		STORM_OK(lock->kind->close_buffer(lock, buffer, section));
		return true;
	}
	/* A holder outside a section would have to wait for another lock. */
	message->nests = false;
	section(message->size, message);
	STORM_OK(STORM_CALL(self, lock->kind->unlock(lock)));
	return true;
}

static void turn(struct storm_task *self)
{
	static bool (*const ways[])(struct storm_task *, struct storm_lock *, struct message *) = {
	    delegate, delegate, delegate, delegate_and_wait, delegate_uncooperatively, delegate_or_lock};
	struct storm_lock *lock = lock_choose(storm_draw(self, STORM_DELEGATES));
	for (uint32_t times = storm_draw(self, 12); times > 0; times--) {
		struct message message;
		message_fill(&message, lock, storm_draw(self, 1u << 16));
		message.origin = self->number;
		message.number = lock->told[self->number];
		/* It may run before the call returns. */
		if (ways[storm_draw(self, sizeof(ways) / sizeof(*ways))](self, lock, &message))
			lock->told[self->number]++;
	}
}

void storm_buffer_leave(struct storm_task *self)
{
	struct storm_lock *lock = lock_choose(storm_draw(self, STORM_DELEGATES));
	uint32_t allowed = storm_waits(HEDDLE_NO_DEADLINE) | STORM_BIT(HEDDLE_OWNER_DIED);
	void *buffer;
	enum heddle_error error;
	STORM_GIVES(error = STORM_CALL(self, lock->kind->delegate_or_lock(lock, SMALLEST, &buffer)), allowed);
	if ((error == HEDDLE_OK || error == HEDDLE_OWNER_DIED) && !buffer)
		lock->guarded.broken = true;
}

const struct storm_kind storm_delegation = {.name = "delegation", .weight = 10, .turn = turn};
