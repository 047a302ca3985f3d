/* Deferred wake-up: a task that has woken another goes on, and leaves its processor in one of the ways there are. */
#include "script.h"

#include "heddle/channel.h"
#include "heddle/semaphore.h"
#include "kernel/command_line.h"
#include "sync/mutex.h"

#define OK(call) script_expect(#call, call, HEDDLE_OK, HEDDLE_OK)

static struct channel channel;
static uint64_t buffer[2], received;
static struct mutex mutex;
static struct semaphore semaphore;

static void prepare(void)
{
	command_line.defer = 1;
	explore_ignore(&semaphore.counters, sizeof semaphore.counters);
	explore_ignore(&mutex.owner, sizeof mutex.owner);
	explore_ignore(&mutex.counters, sizeof mutex.counters);
	explore_ignore(&mutex.deferral.deferred, 2 * sizeof mutex.deferral.deferred);
	explore_name(&mutex, sizeof mutex, "mutex");
	explore_name(&channel, sizeof channel, "channel");
	OK(channel_create(&channel, buffer, sizeof *buffer, 2));
}

static const char *check(void)
{
	bool is_idle = channel.served.word == 0 && !channel.senders.first && !channel.receivers.first;
	bool is_free = mutex.word == MUTEX_FREE && !mutex.first;
	return is_idle && is_free && received + channel.count == 2 ? NULL : "a task, or a message, is lost";
}

static void send(uint64_t message)
{
	OK(channel_send(&channel, &message));
}

static intptr_t send_two(void *unused)
{
	(void)unused;
	send(1);
	send(2);
	return 0;
}

static intptr_t send_and_check(void *unused)
{
	(void)unused;
	send(1);
	script_spend();
	send(2);
	return 0;
}

static intptr_t send_and_yield(void *unused)
{
	(void)unused;
	send(1);
	task_yield();
	send(2);
	return 0;
}

static intptr_t lock(void *unused)
{
	(void)unused;
	OK(mutex_lock(&mutex));
	script_alone();
	OK(mutex_unlock(&mutex));
	return 0;
}

/* No task is owed in place of another. */
static intptr_t send_and_lock(void *unused)
{
	(void)unused;
	send(1);
	lock(NULL);
	send(2);
	return 0;
}

static intptr_t send_and_release(void *unused)
{
	(void)unused;
	send(1);
	OK(semaphore_release(&semaphore, 1));
	send(2);
	return 0;
}

static bool has_received(void *unused)
{
	(void)unused;
	return received > 0;
}

/* Runs until the owed task has run. */
static intptr_t acquire_and_await(void *unused)
{
	(void)unused;
	OK(semaphore_acquire(&semaphore, 1));
	model_yield_until(has_received, NULL);
	return 0;
}

static void receive_next(void)
{
	uint64_t message = 0;
	OK(channel_receive(&channel, &message));
	received++;
}

static intptr_t receive(void *unused)
{
	(void)unused;
	receive_next();
	return 0;
}

static intptr_t receive_two(void *unused)
{
	(void)unused;
	receive_next();
	receive_next();
	return 0;
}

#define CASE(title, longer, ...) \
	SCRIPT_CASE("deferred_wake", title, 0, longer, 2, ALONE, prepare, check, __VA_ARGS__)

const struct explore_case explore_cases[] = {
    CASE("end", false, send_two, receive_two),
    CASE("check", false, send_and_check, receive_two),
    CASE("yield", false, send_and_yield, receive_two),
    CASE("two", false, send_two, receive, receive),
    CASE("lock", true, send_and_lock, lock, receive_two),
    CASE("exchange", false, send_and_release, acquire_and_await, receive_two),
    {0},
};
