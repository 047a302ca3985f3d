#include "heddle/reader_writer_lock.h"

#include "sync/serve.h"

/*
 * state: readers << 2 | WAITED | WRITTEN. While nobody waits it is changed by a CAS each way; while somebody
 * does, readers that are not the last still leave so, and all else is served.
 */
#define WRITTEN UINT64_C(1)
#define WAITED  UINT64_C(2)
#define READER  UINT64_C(4)

enum { READ = 1, WRITE, READ_UNLOCK, WRITE_UNLOCK };

static struct reader_writer_lock *lock_of(struct served *served)
{
	return (struct reader_writer_lock *)((char *)served - offsetof(struct reader_writer_lock, served));
}

static _Atomic(struct task *) const *owner_of(struct served *served)
{
	return &lock_of(served)->writer;
}

static void set_writer(struct reader_writer_lock *lock, struct task *task)
{
	atomic_store_explicit(&lock->writer, task, memory_order_relaxed);
}

static struct task *writer_of(const struct reader_writer_lock *lock)
{
	return atomic_load_explicit(&lock->writer, memory_order_relaxed);
}

/* Add `added` where none of the bits in `against` is set, else, if `served`, mark it as waited for. */
static bool take(struct reader_writer_lock *lock, uint64_t added, uint64_t against, bool served)
{
	uint64_t state = atomic_load_explicit(&lock->state, memory_order_relaxed), changed;
	do {
		if ((state & against) && !served)
			return false;
		changed = state & against ? state | WAITED : state + added;
		/* acquire: what those did who had it before. */
	} while (!atomic_compare_exchange_weak_explicit(&lock->state, &state, changed, memory_order_acquire,
	                                                memory_order_relaxed));
	return !(state & against);
}

static bool take_reading(struct reader_writer_lock *lock, bool served)
{
	return take(lock, READER, served ? WRITTEN : WRITTEN | WAITED, served);
}

static bool take_writing(struct reader_writer_lock *lock, bool served)
{
	return take(lock, WRITTEN, served ? ~WAITED : ~UINT64_C(0), served);
}

static void give(struct reader_writer_lock *lock, uint64_t taken)
{
	/* release: pairs with take. */
	atomic_fetch_sub_explicit(&lock->state, taken, memory_order_release);
}

/* In order: a writer alone, readers together. */
static void let_in(struct reader_writer_lock *lock, struct granted *granted)
{
	struct request *first;
	while ((first = lock->waiting.first)) {
		struct task *task = first->task;
		bool writes = first->operation == WRITE;
		if (!(writes ? take_writing(lock, true) : take_reading(lock, true)))
			return;
		if (writes)
			set_writer(lock, task);
		if (request_grant(first, HEDDLE_OK, granted)) {
			lock->counters.acquisitions++;
		} else {
			if (writes)
				set_writer(lock, NULL);
			give(lock, writes ? WRITTEN : READER);
		}
	}
	/* release, acquire: from here on as in take and give. */
	atomic_fetch_and_explicit(&lock->state, ~WAITED, memory_order_acq_rel);
}

/* By the server: whoever waited has given up since the holder looked. If we gave the lock up now, another
 * could take it, be the last user and free it while we serve it; so the holder gives it up. */
static bool is_unwaited(const struct reader_writer_lock *lock)
{
	return !(atomic_load_explicit(&lock->state, memory_order_relaxed) & WAITED);
}

static void step(struct served *object, struct request *request, struct granted *granted)
{
	struct reader_writer_lock *lock = lock_of(object);
	if (request->operation == READ || request->operation == WRITE) {
		lock->counters.contended++;
		request_queue_put(&lock->waiting, request);
		if (lock->waiting.first == request)
			let_in(lock, granted);
		return;
	}
	if (request->operation != REQUEST_WITHDRAW && is_unwaited(lock) && !request->detached) {
		request_grant(request, HEDDLE_BUSY, granted);
		return;
	}
	if (request->operation != REQUEST_WITHDRAW)
		give(lock, request->operation == READ_UNLOCK ? READER : WRITTEN);
	let_in(lock, granted);
	request_grant(request, HEDDLE_OK, granted);
}

static const char kind_name[] = "reader-writer lock";
static const struct serve_kind kind = {kind_name, step, owner_of};

/* ----------------------------------------------------------------------------------------------- read -- */

enum heddle_error read_lock_until(struct reader_writer_lock *lock, uint64_t deadline)
{
	enum heddle_error error = HEDDLE_OK;
	if (!take_reading(lock, false)) {
		struct request request = {.operation = READ};
		error = serve(&lock->served, &kind, &request, deadline, false);
		if (error == HEDDLE_OK)
			exchange_count_shared(&lock->counters, request.task);
	}
	if (error == HEDDLE_OK)
		section_begin(scheduler_current()->current);
	return error;
}

enum heddle_error read_lock(struct reader_writer_lock *lock)
{
	return read_lock_until(lock, HEDDLE_NO_DEADLINE);
}

enum heddle_error read_try_lock(struct reader_writer_lock *lock)
{
	if (!take_reading(lock, false))
		return HEDDLE_BUSY;
	section_begin(scheduler_current()->current);
	return HEDDLE_OK;
}

/* Leave if nobody waits, or others read still; 0: nobody reads. Returns the state that was. */
static uint64_t leave_reading(struct reader_writer_lock *lock, bool *left)
{
	uint64_t state = atomic_load_explicit(&lock->state, memory_order_relaxed);
	do {
		*left = state >= READER && (!(state & WAITED) || state >= 2 * READER);
		/* release: pairs with take. */
	} while (*left && !atomic_compare_exchange_weak_explicit(&lock->state, &state, state - READER,
	                                                         memory_order_release, memory_order_relaxed));
	return state;
}

enum heddle_error read_unlock(struct reader_writer_lock *lock)
{
	bool left;
	struct task *task = scheduler_current()->current;
	if (task->sections == 0 || leave_reading(lock, &left) < READER)
		return lock_misused("read_unlock()", kind_name, lock, HEDDLE_NOT_OWNER);
	section_end(task);
	while (!left) {
		struct request request = {.operation = READ_UNLOCK, .immediate = true};
		enum heddle_error error = serve(&lock->served, &kind, &request, HEDDLE_NO_DEADLINE, true);
		if (error == HEDDLE_NO_MEMORY)
			section_begin(task); /* it reads still */
		if (error != HEDDLE_BUSY)
			return error;
		leave_reading(lock, &left);
	}
	return HEDDLE_OK;
}

/* ---------------------------------------------------------------------------------------------- write -- */

static enum heddle_error enter_writing(struct reader_writer_lock *lock, struct task *task, bool waited)
{
	set_writer(lock, task);
	lock->counters.acquisitions += !waited;
	section_begin(task);
	return HEDDLE_OK;
}

enum heddle_error write_lock_until(struct reader_writer_lock *lock, uint64_t deadline)
{
	struct task *task = scheduler_current()->current;
	if (take_writing(lock, false))
		return enter_writing(lock, task, false);
	if (writer_of(lock) == task)
		return lock_misused("write_lock()", kind_name, lock, HEDDLE_RELOCKED);
	struct request request = {.operation = WRITE};
	enum heddle_error error = serve(&lock->served, &kind, &request, deadline, false);
	if (error != HEDDLE_OK)
		return error;
	exchange_count_shared(&lock->counters, task);
	return enter_writing(lock, task, true);
}

enum heddle_error write_lock(struct reader_writer_lock *lock)
{
	return write_lock_until(lock, HEDDLE_NO_DEADLINE);
}

enum heddle_error write_try_lock(struct reader_writer_lock *lock)
{
	struct task *task = scheduler_current()->current;
	if (take_writing(lock, false))
		return enter_writing(lock, task, false);
	return writer_of(lock) == task ? HEDDLE_RELOCKED : HEDDLE_BUSY;
}

/* Leave if nobody waits. WRITTEN -> free; release: pairs with take. */
static bool leave_writing(struct reader_writer_lock *lock)
{
	uint64_t state = WRITTEN;
	return atomic_compare_exchange_strong_explicit(&lock->state, &state, 0, memory_order_release,
	                                               memory_order_relaxed);
}

enum heddle_error write_unlock(struct reader_writer_lock *lock)
{
	struct task *task = scheduler_current()->current;
	if (writer_of(lock) != task)
		return lock_misused("write_unlock()", kind_name, lock, HEDDLE_NOT_OWNER);
	set_writer(lock, NULL);
	section_end(task);
	while (!leave_writing(lock)) {
		struct request request = {.operation = WRITE_UNLOCK, .immediate = true};
		enum heddle_error error = serve(&lock->served, &kind, &request, HEDDLE_NO_DEADLINE, true);
		if (error == HEDDLE_NO_MEMORY) {
			/* It writes still. */
			set_writer(lock, task);
			section_begin(task);
		}
		if (error != HEDDLE_BUSY)
			return error;
	}
	return HEDDLE_OK;
}

enum heddle_error reader_writer_lock_destroy(struct reader_writer_lock *lock)
{
	/* acquire: what was done under it. */
	if (atomic_load_explicit(&lock->state, memory_order_acquire) != 0 ||
	    !serve_is_free(&lock->served, &lock->waiting))
		return lock_misused("reader_writer_lock_destroy()", kind_name, lock, HEDDLE_IN_USE);
	return HEDDLE_OK;
}
