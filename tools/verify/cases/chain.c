/* The bound on chains of exchanges: ready tasks get their turn, and a task that is not exchanged to is not lost.
 */
#include "script.h"

#include "heddle/condition.h"
#include "heddle/semaphore.h"
#include "kernel/command_line.h"
#include "sync/exchange.h"
#include "sync/mutex.h"

#define OK(call) script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)

static struct mutex mutex;
static struct semaphore semaphore;
static struct condition condition;
static bool open;

/* Ready tasks may run elsewhere, so the chain may be longer. */
static unsigned most = MODEL_CHAIN;

static void prepare(void)
{
	semaphore.state = 1 << 1;
	explore_ignore(&mutex.owner, sizeof mutex.owner);
	explore_ignore(&mutex.counters, sizeof mutex.counters);
	explore_ignore(&semaphore.counters, sizeof semaphore.counters);
	explore_name(&mutex, sizeof mutex, "mutex");
	explore_name(&semaphore, sizeof semaphore, "semaphore");
	explore_name(&condition, sizeof condition, "condition");
}

static void prepare_two(void)
{
	prepare();
	most = command_line.chain = 2;
}

static void prepare_lower(void)
{
	prepare();
	most = command_line.chain = UINT32_MAX;
	model_task(1)->schedule.priority = LEVEL_LOWEST;
}

static void prepare_elsewhere(void)
{
	prepare();
	scheduler_policy = SCHEDULER_GLOBAL;
	most = MODEL_CHAIN * CHAIN_LONG;
}

static const char *check(void)
{
	bool are_free = mutex.word == MUTEX_FREE && !mutex.first && semaphore.state == 1 << 1 &&
	                !semaphore.waiting.first && !condition.waiting.first;
	return are_free ? NULL : "a task is left";
}

/* ---- sections that came here in a row, each by an exchange; the task that was ready all the time ---- */

static struct row {
	unsigned count, dispatches, ready;
	struct task *task;
	unsigned priority; /* of that */
} rows[EXPLORE_PROCESSORS];

/* First in a section. */
static void section_is_entered(void)
{
	struct row *row = &rows[explore_processor()];
	bool same = row->ready == model_ready_oldest() && row->ready != 0;
	bool exchanged = row->dispatches == model_ready_dispatches() && row->task != task_current();
	/* Counted are exchanges during which one task stayed ready; with the global policy, any task. */
	if (row->dispatches != model_ready_dispatches() || (!same && scheduler_policy != SCHEDULER_GLOBAL))
		row->count = 0;
	row->count += exchanged;
	if (exchanged && row->count > most && (same || scheduler_policy == SCHEDULER_GLOBAL))
		explore_fail("%u exchanges in a row, and a task is ready", row->count);
	if (exchanged && task_current()->schedule.priority < row->priority)
		explore_fail("a lower task runs in the place of a higher one");
}

/* Others come and wait while the first task is in the section. */
static void section_gathers(void)
{
	static bool gathered;
	if (!gathered) {
		gathered = true;
		task_yield();
	}
}

/* At the end of a section. */
static void section_is_left(void)
{
	struct row *row = &rows[explore_processor()];
	if (row->dispatches != model_ready_dispatches())
		row->count = 0;
	row->dispatches = model_ready_dispatches();
	row->ready = model_ready_oldest();
	row->task = task_current();
	row->priority = task_current()->schedule.priority;
}

/* ---- programs ---- */

static intptr_t lock(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	section_is_entered();
	section_gathers();
	section_is_left();
	OK(mutex_unlock(&mutex));
	return 0;
}

static intptr_t lock_twice(void *unused)
{
	lock(unused);
	return lock(unused);
}

static intptr_t acquire(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	section_is_entered();
	section_gathers();
	section_is_left();
	OK(semaphore_release(&semaphore, 1));
	return 0;
}

/* Waiting at the condition hands the mutex over as well. */
static intptr_t wait_open(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	section_is_entered();
	while (!open) {
		section_gathers();
		section_is_left();
		OK(condition_wait(&condition, &mutex));
		section_is_entered();
	}
	section_is_left();
	OK(mutex_unlock(&mutex));
	return 0;
}

static intptr_t let_pass(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	section_is_entered();
	open = true;
	OK(condition_notify_all(&condition));
	section_is_left();
	OK(mutex_unlock(&mutex));
	return 0;
}

#define CASE(title, longer, count, first, ...) \
	SCRIPT_CASE("chain", title, 0, longer, count, ALONE, first, check, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("mutex-alone", false, 1, prepare, lock_twice, lock_twice, lock_twice),
    CASE("mutex", false, 2, prepare, lock, lock, lock),
    CASE("mutex-twice", true, 2, prepare, lock_twice, lock, lock),
    CASE("mutex-elsewhere", false, 2, prepare_elsewhere, lock_twice, lock, lock),
    CASE("semaphore-alone", false, 1, prepare, acquire, acquire, acquire),
    CASE("semaphore", true, 2, prepare, acquire, acquire, acquire),
    CASE("mutex-lower", false, 2, prepare_lower, lock_twice, lock),
    CASE("semaphore-lower", false, 1, prepare_lower, acquire, acquire, acquire),
    CASE("condition-lower", false, 2, prepare_lower, wait_open, let_pass),
    CASE("condition-alone", false, 1, prepare_two, wait_open, let_pass, lock),
    CASE("condition", false, 2, prepare_two, wait_open, let_pass, lock),
    {0},
};
