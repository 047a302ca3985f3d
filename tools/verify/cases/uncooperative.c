/* Uncooperative sections: giving something up is left to the serving task, waiting is refused. */
#include "script.h"

#include "heddle/barrier.h"
#include "heddle/channel.h"
#include "heddle/condition.h"
#include "heddle/event.h"
#include "heddle/latch.h"
#include "heddle/reader_writer_lock.h"
#include "heddle/semaphore.h"
#include "sync/mutex.h"

#define OK(call)        script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)
#define OK_INSIDE(call) script_expect(#call, SCRIPT_INSIDE(call), HEDDLE_OK, HEDDLE_OK)

/* Whether it was not refused. */
static bool expect_or_refused(const char *what, enum heddle_error error)
{
	script_expect(what, error, HEDDLE_OK, HEDDLE_UNCOOPERATIVE);
	return error == HEDDLE_OK;
}

#define DONE_INSIDE(call) expect_or_refused(#call, SCRIPT_INSIDE(call))

static bool is_left(const struct served *served, const struct request_queue *waiting)
{
	return *(const uintptr_t *)served == 0 && !waiting->first && !waiting->last;
}

/* ---- semaphore ---- */

static struct semaphore semaphore;
static uint64_t permits; /* expected at the end */

static void prepare_semaphore(void)
{
	explore_name(&semaphore, sizeof semaphore, "semaphore");
	explore_name(&semaphore.state, sizeof semaphore.state, "permits");
	explore_name(&semaphore.served, sizeof semaphore.served, "word");
	script_watch(&semaphore.waiting, &semaphore.counters);
	explore_ignore(&semaphore.counters, sizeof semaphore.counters);
}

static void prepare_permit(void)
{
	prepare_semaphore();
	semaphore.state = 1 << 1;
	permits = 1;
}

static const char *check_semaphore(void)
{
	return is_left(&semaphore.served, &semaphore.waiting) && semaphore.state == permits << 1
	           ? NULL
	           : "the semaphore has not its permits, or a task is left";
}

static intptr_t take_permit(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	return 0;
}

static intptr_t take_permit_until(void *unused)
{
	(void)unused;
	enum heddle_error error = semaphore_acquire_until(&semaphore, 1, SOON);
	script_expect("semaphore_acquire_until()", error, HEDDLE_OK, HEDDLE_TIMED_OUT);
	permits += error != HEDDLE_OK;
	return 0;
}

static intptr_t give_permit_inside(void *unused)
{
	(void)unused;
	OK_INSIDE(semaphore_release(&semaphore, 1));
	return 0;
}

/* In one section: the second call comes while the first is left with the serving task. */
static intptr_t give_two_inside(void *unused)
{
	(void)unused;
	uncooperative_begin();
	OK(semaphore_release(&semaphore, 1));
	OK(semaphore_release(&semaphore, 1));
	uncooperative_end();
	return 0;
}

static intptr_t use_permit(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	script_alone();
	OK_INSIDE(semaphore_release(&semaphore, 1));
	return 0;
}

static intptr_t use_permit_inside(void *unused)
{
	(void)unused;
	if (DONE_INSIDE(semaphore_acquire(&semaphore, 1))) {
		script_alone();
		OK(semaphore_release(&semaphore, 1));
	}
	return 0;
}

/* ---- reader-writer lock ---- */

static struct reader_writer_lock lock;

static void prepare_lock(void)
{
	explore_name(&lock, sizeof lock, "lock");
	explore_name(&lock.state, sizeof lock.state, "lock.state");
	script_watch(&lock.first, &lock.counters);
	explore_ignore(&lock.counters, sizeof lock.counters);
}

static const char *check_lock(void)
{
	return lock.state == 0 && !lock.writer ? NULL : "the lock is not free";
}

static intptr_t read(void *unused)
{
	(void)unused;
	OK(reader_writer_lock_read(&lock));
	explore_pause();
	OK_INSIDE(reader_writer_lock_read_unlock(&lock));
	return 0;
}

static intptr_t write(void *unused)
{
	(void)unused;
	OK(reader_writer_lock_write(&lock));
	script_alone();
	OK_INSIDE(reader_writer_lock_write_unlock(&lock));
	return 0;
}

static intptr_t read_inside(void *unused)
{
	(void)unused;
	if (DONE_INSIDE(reader_writer_lock_read(&lock)))
		OK(reader_writer_lock_read_unlock(&lock));
	return 0;
}

static intptr_t write_inside(void *unused)
{
	(void)unused;
	if (DONE_INSIDE(reader_writer_lock_write(&lock))) {
		script_alone();
		OK(reader_writer_lock_write_unlock(&lock));
	}
	return 0;
}

/* ---- event, latch, barrier ---- */

static struct event event;
static struct latch latch = HEDDLE_LATCH_INITIALIZER(2);
static struct barrier barrier = HEDDLE_BARRIER_INITIALIZER(2);

static void prepare_gathering(void)
{
	script_watch(&event.waiting, &event.set);
	script_watch(&latch.waiting, &latch.count);
	script_watch(&barrier.waiting, &barrier.parties);
	script_watch(&barrier.arrived, &barrier + 1);
}

static const char *check_gathering(void)
{
	bool are_left = is_left(&event.served, &event.waiting) && is_left(&latch.served, &latch.waiting) &&
	                is_left(&barrier.served, &barrier.waiting) && barrier.arrived == 0;
	return are_left ? NULL : "a task is left";
}

static intptr_t wait_event(void *unused)
{
	(void)unused;
	OK(event_wait(&event));
	return 0;
}

static intptr_t wait_event_inside(void *unused)
{
	return DONE_INSIDE(event_wait(&event)) ? 0 : wait_event(unused);
}

static intptr_t set(void *unused)
{
	(void)unused;
	OK_INSIDE(event_set(&event));
	return 0;
}

static intptr_t count_down(void *unused)
{
	(void)unused;
	OK_INSIDE(latch_count_down(&latch, 1));
	return 0;
}

static intptr_t wait_latch(void *unused)
{
	(void)unused;
	if (!DONE_INSIDE(latch_wait(&latch)))
		OK(latch_wait(&latch));
	return 0;
}

/* The refused one was not counted. */
static intptr_t meet(void *unused)
{
	(void)unused;
	if (!DONE_INSIDE(barrier_wait(&barrier, NULL)))
		OK(barrier_wait(&barrier, NULL));
	return 0;
}

/* ---- mutex and condition ---- */

static struct mutex mutex;
static struct condition condition;
static unsigned items;

static void prepare_mutex(void)
{
	explore_name(&mutex, sizeof mutex, "mutex");
	explore_name(&condition, sizeof condition, "condition");
	script_watch(&condition.waiting, &condition + 1);
	script_watch(&mutex.first, &mutex.counters);
	explore_ignore(&mutex.owner, sizeof mutex.owner);
	explore_ignore(&mutex.counters, sizeof mutex.counters);
}

static const char *check_mutex(void)
{
	bool is_free = mutex.word == MUTEX_FREE && !mutex.first && is_left(&condition.served, &condition.waiting);
	return is_free ? NULL : "the mutex is not free, or a task is at the condition";
}

static intptr_t use_mutex(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	script_alone();
	OK_INSIDE(mutex_unlock(&mutex));
	return 0;
}

static intptr_t use_mutex_inside(void *unused)
{
	if (!DONE_INSIDE(mutex_lock(&mutex)))
		return use_mutex(unused);
	script_alone();
	OK(mutex_unlock(&mutex));
	return 0;
}

/* After a refusal it holds the mutex. */
static intptr_t take_item(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	if (items == 0 && DONE_INSIDE(condition_wait(&condition, &mutex)))
		explore_fail("a task has waited in an uncooperative section");
	while (items == 0)
		OK(condition_wait(&condition, &mutex));
	items--;
	OK(mutex_unlock(&mutex));
	return 0;
}

static intptr_t give_item(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	items++;
	uncooperative_begin();
	OK(mutex_unlock(&mutex));
	OK(condition_notify_one(&condition));
	uncooperative_end();
	return 0;
}

/* ---- channel ---- */

static struct channel channel;
static uint64_t buffer, sent, received;

static void prepare_channel(void)
{
	OK(channel_create(&channel, &buffer, sizeof buffer, 1));
	script_watch(&channel.senders, &channel + 1);
}

static const char *check_channel(void)
{
	bool is_idle = channel.served.word == 0 && !channel.senders.first && !channel.receivers.first;
	return is_idle && sent == received + channel.count ? NULL : "a task, or a message, is lost";
}

static intptr_t send_inside(void *unused)
{
	(void)unused;
	uint64_t message = 1;
	for (unsigned i = 0; i < 2; i++)
		sent += DONE_INSIDE(channel_send(&channel, &message));
	return 0;
}

static intptr_t receive_inside(void *unused)
{
	(void)unused;
	uint64_t message = 0;
	received += DONE_INSIDE(channel_receive(&channel, &message));
	return 0;
}

static intptr_t choose_inside(void *unused)
{
	(void)unused;
	uint64_t message = 0;
	size_t chosen;
	const struct channel_case receive = {&channel, false, &message};
	received += DONE_INSIDE(channel_select(&receive, 1, &chosen, HEDDLE_NO_DEADLINE));
	return 0;
}

#define CASE(title, longer, world, kind, ...) \
	SCRIPT_CASE("uncooperative", title, 0, longer, 2, world, prepare_##kind, check_##kind, __VA_ARGS__)
#define check_permit check_semaphore

const struct explore_case explore_cases[] = {
    CASE("semaphore", false, ALONE, semaphore, take_permit, give_permit_inside),
    CASE("semaphore-two", false, ALONE, semaphore, take_permit, give_two_inside, take_permit),
    CASE("semaphore-deadline", false, TIME, semaphore, take_permit_until, give_permit_inside),
    CASE("semaphore-refused", false, ALONE, permit, use_permit, use_permit_inside),
    CASE("semaphore-refused-three", true, ALONE, permit, use_permit, use_permit_inside, use_permit),
    CASE("read-write", false, ALONE, lock, read, write),
    CASE("read-two-write", true, ALONE, lock, read, write, read),
    CASE("read-refused", false, ALONE, lock, read_inside, write),
    CASE("write-refused", false, ALONE, lock, write_inside, read, write),
    CASE("event", false, ALONE, gathering, wait_event, set, wait_event_inside),
    CASE("latch", false, ALONE, gathering, count_down, wait_latch, count_down),
    CASE("barrier", false, ALONE, gathering, meet, meet),
    CASE("mutex", false, ALONE, mutex, use_mutex, use_mutex_inside),
    CASE("condition", false, ALONE, mutex, take_item, give_item),
    CASE("channel", false, ALONE, channel, send_inside, receive_inside),
    CASE("channel-select", false, ALONE, channel, send_inside, choose_inside, receive_inside),
    {0},
};
