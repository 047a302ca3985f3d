#include "heddle/semaphore.h"

#include "kernel/alone.h"
#include "sync/serve.h"

/*
 * state: permits << 1 | whether a task waits. While none does, each way is a CAS; otherwise only the server changes
 * it, and each task that acquires or releases is served.
 */
#define WAITED UINT64_C(1)

enum { ACQUIRE = 1, RELEASE, QUIESCE };

static struct semaphore *semaphore_of(struct served *served)
{
	return (struct semaphore *)((char *)served - offsetof(struct semaphore, served));
}

static uint64_t semaphore_load(const struct semaphore *semaphore)
{
	return atomic_load_explicit(&semaphore->state, memory_order_relaxed);
}

/* While a task waits, only the server changes the state, and needs no CAS. Otherwise false: another task changed
 * it. */
static inline bool semaphore_change(struct semaphore *semaphore, uint64_t *state, uint64_t changed)
{
	if (*state & WAITED) {
		/* release: as below. */
		atomic_store_explicit(&semaphore->state, changed, memory_order_release);
		return true;
	}
	/* permits -> more; release: what was done before they are given back; pairs with take. */
	return word_compare_exchange(&semaphore->state, state, changed, memory_order_release,
	                             memory_order_relaxed);
}

/* Take the permits if no task waits and there are enough. */
static inline bool semaphore_take(struct semaphore *semaphore, uint32_t count)
{
	uint64_t state = semaphore_load(semaphore);
	do {
		if ((state & WAITED) || state >> 1 < count)
			return false;
		/* permits -> fewer; acquire: what was done before they were given back, from change. */
	} while (!word_compare_exchange(&semaphore->state, &state, state - ((uint64_t)count << 1),
	                                memory_order_acquire, memory_order_relaxed));
	return true;
}

/* Give the permits back, if no task waits or the caller serves; HEDDLE_BUSY: a task waits. */
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

static bool is_waited(const struct semaphore *semaphore)
{
	return semaphore_load(semaphore) & WAITED;
}

/* By the server, when a task is in the queue: from here on only the server changes the state. */
static void mark_waited(struct semaphore *semaphore)
{
	/* permits -> and a task waits; acquire: as in take. */
	if (!is_waited(semaphore))
		atomic_fetch_or_explicit(&semaphore->state, WAITED, memory_order_acquire);
}

/* By the server: let tasks in, in order, as far as the permits go. */
static void semaphore_let_in(struct semaphore *semaphore, struct granted *granted)
{
	if (!is_waited(semaphore))
		return;
	uint64_t permits = semaphore_load(semaphore) >> 1;
	struct request *first;
	while ((first = semaphore->waiting.first) && first->count <= permits) {
		uint32_t count = first->count;
		if (request_grant(first, HEDDLE_OK, granted)) {
			permits -= count;
			semaphore->counters.acquisitions++;
		}
	}
	/* release: for take and give, which may follow if no task waits. */
	atomic_store_explicit(&semaphore->state, permits << 1 | (first ? WAITED : 0), memory_order_release);
}

/* By the server. */
static void queue(struct semaphore *semaphore, struct request *request, struct granted *granted)
{
	semaphore->counters.contended++;
	request_queue_put(&semaphore->waiting, request);
	mark_waited(semaphore);
	if (semaphore->waiting.first == request)
		semaphore_let_in(semaphore, granted);
}

/* By the server. HEDDLE_BUSY: the waiting task has given up since the releaser looked. If we gave the permits then,
 * another task could take them, be the last user, and free the semaphore while we serve it. So the releaser gives
 * them. */
static enum heddle_error semaphore_serve_release(struct semaphore *semaphore, uint32_t count,
                                                 struct granted *granted)
{
	if (!is_waited(semaphore))
		return HEDDLE_BUSY;
	enum heddle_error error = semaphore_give(semaphore, count, true);
	semaphore_let_in(semaphore, granted);
	return error;
}

static void semaphore_step(struct served *object, struct request *request, struct granted *granted)
{
	struct semaphore *semaphore = semaphore_of(object);
	enum heddle_error error = HEDDLE_OK;
	if (request->operation == ACQUIRE) {
		queue(semaphore, request, granted);
		return;
	}
	if (request->operation == QUIESCE)
		error = semaphore->waiting.first ? HEDDLE_IN_USE : HEDDLE_OK;
	else if (request->operation == RELEASE)
		error = semaphore_serve_release(semaphore, request->count, granted);
	else
		semaphore_let_in(semaphore, granted);
	if (error == HEDDLE_BUSY && request->detached)
		error = semaphore_give(semaphore, request->count, true);
	request_grant(request, error, granted);
}

static const struct serve_kind semaphore_kind = {"semaphore", semaphore_step};

/* An acquire and a release that cannot be done at once, with room for them on the stack. */
enum heddle_error semaphore_acquire_contended(struct semaphore *semaphore, uint32_t count, uint64_t deadline);
enum heddle_error semaphore_release_contended(struct semaphore *semaphore, uint32_t count);
__typeof__(semaphore_acquire_contended) acquire_with_room STACK_ENTRY_OF(semaphore_acquire_contended);
__typeof__(semaphore_release_contended) release_with_room STACK_ENTRY_OF(semaphore_release_contended);

static enum heddle_error acquire_served(struct semaphore *semaphore, struct request *request,
                                        uint64_t deadline)
{
	struct granted granted = {0};
	request->own = true;
	queue(semaphore, request, &granted);
	if (!request->done)
		return serve_await(&semaphore->served, &semaphore_kind, request, deadline);
	serve_leave(&semaphore->served, &semaphore_kind, &granted);
	return HEDDLE_OK;
}

STACK_ENTRY(semaphore_acquire_contended)
enum heddle_error semaphore_acquire_contended(struct semaphore *semaphore, uint32_t count, uint64_t deadline)
{
	struct request request = {.operation = ACQUIRE, .count = count};
	enum heddle_error error = serve_enter(&semaphore->served)
	                              ? acquire_served(semaphore, &request, deadline)
	                              : serve(&semaphore->served, &semaphore_kind, &request, deadline, false);
	if (error == HEDDLE_OK && request.waited)
		exchange_count(&semaphore->counters);
	return error;
}

enum heddle_error semaphore_acquire_until(struct semaphore *semaphore, uint32_t count, uint64_t deadline)
{
	if (__builtin_expect(count > HEDDLE_SEMAPHORE_MAXIMUM, 0))
		return HEDDLE_BAD_ARGUMENT;
	if (count == 0 || semaphore_take(semaphore, count))
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
	return count == 0 || semaphore_take(semaphore, count) ? HEDDLE_OK : HEDDLE_BUSY;
}

static enum heddle_error release_served(struct semaphore *semaphore, uint32_t count)
{
	struct granted granted = {0};
	enum heddle_error error = semaphore_serve_release(semaphore, count, &granted);
	serve_leave_and_give(&semaphore->served, &semaphore_kind, &granted);
	return error;
}

__attribute__((noinline)) static enum heddle_error release_by_another(struct semaphore *semaphore,
                                                                      uint32_t count)
{
	struct request request = {.operation = RELEASE, .count = count, .immediate = true};
	return serve(&semaphore->served, &semaphore_kind, &request, HEDDLE_NO_DEADLINE, true);
}

/* A task waits, or there would be too many permits. */
STACK_ENTRY(semaphore_release_contended)
enum heddle_error semaphore_release_contended(struct semaphore *semaphore, uint32_t count)
{
	enum heddle_error error =
	    count > HEDDLE_SEMAPHORE_MAXIMUM ? HEDDLE_OVERFLOW : semaphore_give(semaphore, count, false);
	while (error == HEDDLE_BUSY) {
		error = serve_enter(&semaphore->served) ? release_served(semaphore, count)
		                                        : release_by_another(semaphore, count);
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

STACK_ENTRY(semaphore_quiesce)
enum heddle_error semaphore_quiesce(struct semaphore *semaphore)
{
	struct request request = {.operation = QUIESCE};
	if (serve_is_free(&semaphore->served, &semaphore->waiting))
		return HEDDLE_OK;
	return serve(&semaphore->served, &semaphore_kind, &request, HEDDLE_NO_DEADLINE, false);
}

enum heddle_error semaphore_destroy(struct semaphore *semaphore)
{
	return serve_is_free(&semaphore->served, &semaphore->waiting)
	           ? HEDDLE_OK
	           : lock_misused("semaphore_destroy()", "semaphore", semaphore, HEDDLE_IN_USE);
}
