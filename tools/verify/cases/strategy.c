/*
 * The locks that spin, yield, then suspend: the resume handle, the queue, the word, and their end. Spinning takes one
 * turn, and so does yielding if the task can then be suspended. If it cannot, and in the queue, where the next task
 * will soon link itself, it looks again when there is something to see.
 */
#include "script.h"

#include "sync/strategy/holder.h"
#include "sync/strategy/mcs_queue.h"
#include "sync/strategy/ttas.h"

#include "heddle/ttas_lock.h"
#include "heddle/ttas_mcs_lock.h"

static struct ttas_lock ttas;
static struct mcs_lock mcs;
static struct ttas_mcs_lock cohort;
static struct ttas_mcs_queue queues[2];

static const struct waiting_strategy in_stages = {
    .spins = true, .yields = true, .suspends = true, .spins_maximum = 1, .yields_maximum = 1};
static const struct waiting_strategy suspending = {.suspends = true};
static const struct waiting_strategy adapting = {
    .spins = true, .yields = true, .suspends = true, .adapts = true, .spins_maximum = 1, .yields_maximum = 1};
static const struct waiting_strategy yielding = {.yields = true, .suspends = true, .yields_maximum = 1};

/* ---- replacements for loops ---- */

AS_MEMORY_IS static bool is_linked(void *place)
{
	return ((struct mcs_place *)place)->next != NULL;
}

/* The task behind is on another processor, inside mcs_queue_enter(), where it is not switched: so this processor can
 * wait for it. */
void model_await_link(struct mcs_place *place);
void model_await_link(struct mcs_place *place)
{
	explore_wait(is_linked, place);
}

AS_MEMORY_IS static bool is_free(void *unused)
{
	(void)unused;
	return ttas.word == TTAS_FREE && cohort.word == TTAS_FREE;
}

void model_yield(const struct backoff *backoff);
void model_yield(const struct backoff *backoff)
{
	if (backoff->resume_handle)
		task_yield();
	else
		model_yield_until(is_free, NULL);
}

/* ---- set-ups ---- */

static void prepare_with(const struct waiting_strategy *strategy, struct ttas_mcs_queue *given,
                         uint32_t count)
{
	explore_name(&ttas, sizeof ttas, "ttas");
	explore_name(&mcs, sizeof mcs, "mcs");
	explore_name(&mcs.queue.tail, sizeof mcs.queue.tail, "mcs.tail");
	explore_name(&mcs.queue.first.next, sizeof mcs.queue.first.next, "mcs.next");
	explore_name(&cohort, sizeof cohort, "cohort");
	explore_name(queues, sizeof queues, "queues");
	script_expect("create", ttas_lock_create(&ttas, strategy), HEDDLE_OK, HEDDLE_OK);
	script_expect("create", mcs_lock_create(&mcs, strategy), HEDDLE_OK, HEDDLE_OK);
	script_expect("create", ttas_mcs_lock_create(&cohort, strategy, given, count, HEDDLE_TTAS_MCS_PROCESSOR),
	              HEDDLE_OK, HEDDLE_OK);
	explore_ignore(&ttas.common.counters, sizeof ttas.common.counters);
	explore_ignore(&mcs.common.counters, sizeof mcs.common.counters);
	explore_ignore(&cohort.common.counters, sizeof cohort.common.counters);
	explore_watch(&cohort.entered, sizeof cohort.entered);
}

static void prepare(void)
{
	prepare_with(&in_stages, NULL, 0);
}

static void prepare_suspending(void)
{
	prepare_with(&suspending, NULL, 0);
}

static void prepare_yielding(void)
{
	prepare_with(&yielding, NULL, 0);
}

/* One task is kept awake, two yields long, or is once it comes; and no more is learnt. */
static void prepare_awake(void)
{
	prepare_with(&adapting, NULL, 0);
	mcs.queue.awake.level = 2;
	mcs.queue.awake.left_out = UINT32_MAX;
	explore_ignore(&mcs.queue.awake.entries, sizeof mcs.queue.awake.entries);
	explore_ignore(&mcs.queue.awake.left_out, sizeof mcs.queue.awake.left_out);
}

/* All are kept awake, two yields long. */
static void prepare_all_awake(void)
{
	prepare_awake();
	mcs.queue.awake.level = 9;
	mcs.queue.awake.all = true;
}

static void prepare_queues(void)
{
	prepare_with(&suspending, queues, 2);
}

static const char *check(void)
{
	if (ttas_lock_destroy(&ttas) || mcs_lock_destroy(&mcs) || ttas_mcs_lock_destroy(&cohort))
		return "a lock is not free";
	if (mcs.queue.awake.last || mcs.queue.awake.count)
		return "a place is remembered that has gone";
	if (mcs.queue.first.next || cohort.own.first.next || queues[0].queue.first.next ||
	    queues[1].queue.first.next)
		return "something is left in a queue";
	return ttas.common.owner || mcs.common.owner || cohort.common.owner ? "a lock has an owner" : NULL;
}

/* A task has ended with a lock, and another in its memory would not hold it. */
static const char *check_ended(void)
{
	const struct waiting_lock *locks[] = {&ttas.common, &mcs.common, &cohort.common};
	for (unsigned lock = 0; lock < 3; lock++) {
		if (locks[lock]->owner)
			return "a lock names a task that has ended";
		for (unsigned i = 0; i < 2; i++)
			if (holder_is(locks[lock], model_task(i)))
				return "a task that has ended holds a lock";
	}
	return NULL;
}

/* ---- programs, for each lock ---- */

/* The task's own stores reach memory before the freed memory can be reused. */
static void leave_for_good(const void *lock, size_t size)
{
	static _Atomic unsigned drained;
	atomic_exchange(&drained, 1);
	explore_free(lock, size);
}

#define PROGRAMS(name, type, lock)                                                    \
	static void name##_use(bool yields)                                               \
	{                                                                                 \
		script_alone();                                                               \
		if (yields)                                                                   \
			task_yield();                                                             \
		script_alone();                                                               \
		script_expect("unlock", type##_unlock(lock), HEDDLE_OK, HEDDLE_OK);           \
		if (task_current()->locks.entered)                                            \
			explore_fail("the critical section is over, and counts still");           \
	}                                                                                 \
	static intptr_t name##_once(void *unused)                                         \
	{                                                                                 \
		(void)unused;                                                                 \
		script_expect("lock", type##_lock(lock), HEDDLE_OK, HEDDLE_OK);               \
		name##_use(false);                                                            \
		return 0;                                                                     \
	}                                                                                 \
	static intptr_t name##_yield(void *unused)                                        \
	{                                                                                 \
		(void)unused;                                                                 \
		script_expect("lock", type##_lock(lock), HEDDLE_OK, HEDDLE_OK);               \
		name##_use(true);                                                             \
		return 0;                                                                     \
	}                                                                                 \
	static intptr_t name##_twice(void *unused)                                        \
	{                                                                                 \
		name##_once(unused);                                                          \
		return name##_once(unused);                                                   \
	}                                                                                 \
	static intptr_t name##_try(void *unused)                                          \
	{                                                                                 \
		(void)unused;                                                                 \
		enum heddle_error error = type##_try_lock(lock);                              \
		script_expect("try_lock", error, HEDDLE_OK, HEDDLE_BUSY);                     \
		if (error == HEDDLE_OK)                                                       \
			name##_use(false);                                                        \
		return 0;                                                                     \
	}                                                                                 \
	/* The last one of all gives the lock back as soon as its unlock has returned. */ \
	static intptr_t name##_leave(void *unused)                                        \
	{                                                                                 \
		static unsigned left;                                                         \
		(void)unused;                                                                 \
		script_expect("lock", type##_lock(lock), HEDDLE_OK, HEDDLE_OK);               \
		script_alone();                                                               \
		bool last = ++left == 2;                                                      \
		script_expect("unlock", type##_unlock(lock), HEDDLE_OK, HEDDLE_OK);           \
		if (last)                                                                     \
			leave_for_good(lock, sizeof *lock);                                       \
		return 0;                                                                     \
	}

PROGRAMS(ttas, ttas_lock, &ttas)
PROGRAMS(mcs, mcs_lock, &mcs)
PROGRAMS(cohort, ttas_mcs_lock, &cohort)

/* It ends with the lock, if it gets it. */
#define ENDS(name, type, lock)                                    \
	static intptr_t name##_end(void *unused)                      \
	{                                                             \
		(void)unused;                                             \
		enum heddle_error error = type##_try_lock(lock);          \
		script_expect("try_lock", error, HEDDLE_OK, HEDDLE_BUSY); \
		return 0;                                                 \
	}

ENDS(ttas, ttas_lock, &ttas)
ENDS(mcs, mcs_lock, &mcs)
ENDS(cohort, ttas_mcs_lock, &cohort)

/* One lock in another, given up in this order. */
static intptr_t crossed(void *unused)
{
	(void)unused;
	script_expect("lock", mcs_lock_lock(&mcs), HEDDLE_OK, HEDDLE_OK);
	script_expect("lock", ttas_lock_lock(&ttas), HEDDLE_OK, HEDDLE_OK);
	script_expect("unlock", mcs_lock_unlock(&mcs), HEDDLE_OK, HEDDLE_OK);
	script_alone();
	script_expect("unlock", ttas_lock_unlock(&ttas), HEDDLE_OK, HEDDLE_OK);
	if (task_current()->locks.entered)
		explore_fail("both critical sections are over, and one counts still");
	return 0;
}

/* It may come the second time while the other task, which was in a queue, gives it up. */
static intptr_t cohort_once_and_leave(void *unused)
{
	cohort_once(unused);
	return cohort_leave(unused);
}

#define CASE(title, set_up, last, ...) \
	SCRIPT_CASE("strategy", title, 0, false, 2, ALONE, set_up, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("mcs-two-suspending", prepare_suspending, check, mcs_once, mcs_once),
    CASE("mcs-two", prepare, check, mcs_once, mcs_once),
    CASE("mcs-two-yielding", prepare_yielding, check, mcs_yield, mcs_once),
    CASE("mcs-two-twice", prepare_suspending, check, mcs_twice, mcs_twice),
    CASE("mcs-three", prepare_suspending, check, mcs_once, mcs_once, mcs_once),
    CASE("mcs-three-yield", prepare_suspending, check, mcs_yield, mcs_once, mcs_once),
    CASE("mcs-three-in-stages", prepare, check, mcs_once, mcs_once, mcs_once),
    CASE("mcs-try", prepare_suspending, check, mcs_once, mcs_try, mcs_once),
    CASE("mcs-awake", prepare_awake, check, mcs_once, mcs_once, mcs_once),
    CASE("mcs-awake-yield", prepare_awake, check, mcs_yield, mcs_once, mcs_once),
    CASE("mcs-all-awake", prepare_all_awake, check, mcs_yield, mcs_once, mcs_once),
    CASE("mcs-freed", prepare_suspending, NULL, mcs_leave, mcs_leave),
    CASE("ttas-two-twice", prepare, check, ttas_twice, ttas_twice),
    CASE("ttas-three", prepare, check, ttas_yield, ttas_once, ttas_once),
    CASE("ttas-try", prepare, check, ttas_once, ttas_try, ttas_once),
    CASE("ttas-freed", prepare, NULL, ttas_leave, ttas_leave),
    CASE("cohort-two", prepare_suspending, check, cohort_once, cohort_once),
    CASE("cohort-two-twice", prepare_suspending, check, cohort_twice, cohort_once),
    CASE("cohort-three", prepare_suspending, check, cohort_once, cohort_once, cohort_once),
    CASE("cohort-queues", prepare_queues, check, cohort_yield, cohort_once, cohort_once),
    CASE("cohort-try", prepare_suspending, check, cohort_once, cohort_try, cohort_once),
    CASE("cohort-freed", prepare_suspending, NULL, cohort_leave, cohort_leave),
    CASE("ttas-ended", prepare, check_ended, ttas_end, ttas_try),
    CASE("mcs-ended", prepare, check_ended, mcs_end, mcs_try),
    CASE("cohort-ended", prepare, check_ended, cohort_end, cohort_try),
    CASE("crossed", prepare, check, crossed, crossed),
    CASE("cohort-freed-again", prepare_suspending, NULL, cohort_once_and_leave, cohort_leave),
    {0},
};
