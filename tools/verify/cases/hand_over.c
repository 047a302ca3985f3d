/*
 * A mutex that is handed over on the plain way (sync/mutex.c): a holder that unlocks while another waits in the queue
 * switches to that without a finalizer. The first holder has two others come and wait, and is ready when it has
 * unlocked; then it may run on another processor, and cancels the wait of the last. Or the last waits until the first
 * runs on another processor, which has to be told of it, if not at once (sched/ready_put.c); or the second waits for
 * that, which is not even told at the hand-over to the last, as that has given up.
 */
#include "scheduling.h"

#include "sched/quantum.h"
#include "sched/scheduler.h"
#include "sched/wait.h"
#include "sync/mutex.h"
#include "sync/waiter.h"

static struct mutex mutex;
static unsigned inside, came;
static struct task *second, *third;

static void prepare(void)
{
	atomic_store_explicit(&scheduler_stopping, true, memory_order_relaxed);
	command_line.chain = UINT32_MAX;
	mutex.deferral.pause = 100; /* none is deferred */
	explore_ignore(&mutex.owner, sizeof mutex.owner);
	explore_ignore(&mutex.counters, sizeof mutex.counters);
	explore_name(&mutex, sizeof mutex, "mutex");
	for (unsigned i = 1; i < 3; i++)
		explore_watch(&model_task(i)->schedule.ties, sizeof model_task(i)->schedule.ties);
	waiter_start();
}

static void section(void)
{
	if (inside++ > 0)
		explore_fail("two are in the section");
	came++;
	inside--;
	if (mutex_unlock(&mutex) != HEDDLE_OK)
		explore_fail("the holder is none");
	if (mutex_is_held(&mutex, task_current()))
		explore_fail("it holds the mutex still");
}

static intptr_t lock(void *unused)
{
	(void)unused;
	enum heddle_error error = mutex_lock(&mutex);
	if (error == HEDDLE_OK)
		section();
	else if (error != HEDDLE_CANCELLED)
		explore_fail("the lock has failed");
	else
		task_bind(HEDDLE_TASK_ANY_PROCESSOR); /* its ties are its own again */
	return 7;
}

static bool waits(void *task)
{
	return wait_phase(task) == WAIT_ARMED;
}

static void make_two_wait(task_function first, task_function last)
{
	mutex_lock(&mutex);
	second = scheduling_make(first, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_yield();
	model_task_wait(waits, second);
	third = scheduling_make(last, NULL, HEDDLE_TASK_ANY_PROCESSOR);
	task_yield();
	model_task_wait(waits, third);
}

static intptr_t hold(void *cancels)
{
	make_two_wait(lock, lock);
	scheduler_current()->unshared = INT32_MAX; /* others are told at once */
	section();
	if (cancels)
		task_cancel(third);
	scheduling_join(second, 7);
	scheduling_join(third, 7);
	if (inside || mutex.word != MUTEX_FREE || mutex.first || came < 2 + !cancels)
		explore_fail("a task is left");
	return 0;
}

static intptr_t hold_and_cancel(void *unused)
{
	(void)unused;
	return hold(&mutex);
}

static atomic_bool went_on;

static intptr_t lock_until_other_runs(void *unused)
{
	intptr_t result = lock(unused);
	model_task_wait(scheduling_is_true, &went_on);
	return result;
}

/* The first holder goes on. */
static intptr_t hold_and_go_on(task_function first, task_function last)
{
	make_two_wait(first, last);
	section();
	atomic_store_explicit(&went_on, true, memory_order_release);
	scheduling_join(second, 7);
	scheduling_join(third, 7);
	return 0;
}

static intptr_t hold_until_told(void *unused)
{
	(void)unused;
	return hold_and_go_on(lock, lock_until_other_runs);
}

/* The hand-over that was to tell of the first does not come: the last has given up. So the first, and the last, which
 * is ready as well, are told of at the next check. */
static intptr_t hand_over_to_none(void *unused)
{
	(void)unused;
	mutex_lock(&mutex);
	task_cancel(third);
	section();
	uncooperative_begin();
	quantum_spent();
	model_task_wait(scheduling_is_true, &went_on);
	uncooperative_end();
	return 7;
}

static intptr_t hold_until_checked(void *unused)
{
	(void)unused;
	return hold_and_go_on(hand_over_to_none, lock);
}

/* ---- cases ---- */

static const char *check(void)
{
	return model_task_check(3);
}

#define CASE(title, count, longer, limit, first)                                                   \
	SCHEDULING_CASE("hand_over", title, count, longer, limit, LOCAL, first, 3, .prepare = prepare, \
	                .check = check)

const struct explore_case explore_cases[] = {
    CASE("alone", 1, false, 1, hold),
    CASE("two", 2, false, 1, hold),
    CASE("cancelled", 2, false, 1, hold_and_cancel),
    CASE("cancelled-2", 2, true, 2, hold_and_cancel),
    CASE("told-later", 2, false, 1, hold_until_told),
    CASE("told-at-a-check", 2, false, 1, hold_until_checked),
    {0},
};
