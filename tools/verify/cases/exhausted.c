/* Without memory: an operation that needs memory says so, has changed nothing, and can be tried again. */
#include "pool.h"
#include "script.h"

#include "heddle/barrier.h"
#include "heddle/channel.h"
#include "heddle/condition.h"
#include "heddle/event.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "sync/mutex.h"

#define OK(call) script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)

/* Whether there was memory for it. */
static bool expect_or_none(const char *what, enum heddle_error error)
{
	script_expect(what, error, HEDDLE_OK, HEDDLE_NO_MEMORY);
	return error == HEDDLE_OK;
}

#define DONE(call) expect_or_none(#call, call)

/* Left to the serving task or, if there is no memory for that, done later. */
#define GIVE(call)                      \
	do {                                \
		if (!DONE(SCRIPT_INSIDE(call))) \
			OK(call);                   \
	} while (0)

static bool is_left(const struct served *served, const struct request_queue *waiting)
{
	return *(const uintptr_t *)served == 0 && !waiting->first && !waiting->last;
}

/* ---- mutexes ---- */

static struct mutex mutex, other;
static struct condition condition;
static bool given;

static void prepare_mutexes(unsigned places)
{
	struct mutex *mutexes[] = {&mutex, &other};
	for (unsigned i = 0; i < 2; i++) {
		script_watch(&mutexes[i]->first, &mutexes[i]->counters);
		explore_ignore(&mutexes[i]->owner, sizeof mutexes[i]->owner);
		explore_ignore(&mutexes[i]->counters, sizeof mutexes[i]->counters);
	}
	script_watch(&condition.waiting, &condition + 1);
	model_pool_limit("waiters", places);
	model_pool_limit("requests", 0);
}

static void prepare_no_place(void)
{
	prepare_mutexes(0);
}

static void prepare_one_place(void)
{
	prepare_mutexes(1);
}

static void prepare_no_request(void)
{
	prepare_mutexes(3);
}

static void prepare_no_timer(void)
{
	prepare_mutexes(3);
	model_timer_none(true);
}

static const char *check_mutexes(void)
{
	bool are_free = mutex.word == MUTEX_FREE && !mutex.first && other.word == MUTEX_FREE && !other.first &&
	                is_left(&condition.served, &condition.waiting);
	return are_free ? NULL : "a mutex is not free, or a task is left at the condition";
}

static void use(void)
{
	script_alone();
	OK(mutex_unlock(&mutex));
}

static intptr_t lock(void *unused)
{
	(void)unused;
	if (DONE(mutex_lock(&mutex)))
		use();
	return 0;
}

static intptr_t lock_until(void *unused)
{
	(void)unused;
	if (DONE(mutex_lock_until(&mutex, SOON)))
		use();
	return 0;
}

static unsigned inside_other;

static void lock_other(void)
{
	OK(mutex_lock(&other));
	if (inside_other++)
		explore_fail("two tasks hold the other mutex");
}

static void unlock_other(void)
{
	explore_pause();
	inside_other--;
	OK(mutex_unlock(&other));
}

/* Its place is still in the queue when it cannot wait again, and it needs one elsewhere. */
static intptr_t lock_until_then_other(void *unused)
{
	enum heddle_error error = mutex_lock_until(&mutex, SOON);
	script_expect("mutex_lock_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	if (error == HEDDLE_OK)
		use();
	model_timer_none(true);
	lock_until(unused);
	lock_other();
	unlock_other();
	return 0;
}

static intptr_t lock_both(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	lock_other();
	use();
	unlock_other();
	return 0;
}

/* After a refusal it holds the mutex. */
static intptr_t wait_condition(void *unused)
{
	(void)unused;
	if (!DONE(mutex_lock(&mutex)))
		return 0;
	if (!given && DONE(condition_wait_until(&condition, &mutex, SOON)) && !given)
		explore_fail("a task was woken without a reason");
	while (!given && DONE(condition_wait(&condition, &mutex)))
		continue;
	use();
	return 0;
}

static intptr_t notify(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	given = true;
	use();
	GIVE(condition_notify_one(&condition));
	return 0;
}

/* ---- semaphore ---- */

static struct semaphore semaphore;
static unsigned missed;

static void prepare_semaphore(void)
{
	script_watch(&semaphore.waiting, &semaphore.counters);
	explore_ignore(&semaphore.counters, sizeof semaphore.counters);
	model_pool_limit("requests", 0);
	model_timer_none(true);
}

static void prepare_one_request(void)
{
	prepare_semaphore();
	model_pool_limit("requests", 1);
}

static const char *check_semaphore(void)
{
	return is_left(&semaphore.served, &semaphore.waiting) && semaphore.state == (uint64_t)missed << 1
	           ? NULL
	           : "a permit is lost, or a task is left";
}

#define check_one_request check_semaphore

static intptr_t take(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	return 0;
}

static intptr_t take_until(void *unused)
{
	(void)unused;
	missed += !DONE(semaphore_acquire_until(&semaphore, 1, SOON));
	return 0;
}

static intptr_t give(void *unused)
{
	(void)unused;
	GIVE(semaphore_release(&semaphore, 1));
	return 0;
}

static intptr_t give_two(void *unused)
{
	(void)unused;
	unsigned refused = 0;
	uncooperative_begin();
	for (unsigned i = 0; i < 2; i++)
		refused += !DONE(semaphore_release(&semaphore, 1));
	uncooperative_end();
	OK(semaphore_release(&semaphore, refused));
	return 0;
}

/* ---- reader-writer lock ---- */

static struct reader_writer_lock lock_of_both;

static void prepare_both(void)
{
	script_watch(&lock_of_both.first, &lock_of_both.counters);
	explore_ignore(&lock_of_both.counters, sizeof lock_of_both.counters);
	model_pool_limit("waiters", 1);
	model_pool_limit("requests", 0);
	model_timer_none(true);
}

static const char *check_both(void)
{
	return lock_of_both.state == 0 && !lock_of_both.writer ? NULL : "the lock is not free";
}

static void leave_reading(void)
{
	explore_pause();
	OK(reader_writer_lock_read_unlock(&lock_of_both));
	if (task_current()->locks.sections)
		explore_fail("it reads no more, and that counts still");
}

static void leave_writing(void)
{
	script_alone();
	OK(reader_writer_lock_write_unlock(&lock_of_both));
	if (task_current()->locks.sections)
		explore_fail("it writes no more, and that counts still");
}

static intptr_t read(void *unused)
{
	(void)unused;
	if (DONE(reader_writer_lock_read(&lock_of_both)))
		leave_reading();
	return 0;
}

static intptr_t write(void *unused)
{
	(void)unused;
	if (DONE(reader_writer_lock_write(&lock_of_both)))
		leave_writing();
	return 0;
}

static intptr_t write_until(void *unused)
{
	(void)unused;
	if (DONE(reader_writer_lock_write_until(&lock_of_both, SOON)))
		leave_writing();
	return 0;
}

/* ---- event, barrier, channel, sleep ---- */

static struct event event;
static struct barrier barrier = HEDDLE_BARRIER_INITIALIZER(2);
static struct channel channel;
static uint64_t buffer, sent, received;

static void prepare_rest(void)
{
	script_watch(&event.waiting, &event.set);
	script_watch(&barrier.waiting, &barrier.parties);
	script_watch(&barrier.arrived, &barrier + 1);
	OK(channel_create(&channel, &buffer, sizeof buffer, 1));
	script_watch(&channel.senders, &channel + 1);
	model_pool_limit("requests", 0);
	model_timer_none(true);
}

static const char *check_rest(void)
{
	bool are_left = is_left(&event.served, &event.waiting) && is_left(&barrier.served, &barrier.waiting) &&
	                barrier.arrived == 0 && is_left(&channel.served, &channel.senders) &&
	                !channel.receivers.first;
	return are_left && sent == received + channel.count ? NULL : "a task, or a message, is left";
}

static intptr_t wait_event(void *unused)
{
	(void)unused;
	if (!DONE(event_wait_until(&event, SOON)))
		OK(event_wait(&event));
	return 0;
}

static intptr_t set(void *unused)
{
	(void)unused;
	GIVE(event_set(&event));
	return 0;
}

static intptr_t meet(void *unused)
{
	(void)unused;
	if (!DONE(barrier_wait_until(&barrier, NULL, SOON)))
		OK(barrier_wait(&barrier, NULL));
	return 0;
}

static intptr_t send(void *unused)
{
	(void)unused;
	uint64_t message = 1;
	for (unsigned i = 0; i < 2; i++)
		sent += DONE(channel_send_until(&channel, &message, SOON));
	return 0;
}

static intptr_t receive(void *unused)
{
	(void)unused;
	uint64_t message = 0;
	received += DONE(channel_receive_until(&channel, &message, SOON));
	return 0;
}

static intptr_t choose(void *unused)
{
	(void)unused;
	uint64_t message = 0;
	size_t chosen;
	received += DONE(channel_select(&(struct channel_case){&channel, false, &message}, 1, &chosen, SOON));
	return 0;
}

static intptr_t sleep_until(void *unused)
{
	(void)unused;
	script_expect("task_sleep_until()", task_sleep_until(SOON), HEDDLE_NO_MEMORY, HEDDLE_NO_MEMORY);
	return 0;
}

#define CASE(title, world, first, last, ...) \
	SCRIPT_CASE("exhausted", title, 0, false, 2, world, prepare_##first, check_##last, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("mutex-no-place", ALONE, no_place, mutexes, lock, lock),
    CASE("mutex-one-place", ALONE, one_place, mutexes, lock, lock, lock),
    CASE("mutex-no-timer", ALONE, no_timer, mutexes, lock_until, lock, lock_until),
    CASE("mutex-place-in-the-queue", TIME, no_request, mutexes, lock_until_then_other, lock_both),
    CASE("condition-no-place", ALONE, no_place, mutexes, wait_condition, lock),
    CASE("condition-no-timer", ALONE, no_timer, mutexes, wait_condition, notify),
    CASE("semaphore-release", ALONE, semaphore, semaphore, take, give),
    CASE("semaphore-release-two", ALONE, one_request, one_request, take, give_two, take),
    CASE("semaphore-deadline", ALONE, semaphore, semaphore, take_until, give),
    CASE("read-write", ALONE, both, both, read, write),
    CASE("write-deadline", ALONE, both, both, write_until, write, read),
    CASE("event", ALONE, rest, rest, wait_event, set),
    CASE("barrier", ALONE, rest, rest, meet, meet),
    CASE("channel", ALONE, rest, rest, send, receive),
    CASE("channel-select", ALONE, rest, rest, send, choose, receive),
    CASE("sleep", ALONE, rest, rest, sleep_until),
    {0},
};
