/* Deadlines with the real timers: waits that end by them, or otherwise on another processor; and repeated waits.
 */
#include "sched/timer.c"

#include "arch.h"
#include "script.h"

#include "heddle/semaphore.h"

#define OK(call)     script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)
#define CLOCK_AT_END 2

static struct semaphore semaphore;
static unsigned missed, given;

static void prepare(void)
{
	timer_init();
	explore_name(&running, sizeof running, "running");
	explore_name(&semaphore, sizeof semaphore, "semaphore");
	explore_ignore(&semaphore.counters, sizeof semaphore.counters);
	for (unsigned i = 0; i < processor_count; i++)
		if (processors[i].scheduler) {
			struct scheduler *scheduler = processors[i].scheduler;
			explore_name(&scheduler->stopped_timers, sizeof scheduler->stopped_timers, "box%u", i);
		}
}

/* What was stopped elsewhere is still in the boxes. */
static const char *check(void)
{
	for (unsigned i = 0; i < processor_count; i++)
		if (processors[i].scheduler && timer_next(processors[i].scheduler) != UINT64_MAX)
			return "a timer is left";
	if (running)
		return "timers are counted, and none is left";
	return semaphore.state >> 1 == given - (2 - missed) ? NULL : "a permit is lost";
}

static const char *check_slept(void)
{
	given = 2;
	return check();
}

/* ---- time ---- */

/* No processor watches. */
void timer_watch_set(struct scheduler *scheduler, uint64_t deadline)
{
	(void)scheduler, (void)deadline;
}

bool model_timer_is_due(const struct scheduler *scheduler)
{
	return scheduler->timers && scheduler->timers->deadline <= model_clock;
}

void model_time_run(void)
{
	while (model_clock < CLOCK_AT_END) {
		explore_pause();
		model_clock++;
		explore_note("-- it is %lu", model_clock);
	}
}

/* ---- tasks ---- */

static void sleep_until(uint64_t deadline)
{
	OK(task_sleep_until(deadline));
	if (model_clock < deadline)
		explore_fail("a task was woken too early");
}

static void acquire_until(uint64_t deadline)
{
	enum heddle_error error = semaphore_acquire_until(&semaphore, 1, deadline);
	script_expect("semaphore_acquire_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	missed += error != HEDDLE_OK;
	if (error != HEDDLE_OK && model_clock < deadline)
		explore_fail("a wait has timed out too early");
}

static intptr_t sleep_one(void *unused)
{
	(void)unused;
	sleep_until(1);
	return 0;
}

static intptr_t sleep_two(void *unused)
{
	(void)unused;
	sleep_until(2);
	return 0;
}

static intptr_t sleep_twice(void *unused)
{
	sleep_one(unused);
	return sleep_two(unused);
}

static intptr_t acquire_one(void *unused)
{
	(void)unused;
	acquire_until(1);
	return 0;
}

static intptr_t acquire_two(void *unused)
{
	(void)unused;
	acquire_until(2);
	return 0;
}

/* The task's second timer is another one, or the first one again. */
static intptr_t acquire_twice(void *unused)
{
	acquire_one(unused);
	return acquire_two(unused);
}

static intptr_t acquire_then_sleep(void *unused)
{
	missed++;
	acquire_one(unused);
	return sleep_two(unused);
}

static intptr_t give(void *unused)
{
	(void)unused;
	given++;
	OK(semaphore_release(&semaphore, 1));
	return 0;
}

static intptr_t give_one_of_two(void *unused)
{
	missed++;
	return give(unused);
}

#define CASE(title, longer, count, last, ...) \
	SCRIPT_CASE("timer", title, 0, longer, count, TIME, prepare, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("sleep", false, 1, check_slept, sleep_two, sleep_one, sleep_twice),
    CASE("sleep-two", false, 2, check_slept, sleep_two, sleep_twice),
    CASE("stop", false, 2, check, acquire_one, give_one_of_two),
    CASE("stop-then-sleep", false, 2, check, acquire_then_sleep, give),
    CASE("stop-twice", true, 2, check, acquire_twice, give, give),
    CASE("stop-two", true, 2, check, acquire_one, acquire_two, give),
    CASE("stop-of-three", false, 1, check, acquire_one, sleep_two, give_one_of_two),
    {0},
};
