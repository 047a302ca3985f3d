/* Tasks that wait for each other: barrier, latch and event. */
#include "script.h"

#include "heddle/barrier.h"
#include "heddle/event.h"
#include "heddle/latch.h"

#define OK_OR(call, other) script_expect(#call, call, HEDDLE_OK, other)
#define OK(call)           OK_OR(call, HEDDLE_OK)

static void name_served(const struct served *served)
{
	explore_name(served, sizeof *served, "word");
}

static bool is_left(const struct served *served, const struct request_queue *waiting)
{
	return *(const uintptr_t *)served == 0 && !waiting->first && !waiting->last;
}

/* ---- barrier ---- */

static struct barrier barrier;
static unsigned came, lasts, went;

static void prepare_barrier(unsigned parties)
{
	barrier.parties = parties;
	explore_name(&barrier, sizeof barrier, "barrier");
	script_watch(&barrier.waiting, &barrier.parties);
	script_watch(&barrier.arrived, &barrier + 1);
	name_served(&barrier.served);
}

static void prepare_barrier_two(void)
{
	prepare_barrier(2);
}

static void prepare_barrier_three(void)
{
	prepare_barrier(3);
}

static const char *check_barrier(void)
{
	return is_left(&barrier.served, &barrier.waiting) && barrier.arrived == 0 &&
	               lasts * barrier.parties == went
	           ? NULL
	           : "a task is left at the barrier, or not one of all was told to be the last";
}

static intptr_t meet(void *unused)
{
	(void)unused;
	bool last;
	came++;
	OK(barrier_wait(&barrier, &last));
	lasts += last;
	went++;
	if (came < barrier.parties)
		explore_fail("the barrier lets go too early");
	return 0;
}

/* Two pass together; the third gives up, or meets one that comes again. */
static intptr_t meet_until(void *unused)
{
	(void)unused;
	bool last = false;
	enum heddle_error error = barrier_wait_until(&barrier, &last, SOON);
	script_expect("barrier_wait_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		went++;
	else if (last)
		explore_fail("it gave up, and was the last");
	lasts += last;
	return 0;
}

/* The last one's call has returned; the others have made their last calls. */
static intptr_t meet_and_free(void *unused)
{
	(void)unused;
	bool last;
	OK(barrier_wait(&barrier, &last));
	if (last)
		explore_free(&barrier, sizeof barrier);
	return 0;
}

/* The first that goes frees it: the others have come, and only the one that lets them go may still be there. */
static intptr_t meet_kept(void *unused)
{
	(void)unused;
	bool last;
	OK(barrier_wait_kept(&barrier, &last));
	if (went++ == 0) {
		while (barrier_quiesce(&barrier) == HEDDLE_CANCELLED)
			continue;
		explore_drain();
		explore_free(&barrier, sizeof barrier);
	}
	return 0;
}

/* ---- latch ---- */

static struct latch latch;
static unsigned counted;

static void prepare_latch(void)
{
	latch.count = 2;
	explore_name(&latch, sizeof latch, "latch");
	script_watch(&latch.waiting, &latch.count);
	explore_name(&latch.count, sizeof latch.count, "latch.count");
	name_served(&latch.served);
}

static void prepare_latch_one(void)
{
	prepare_latch();
	latch.count = 1;
}

static const char *check_latch(void)
{
	return is_left(&latch.served, &latch.waiting) && latch.count == 0 ? NULL : "a task is left at the latch";
}

static intptr_t count_down(void *unused)
{
	(void)unused;
	counted++;
	OK(latch_count_down(&latch, 1));
	return 0;
}

static intptr_t wait_latch(void *unused)
{
	(void)unused;
	OK(latch_wait(&latch));
	if (counted < 2)
		explore_fail("the latch opens too early");
	return 0;
}

static intptr_t wait_latch_until(void *unused)
{
	(void)unused;
	OK_OR(latch_wait_until(&latch, SOON), HEDDLE_TIMED_OUT);
	return 0;
}

static intptr_t wait_latch_and_free(void *unused)
{
	(void)unused;
	OK(latch_wait(&latch));
	explore_free(&latch, sizeof latch);
	return 0;
}

static intptr_t wait_latch_until_and_free(void *unused)
{
	(void)unused;
	enum heddle_error error = latch_wait_until(&latch, SOON);
	script_expect("latch_wait_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		explore_free(&latch, sizeof latch);
	return 0;
}

/* ---- event ---- */

static struct event event;

static void prepare_event(void)
{
	explore_name(&event, sizeof event, "event");
	script_watch(&event.waiting, &event.set);
	explore_name(&event.set, sizeof event.set, "event.set");
	name_served(&event.served);
}

static const char *check_event(void)
{
	return is_left(&event.served, &event.waiting) ? NULL : "a task is left at the event";
}

static intptr_t set(void *unused)
{
	(void)unused;
	OK(event_set(&event));
	return 0;
}

static intptr_t reset_then_set(void *unused)
{
	(void)unused;
	OK(event_reset(&event));
	OK(event_set(&event));
	return 0;
}

static intptr_t wait_event(void *unused)
{
	(void)unused;
	OK(event_wait(&event));
	return 0;
}

static intptr_t wait_event_until(void *unused)
{
	(void)unused;
	OK_OR(event_wait_until(&event, SOON), HEDDLE_TIMED_OUT);
	return 0;
}

static intptr_t wait_event_and_free(void *unused)
{
	(void)unused;
	OK(event_wait(&event));
	explore_free(&event, sizeof event);
	return 0;
}

static intptr_t wait_event_until_and_free(void *unused)
{
	(void)unused;
	enum heddle_error error = event_wait_until(&event, SOON);
	script_expect("event_wait_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		explore_free(&event, sizeof event);
	return 0;
}

static unsigned passed;

/* The last one frees it: then all have passed. */
static intptr_t wait_event_and_free_last(void *unused)
{
	(void)unused;
	OK(event_wait(&event));
	if (++passed == 2)
		explore_free(&event, sizeof event);
	return 0;
}

#define CASE(title, limit, longer, count, world, first, last, ...) \
	SCRIPT_CASE("gathering", title, limit, longer, count, world, first, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("barrier-two", 0, false, 2, ALONE, prepare_barrier_two, check_barrier, meet, meet),
    CASE("barrier-three", 0, false, 2, ALONE, prepare_barrier_three, check_barrier, meet, meet, meet),
    CASE("barrier-deadline", 0, false, 2, TIME, prepare_barrier_two, check_barrier, meet_until, meet_until),
    CASE("barrier-freed", 0, false, 2, ALONE, prepare_barrier_two, NULL, meet_and_free, meet_and_free),
    CASE("barrier-quiesced", 0, false, 2, ALONE, prepare_barrier_three, NULL, meet_kept, meet_kept,
         meet_kept),
    CASE("barrier-cancel", 0, false, 2, CANCEL, prepare_barrier_two, NULL, meet_kept, meet_kept),
    CASE("latch", 0, false, 2, ALONE, prepare_latch, check_latch, count_down, wait_latch, count_down),
    CASE("latch-deadline", 0, false, 2, TIME, prepare_latch_one, check_latch, wait_latch_until, count_down),
    CASE("latch-freed-after-two", 0, false, 2, ALONE, prepare_latch, NULL, wait_latch_and_free, count_down,
         count_down),
    CASE("latch-freed", 0, false, 2, ALONE, prepare_latch_one, NULL, wait_latch_and_free, count_down),
    CASE("latch-freed-deadline", 0, false, 2, TIME, prepare_latch_one, NULL, wait_latch_until_and_free,
         count_down),
    CASE("event", 0, false, 2, ALONE, prepare_event, check_event, wait_event, set),
    CASE("event-reset", 0, false, 2, ALONE, prepare_event, check_event, wait_event, reset_then_set,
         wait_event),
    CASE("event-deadline", 0, false, 2, TIME, prepare_event, check_event, wait_event_until, set),
    CASE("event-freed", 0, false, 2, ALONE, prepare_event, NULL, wait_event_and_free, set),
    CASE("event-freed-by-last", 0, false, 2, ALONE, prepare_event, NULL, wait_event_and_free_last, set,
         wait_event_and_free_last),
    CASE("event-freed-deadline", 0, false, 2, TIME, prepare_event, NULL, wait_event_until_and_free, set),
    {0},
};
