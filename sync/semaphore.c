#include "heddle/semaphore.h"

#include "sync/serve.h"

/*
 * state: permits << 1 | whether somebody waits. While nobody does it is changed by a CAS each way; then only
 * by the server, and who comes, acquiring or releasing, is served.
 */
#define WAITED UINT64_C(1)

enum { ACQUIRE = 1, RELEASE };

static struct semaphore *semaphore_of(struct served *served)
{
	return (struct semaphore *)((char *)served - offsetof(struct semaphore, served));
}

static uint64_t semaphore_load(const struct semaphore *semaphore)
{
	return atomic_load_explicit(&semaphore->state, memory_order_relaxed);
}

/* While somebody waits only the server changes it, and needs no CAS. Otherwise false: somebody else did. */
static inline bool semaphore_change(struct semaphore *semaphore, uint64_t *state, uint64_t changed)
{
	if (*state & WAITED) {
		/* release: as below. */
		atomic_store_explicit(&semaphore->state, changed, memory_order_release);
		return true;
	}
	/* permits -> more, fewer, or somebody waits; release: what was done before they are given back; acquire: pairs
	 * with that. */
	return atomic_compare_exchange_weak_explicit(&semaphore->state, state, changed, memory_order_acq_rel,
	                                             memory_order_relaxed);
}

/* Take them if nobody waits. `waited`: by the server, which asks nobody; then what is not taken is marked as
 * waited for. */
__attribute__((always_inline)) static inline bool semaphore_take(struct semaphore *semaphore, uint32_t count,
                                                                 bool waited)
{
	uint64_t state = semaphore_load(semaphore), changed;
	do {
		bool possible = (waited || !(state & WAITED)) && state >> 1 >= count;
		if (!possible && !waited)
			return false;
		changed = possible ? state - ((uint64_t)count << 1) : state | WAITED;
	} while (!semaphore_change(semaphore, &state, changed));
	return changed < state;
}

/* Give them back, if nobody waits or the server does; HEDDLE_BUSY: somebody waits. */
__attribute__((always_inline)) static inline enum heddle_error semaphore_give(struct semaphore *semaphore,
                                                                              uint32_t count, bool served)
{
	uint64_t state = semaphore_load(semaphore);
	do {
		if (!served && (state & WAITED))
			return HEDDLE_BUSY;
		if ((state >> 1) + count > HEDDLE_SEMAPHORE_MAXIMUM)
			return HEDDLE_OVERFLOW;
	} while (!semaphore_change(semaphore, &state, state + ((uint64_t)count << 1)));
	return HEDDLE_OK;
}

/* In order, as far as the permits go. */
static void semaphore_let_in(struct semaphore *semaphore, struct granted *granted)
{
	struct request *first;
	while ((first = semaphore->waiting.first)) {
		uint32_t count = first->count;
		if (!semaphore_take(semaphore, count, true) && count > 0)
			return;
		if (request_grant(first, HEDDLE_OK, granted))
			semaphore->counters.acquisitions++;
		else
			semaphore_give(semaphore, count, true);
	}
	/* Nobody waits. release: for semaphore_take and semaphore_give, which come now. */
	if (semaphore_load(semaphore) & WAITED)
		atomic_store_explicit(&semaphore->state, semaphore_load(semaphore) & ~WAITED, memory_order_release);
}

/* By the server: whoever waited has given up since the releaser looked. If we gave the permits now, another
 * could take them, be the last user and free the semaphore while we serve it; so the releaser gives them. */
static bool semaphore_is_unwaited(const struct semaphore *semaphore)
{
	return !(semaphore_load(semaphore) & WAITED);
}

static void semaphore_step(struct served *object, struct request *request, struct granted *granted)
{
	struct semaphore *semaphore = semaphore_of(object);
	if (request->operation == ACQUIRE) {
		semaphore->counters.contended++;
		request_queue_put(&semaphore->waiting, request);
		if (semaphore->waiting.first == request)
			semaphore_let_in(semaphore, granted);
		return;
	}
	enum heddle_error error = HEDDLE_OK;
	if (request->operation == RELEASE && semaphore_is_unwaited(semaphore) && !request->detached) {
		request_grant(request, HEDDLE_BUSY, granted);
		return;
	}
	if (request->operation == RELEASE)
		error = semaphore_give(semaphore, request->count, true);
	semaphore_let_in(semaphore, granted);
	request_grant(request, error, granted);
}

static const struct serve_kind semaphore_kind = {"semaphore", semaphore_step};

/* What an acquire and a release come to that are not done at once: with room for it on the stack. */
enum heddle_error semaphore_acquire_contended(struct semaphore *semaphore, uint32_t count, uint64_t deadline);
enum heddle_error semaphore_release_contended(struct semaphore *semaphore, uint32_t count);
__typeof__(semaphore_acquire_contended) acquire_with_room STACK_ENTRY_OF(semaphore_acquire_contended);
__typeof__(semaphore_release_contended) release_with_room STACK_ENTRY_OF(semaphore_release_contended);

STACK_ENTRY(semaphore_acquire_contended)
enum heddle_error semaphore_acquire_contended(struct semaphore *semaphore, uint32_t count, uint64_t deadline)
{
	struct request request = {.operation = ACQUIRE, .count = count};
	enum heddle_error error = serve(&semaphore->served, &semaphore_kind, &request, deadline, false);
	if (error == HEDDLE_OK && request.waited)
		exchange_count(&semaphore->counters);
	return error;
}

enum heddle_error semaphore_acquire_until(struct semaphore *semaphore, uint32_t count, uint64_t deadline)
{
	if (__builtin_expect(count > HEDDLE_SEMAPHORE_MAXIMUM, 0))
		return HEDDLE_BAD_ARGUMENT;
	if (count == 0 || semaphore_take(semaphore, count, false))
		return HEDDLE_OK;
	return acquire_with_room(semaphore, count, deadline);
}

enum heddle_error semaphore_acquire(struct semaphore *semaphore, uint32_t count)
{
	return semaphore_acquire_until(semaphore, count, HEDDLE_NO_DEADLINE);
}

enum heddle_error semaphore_try_acquire(struct semaphore *semaphore, uint32_t count)
{
	if (count > HEDDLE_SEMAPHORE_MAXIMUM)
		return HEDDLE_BAD_ARGUMENT;
	return count == 0 || semaphore_take(semaphore, count, false) ? HEDDLE_OK : HEDDLE_BUSY;
}

/* Somebody waits, or there would be too many. */
STACK_ENTRY(semaphore_release_contended)
enum heddle_error semaphore_release_contended(struct semaphore *semaphore, uint32_t count)
{
	enum heddle_error error =
	    count > HEDDLE_SEMAPHORE_MAXIMUM ? HEDDLE_OVERFLOW : semaphore_give(semaphore, count, false);
	while (error == HEDDLE_BUSY) {
		struct request request = {.operation = RELEASE, .count = count, .immediate = true};
		error = serve(&semaphore->served, &semaphore_kind, &request, HEDDLE_NO_DEADLINE, true);
		if (error == HEDDLE_BUSY)
			error = semaphore_give(semaphore, count, false);
	}
	if (error == HEDDLE_OVERFLOW)
		return lock_misused("semaphore_release()", "semaphore", semaphore, error);
	return error;
}

enum heddle_error semaphore_release(struct semaphore *semaphore, uint32_t count)
{
	if (__builtin_expect(
	        count <= HEDDLE_SEMAPHORE_MAXIMUM && semaphore_give(semaphore, count, false) == HEDDLE_OK, 1))
		return HEDDLE_OK;
	return release_with_room(semaphore, count);
}

uint32_t semaphore_permits(const struct semaphore *semaphore)
{
	return (uint32_t)(semaphore_load(semaphore) >> 1);
}

enum heddle_error semaphore_destroy(struct semaphore *semaphore)
{
	return serve_is_free(&semaphore->served, &semaphore->waiting)
	           ? HEDDLE_OK
	           : lock_misused("semaphore_destroy()", "semaphore", semaphore, HEDDLE_IN_USE);
}
