/* The semaphore: one permit as a lock, several, deadlines, cancellation, and its end. */
#include "script.h"

#include "heddle/semaphore.h"

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

static struct semaphore semaphore;
static unsigned inside, inside_most;

static void prepare_semaphore(uint64_t permits)
{
	semaphore.state = permits << 1;
	inside_most = (unsigned)permits;
	explore_name(&semaphore, sizeof semaphore, "semaphore");
	explore_name(&semaphore.state, sizeof semaphore.state, "permits");
	name_served(&semaphore.served);
	script_watch(&semaphore.waiting, &semaphore.counters);
	explore_ignore(&semaphore.counters, sizeof semaphore.counters);
}

static void prepare_none(void)
{
	prepare_semaphore(0);
}

static void prepare_one(void)
{
	prepare_semaphore(1);
}

static void prepare_two(void)
{
	prepare_semaphore(2);
}

static const char *check_permits(uint64_t permits)
{
	return is_left(&semaphore.served, &semaphore.waiting) && semaphore.state == permits << 1
	           ? NULL
	           : "the semaphore has not its permits, or a task is left";
}

static const char *check_none(void)
{
	return check_permits(0);
}

static const char *check_one(void)
{
	return check_permits(1);
}

static const char *check_two(void)
{
	return check_permits(2);
}

/* Use that many permits for a while. */
static void use_permits(unsigned count)
{
	inside += count;
	if (inside > inside_most)
		explore_fail("more permits are in use than there are");
	explore_pause();
	inside -= count;
	OK(semaphore_release(&semaphore, count));
}

static intptr_t acquire(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	use_permits(1);
	return 0;
}

static intptr_t acquire_two(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 2));
	use_permits(2);
	return 0;
}

static intptr_t acquire_until(void *unused)
{
	(void)unused;
	enum heddle_error error = semaphore_acquire_until(&semaphore, 1, SOON);
	script_expect("semaphore_acquire_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		use_permits(1);
	return 0;
}

static intptr_t acquire_two_until(void *unused)
{
	(void)unused;
	enum heddle_error error = semaphore_acquire_until(&semaphore, 2, SOON);
	script_expect("semaphore_acquire_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		use_permits(2);
	return 0;
}

static intptr_t acquire_cancelled(void *unused)
{
	(void)unused;
	enum heddle_error error = semaphore_acquire(&semaphore, 1);
	script_expect("semaphore_acquire()", error, HEDDLE_OK, HEDDLE_CANCELLED);
	if (error == HEDDLE_OK)
		use_permits(1);
	return 0;
}

/* No permit is released. */
static intptr_t wait_until_cancelled(void *unused)
{
	(void)unused;
	OK_OR(semaphore_acquire(&semaphore, 1), HEDDLE_CANCELLED);
	return 0;
}

static intptr_t take_one(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	return 0;
}

static intptr_t give_two(void *unused)
{
	(void)unused;
	OK(semaphore_release(&semaphore, 2));
	return 0;
}

static intptr_t give_one(void *unused)
{
	(void)unused;
	OK(semaphore_release(&semaphore, 1));
	return 0;
}

/* The task that finds, under the semaphore, that all others have made their last call frees its memory. */
static unsigned users;

static void use_semaphore_and_leave(void)
{
	script_alone();
	bool last = ++users == 3;
	OK(semaphore_release(&semaphore, 1));
	if (last)
		explore_free(&semaphore, sizeof semaphore);
}

static intptr_t acquire_and_leave(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	use_semaphore_and_leave();
	return 0;
}

static intptr_t acquire_until_and_leave(void *unused)
{
	(void)unused;
	if (semaphore_acquire_until(&semaphore, 1, SOON) != HEDDLE_OK)
		OK(semaphore_acquire(&semaphore, 1));
	use_semaphore_and_leave();
	return 0;
}

/* As a completion: the task that takes the last permit is the last user, once the one that gave up has returned. */
static bool gave_up;

static intptr_t acquire_until_and_tell(void *unused)
{
	(void)unused;
	if (semaphore_acquire_until(&semaphore, 1, SOON) == HEDDLE_OK)
		OK(semaphore_release(&semaphore, 1));
	gave_up = true;
	return 0;
}

static intptr_t take_one_and_free(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	if (gave_up)
		explore_free(&semaphore, sizeof semaphore);
	return 0;
}

/* As a program that tries first (user/posix/). */
static intptr_t take_and_quiesce(void *unused)
{
	(void)unused;
	if (semaphore_try_acquire(&semaphore, 1) != HEDDLE_OK)
		OK(semaphore_acquire(&semaphore, 1));
	OK(semaphore_quiesce(&semaphore));
	explore_drain();
	explore_free(&semaphore, sizeof semaphore);
	return 0;
}

#define CASE(title, limit, longer, count, world, first, last, ...) \
	SCRIPT_CASE("semaphore", title, limit, longer, count, world, first, last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("two", 0, false, 2, ALONE, prepare_one, check_one, acquire, acquire),
    CASE("three", 0, false, 2, ALONE, prepare_one, check_one, acquire, acquire, acquire),
    CASE("many", 0, false, 2, ALONE, prepare_two, check_two, acquire, acquire_two, acquire),
    CASE("give-two", 0, false, 2, ALONE, prepare_none, check_none, take_one, take_one, give_two),
    CASE("give-each", 0, false, 2, ALONE, prepare_none, check_one, give_one, take_one, give_one),
    CASE("deadline", 0, false, 2, TIME, prepare_one, check_one, acquire_until, acquire),
    CASE("deadline-many", 0, true, 2, TIME, prepare_two, check_two, acquire_two_until, acquire, acquire),
    CASE("deadline-three", 0, false, 2, TIME, prepare_one, check_one, acquire_until, acquire, acquire),
    CASE("cancel", 0, false, 2, CANCEL, prepare_one, check_one, acquire_cancelled, acquire),
    CASE("cancel-alone", 0, false, 2, CANCEL, prepare_none, check_none, wait_until_cancelled),
    CASE("quiesced", 0, false, 2, ALONE, prepare_none, NULL, take_and_quiesce, give_one),
    CASE("freed", 0, false, 2, ALONE, prepare_one, NULL, acquire_and_leave, acquire_and_leave,
         acquire_and_leave),
    CASE("freed-deadline", 0, true, 2, TIME, prepare_one, NULL, acquire_until_and_leave, acquire_and_leave,
         acquire_and_leave),
    CASE("freed-completion", 0, false, 2, TIME, prepare_none, NULL, acquire_until_and_tell, give_one,
         take_one_and_free),
    {0},
};
