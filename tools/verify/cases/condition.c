/* The condition, with its mutex: waiting, notifying one and all, deadlines, cancellation. */
#include "plain.h"
#include "script.h"

#include "heddle/condition.h"
#include "sync/mutex.h"

#define OK(call) script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)

static struct mutex mutex, other; /* the second, for a waiter with its own mutex */
static struct condition condition;
static unsigned items, gave_up;

static void prepare(void)
{
	explore_name(&mutex, sizeof mutex, "mutex");
	explore_name(&mutex.word, sizeof mutex.word, "mutex.word");
	explore_name(&other, sizeof other, "other");
	explore_name(&condition, sizeof condition, "condition");
	explore_name(&condition.served, sizeof condition.served, "condition.word");
	script_watch(&condition.waiting, &condition + 1);
	script_watch(&mutex.first, &mutex.counters);
	script_watch(&other.first, &other.counters);
	plain_prepare(&mutex);
	explore_ignore(&other.owner, sizeof other.owner);
	explore_ignore(&other.counters, sizeof other.counters);
}

static const char *check(void)
{
	if (!mutex_word_is_free(mutex.word) || mutex.first || !mutex_word_is_free(other.word) || other.first)
		return "a mutex is not free";
	if (condition.served.word || condition.waiting.first || condition.waiting.last)
		return "a task is left at the condition";
	return NULL;
}

static const char *check_taken(void)
{
	return items != gave_up ? "an item was not taken, and no task gave up" : check();
}

/* ---- consumers ---- */

static intptr_t take(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	while (items == 0) {
		OK(condition_wait(&condition, &mutex));
		script_alone();
	}
	items--;
	OK(mutex_unlock(&mutex));
	return 0;
}

/* A task that gives up says so, and passes on a notification that it may have had. */
static void take_or_give_up(uint64_t deadline, enum heddle_error reason)
{
	enum heddle_error error = HEDDLE_OK;
	script_expect("mutex_lock()", error = mutex_lock(&mutex), HEDDLE_OK, reason);
	if (error != HEDDLE_OK) {
		gave_up++;
		return;
	}
	while (items == 0 && error == HEDDLE_OK) {
		error = condition_wait_until(&condition, &mutex, deadline);
		script_expect("condition_wait_until()", error, HEDDLE_OK, reason);
		script_alone();
	}
	if (items > 0)
		items--;
	else
		gave_up++;
	OK(mutex_unlock(&mutex));
}

static intptr_t take_until(void *unused)
{
	(void)unused;
	take_or_give_up(SOON, HEDDLE_TIMED_OUT);
	return 0;
}

static intptr_t take_cancelled(void *unused)
{
	(void)unused;
	take_or_give_up(HEDDLE_NO_DEADLINE, HEDDLE_CANCELLED);
	return 0;
}

/* Does not take it: if notified, it notifies another; if it has given up, it was not notified. */
static intptr_t watch_until(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	enum heddle_error error = items > 0 ? HEDDLE_OK : condition_wait_until(&condition, &mutex, SOON);
	script_expect("condition_wait_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	OK(mutex_unlock(&mutex));
	if (error == HEDDLE_OK)
		OK(condition_notify_one(&condition));
	return 0;
}

/* Its deadline has already passed: it gives up the mutex, and gets it again. */
static intptr_t come_late(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	enum heddle_error error = condition_wait_until(&condition, &mutex, 0);
	script_expect("condition_wait_until()", error, HEDDLE_TIMED_OUT, HEDDLE_TIMED_OUT);
	script_alone();
	OK(mutex_unlock(&mutex));
	return 0;
}

/* ---- producers ---- */

static void give(unsigned count)
{
	OK(mutex_lock(&mutex));
	items += count;
	script_alone();
	OK(mutex_unlock(&mutex));
}

static intptr_t give_one(void *unused)
{
	(void)unused;
	give(1);
	OK(condition_notify_one(&condition));
	return 0;
}

static intptr_t give_all(void *unused)
{
	(void)unused;
	give(2);
	OK(condition_notify_all(&condition));
	return 0;
}

/* The waiters move to the mutex's queue. */
static intptr_t give_all_inside(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	items += 2;
	OK(condition_notify_all(&condition));
	script_alone();
	OK(mutex_unlock(&mutex));
	return 0;
}

static intptr_t give_one_inside(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	items++;
	OK(condition_notify_one(&condition));
	script_alone();
	OK(mutex_unlock(&mutex));
	return 0;
}

/* ---- each waiter with its own mutex ---- */

static unsigned inside[2];
static bool is_open[2];

static void wait_with(struct mutex *own, unsigned index, uint64_t deadline)
{
	enum heddle_error error = HEDDLE_OK;
	OK(mutex_lock(own));
	while (!is_open[index] && error == HEDDLE_OK) {
		error = condition_wait_until(&condition, own, deadline);
		script_expect("condition_wait_until()", error, HEDDLE_OK,
		              deadline == HEDDLE_NO_DEADLINE ? HEDDLE_OK : HEDDLE_TIMED_OUT);
		if (inside[index]++)
			explore_fail("two tasks hold a mutex");
		explore_pause();
		inside[index]--;
	}
	OK(mutex_unlock(own));
}

static intptr_t wait_own(void *unused)
{
	(void)unused;
	wait_with(&mutex, 0, HEDDLE_NO_DEADLINE);
	return 0;
}

static intptr_t wait_own_until(void *unused)
{
	(void)unused;
	wait_with(&mutex, 0, SOON);
	return 0;
}

static intptr_t wait_other(void *unused)
{
	(void)unused;
	wait_with(&other, 1, HEDDLE_NO_DEADLINE);
	return 0;
}

/* Another task may hold each mutex just then. */
static intptr_t open_both(void *unused)
{
	(void)unused;
	struct mutex *mutexes[] = {&mutex, &other};
	for (unsigned i = 0; i < 2; i++) {
		OK(mutex_lock(mutexes[i]));
		is_open[i] = true;
		OK(mutex_unlock(mutexes[i]));
	}
	OK(condition_notify_all(&condition));
	return 0;
}

/* Both are notified while the mutex of one is held. */
static intptr_t open_both_inside(void *unused)
{
	(void)unused;
	OK(mutex_lock(&other));
	is_open[1] = true;
	OK(mutex_lock(&mutex));
	is_open[0] = true;
	if (inside[0]++)
		explore_fail("two tasks hold a mutex");
	OK(mutex_unlock(&other));
	OK(condition_notify_all(&condition));
	explore_pause();
	inside[0]--;
	OK(mutex_unlock(&mutex));
	return 0;
}

/* The last user of both, after it was notified and has unlocked. */
static intptr_t take_and_free(void *unused)
{
	take(unused);
	explore_drain(); /* whoever gets the memory sees these stores before */
	explore_free(&condition, sizeof condition);
	explore_free(&mutex, sizeof mutex);
	return 0;
}

static intptr_t take_until_and_free(void *unused)
{
	take_until(unused);
	if (gave_up)
		return 0;
	explore_drain();
	explore_free(&condition, sizeof condition);
	explore_free(&mutex, sizeof mutex);
	return 0;
}

static intptr_t give_one_to_all_inside(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	items++;
	OK(condition_notify_all(&condition));
	OK(mutex_unlock(&mutex));
	return 0;
}

/* ---- the end ---- */

static bool is_over;

/* Touches the condition until its wait has ended, by whatever. */
static intptr_t await_end(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	if (!is_over)
		script_expect("condition_wait_until()", condition_wait_until(&condition, &mutex, SOON), HEDDLE_OK,
		              HEDDLE_TIMED_OUT);
	OK(mutex_unlock(&mutex));
	return 0;
}

static void quiesce_and_free(void)
{
	OK(condition_quiesce(&condition));
	explore_drain();
	explore_free(&condition, sizeof condition);
}

/* Frees the condition as soon as all were notified. */
static intptr_t end_all(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	is_over = true;
	OK(condition_notify_all(&condition));
	OK(mutex_unlock(&mutex));
	quiesce_and_free();
	return 0;
}

/* The same while those that have left cannot have the mutex. */
static intptr_t end_all_inside(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	is_over = true;
	OK(condition_notify_all(&condition));
	quiesce_and_free();
	OK(mutex_unlock(&mutex));
	return 0;
}

/* A task waits for good, until it is notified. */
static intptr_t quiesce_too_early(void *unused)
{
	OK(mutex_lock(&mutex));
	bool waits = condition.users > 0;
	script_expect("condition_quiesce()", condition_quiesce(&condition), waits ? HEDDLE_IN_USE : HEDDLE_OK,
	              HEDDLE_OK);
	OK(mutex_unlock(&mutex));
	return give_one(unused);
}

#define CASE(title, limit, longer, count, world, last, ...) \
	SCRIPT_CASE("condition", title, limit, longer, count, world, prepare, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("one", 0, false, 2, ALONE, check_taken, take, give_one),
    CASE("one-inside", 0, false, 2, ALONE, check_taken, take, give_one_inside),
    CASE("passed-on", 3, false, 2, TIME, check_taken, watch_until, take, give_one),
    CASE("passed-on-all", 0, true, 2, TIME, check_taken, watch_until, take, give_one),
    CASE("all", 0, false, 2, ALONE, check_taken, take, give_all, take),
    CASE("all-inside", 0, false, 2, ALONE, check_taken, take, give_all_inside, take),
    CASE("deadline", 0, false, 2, TIME, check_taken, take_until, give_one),
    CASE("deadline-inside", 0, false, 2, TIME, check_taken, take_until, give_one_inside),
    CASE("deadline-three", 0, true, 2, TIME, NULL, take_until, give_all, take),
    CASE("late", 0, false, 2, ALONE, check, come_late, give_one, come_late),
    CASE("cancel", 0, false, 2, CANCEL, check_taken, take_cancelled, give_one),
    CASE("cancel-three", 0, true, 2, CANCEL, NULL, take_cancelled, give_all_inside, take),
    CASE("two-mutexes", 0, false, 2, ALONE, check, wait_own, open_both, wait_other),
    CASE("two-mutexes-inside", 0, false, 2, ALONE, check, wait_own, open_both_inside, wait_other),
    CASE("two-mutexes-deadline", 0, true, 2, TIME, check, wait_own_until, open_both_inside, wait_other),
    CASE("quiesced", 0, false, 2, TIME, NULL, await_end, end_all),
    CASE("quiesced-inside", 0, false, 2, TIME, NULL, await_end, end_all_inside),
    CASE("quiesced-three", 3, true, 2, TIME, NULL, await_end, end_all, await_end),
    CASE("quiesced-too-early", 0, false, 2, ALONE, check_taken, take, quiesce_too_early),
    CASE("freed", 0, false, 2, ALONE, NULL, take_and_free, give_one_inside),
    CASE("freed-all", 0, false, 2, ALONE, NULL, take_and_free, give_one_to_all_inside),
    CASE("freed-deadline", 0, false, 2, TIME, NULL, take_until_and_free, give_one_inside),
    {0},
};
