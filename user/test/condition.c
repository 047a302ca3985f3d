/* The condition: notifications reach one or all, none is lost, the mutex is held again; monitors. */
#include "heddle/condition.h"

#include "user/crew.h"
#include "user/test/test.h"
#include "user/test/waiting.h"

#define WAITERS 10

struct monitor {
	struct mutex mutex;
	struct condition condition;
	unsigned inside, wrong;
	unsigned went; /* how many came back from waiting */
	size_t order[WAITERS];
};

/* The mutex gives no errors except those under test. */
static enum heddle_error wait_once(struct waiting *waiting)
{
	struct monitor *monitor = waiting->object;
	if (mutex_lock(&monitor->mutex) != HEDDLE_OK)
		return HEDDLE_BAD_ARGUMENT;
	enum heddle_error error = condition_wait_until(&monitor->condition, &monitor->mutex, waiting->deadline);
	monitor->wrong += monitor->inside++ != 0;
	if (error == HEDDLE_OK)
		monitor->order[monitor->went++] = waiting->number;
	task_yield();
	monitor->wrong += --monitor->inside != 0;
	return mutex_unlock(&monitor->mutex) == HEDDLE_OK ? error : HEDDLE_BAD_ARGUMENT;
}

static bool start_all(struct monitor *monitor, struct waiting waiting[WAITERS])
{
	for (unsigned i = 0; i < WAITERS; i++) {
		waiting[i] = (struct waiting){.wait = wait_once,
		                              .object = monitor,
		                              .number = i,
		                              .deadline = HEDDLE_NO_DEADLINE,
		                              .priority = HEDDLE_PRIORITY_IDLE + (int)(i % HEDDLE_PRIORITIES),
		                              .bound = i % 2,
		                              .processor = i};
		if (!waiting_start(&waiting[i]))
			return false;
	}
	return true;
}

static bool ended_well(struct monitor *monitor)
{
	return monitor->wrong == 0 && mutex_destroy(&monitor->mutex) == HEDDLE_OK &&
	       condition_destroy(&monitor->condition) == HEDDLE_OK;
}

/* One goes on for each notification, in the order in which they came, with the mutex held or not. */
TEST(condition, notify_one)
{
	for (int held = 0; held <= 1; held++) {
		struct monitor monitor = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, 0, 0, 0, {0}};
		struct waiting waiting[WAITERS];
		CHECK(start_all(&monitor, waiting));
		for (unsigned i = 0; i < WAITERS; i++) {
			if (held)
				CHECK_EQUAL(mutex_lock(&monitor.mutex), HEDDLE_OK);
			CHECK_EQUAL(condition_notify_one(&monitor.condition), HEDDLE_OK);
			if (held)
				CHECK_EQUAL(mutex_unlock(&monitor.mutex), HEDDLE_OK);
			CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
			CHECK_EQUAL(monitor.went, i + 1);
			CHECK_EQUAL(monitor.order[i], i);
		}
		CHECK(ended_well(&monitor));
	}
}

/* All move to the mutex's queue in order, behind the tasks that waited for it before. */
TEST(condition, notify_all)
{
	for (int held = 0; held <= 1; held++) {
		struct monitor monitor = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, 0, 0, 0, {0}};
		struct waiting waiting[WAITERS];
		CHECK(start_all(&monitor, waiting));
		if (held)
			CHECK_EQUAL(mutex_lock(&monitor.mutex), HEDDLE_OK);
		CHECK_EQUAL(condition_notify_all(&monitor.condition), HEDDLE_OK);
		if (held) {
			for (unsigned i = 0; i < 20; i++)
				task_yield();
			CHECK_EQUAL(monitor.went, 0);
			CHECK_EQUAL(mutex_unlock(&monitor.mutex), HEDDLE_OK);
		}
		for (unsigned i = 0; i < WAITERS; i++)
			CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
		for (unsigned i = 0; i < WAITERS; i++)
			CHECK_EQUAL(monitor.order[i], i);
		CHECK(ended_well(&monitor));
	}
}

/* A notification without a waiter is not kept. */
TEST(condition, is_not_kept)
{
	struct monitor monitor = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, 0, 0, 0, {0}};
	struct waiting waiting = {.wait = wait_once, .object = &monitor, .deadline = after(3)};
	CHECK_EQUAL(condition_notify_one(&monitor.condition), HEDDLE_OK);
	CHECK_EQUAL(condition_notify_all(&monitor.condition), HEDDLE_OK);
	CHECK(waiting_create(&waiting));
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_TIMED_OUT);
	CHECK(heddle_clock() >= waiting.deadline);
	CHECK(ended_well(&monitor));
}

/* A task that gives up holds the mutex again, and waits for it as long as that takes. */
TEST(condition, deadlines)
{
	struct monitor monitor = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, 0, 0, 0, {0}};
	struct waiting past = {.wait = wait_once, .object = &monitor, .deadline = 1};
	struct waiting soon = {.wait = wait_once, .object = &monitor, .deadline = after(20)};
	struct waiting late = {.wait = wait_once, .object = &monitor, .deadline = HEDDLE_NO_DEADLINE};
	CHECK(waiting_create(&past));
	CHECK_EQUAL(waiting_end(&past), HEDDLE_TIMED_OUT);
	CHECK(waiting_create(&soon));
	CHECK(waiting_start(&late));
	/* It has given up, or has not come yet: in both cases it needs the mutex, which we hold. */
	CHECK_EQUAL(mutex_lock(&monitor.mutex), HEDDLE_OK);
	CHECK_EQUAL(task_sleep_until(soon.deadline + 2 * MILLISECOND), HEDDLE_OK);
	CHECK_EQUAL(mutex_unlock(&monitor.mutex), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&soon), HEDDLE_TIMED_OUT);
	CHECK_EQUAL(monitor.went, 0);
	CHECK_EQUAL(condition_notify_one(&monitor.condition), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&late), HEDDLE_OK);
	CHECK(ended_well(&monitor));
}

struct box {
	struct mutex mutex;
	struct condition condition;
	bool filled;
};

static intptr_t fill(void *argument)
{
	struct box *box = argument;
	if (mutex_lock(&box->mutex) != HEDDLE_OK)
		return 1;
	box->filled = true;
	return mutex_unlock(&box->mutex) != HEDDLE_OK;
}

/* Each of these waits has ended before it begins; still the other task gets the mutex between two of them. */
TEST(condition, late_deadlines_let_others_in)
{
	struct box box = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, false};
	struct task *task;
	intptr_t failed;
	CHECK_EQUAL(mutex_lock(&box.mutex), HEDDLE_OK);
	CHECK_EQUAL(task_create(&task, fill, &box, NULL), HEDDLE_OK);
	CHECK_EQUAL(task_sleep_until(heddle_clock() + 2 * MILLISECOND),
	            HEDDLE_OK); /* it waits for the mutex now */
	for (unsigned turn = 0; turn < 1000000 && !box.filled; turn++)
		CHECK_EQUAL(condition_wait_until(&box.condition, &box.mutex, 1), HEDDLE_TIMED_OUT);
	CHECK(box.filled);
	CHECK_EQUAL(mutex_unlock(&box.mutex), HEDDLE_OK);
	CHECK_EQUAL(task_join(task, &failed), HEDDLE_OK);
	CHECK_EQUAL(failed, 0);
	CHECK_EQUAL(mutex_destroy(&box.mutex), HEDDLE_OK);
}

/* A waiter whose wait ended otherwise takes no notification from one that still waits. */
TEST(condition, notification_goes_past_tasks_that_gave_up)
{
	for (unsigned round = 0; round < 50; round++) {
		struct monitor monitor = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, 0, 0, 0, {0}};
		struct waiting first = {
		    .wait = wait_once, .object = &monitor, .number = 1, .deadline = HEDDLE_NO_DEADLINE};
		struct waiting second = {
		    .wait = wait_once, .object = &monitor, .number = 2, .deadline = HEDDLE_NO_DEADLINE};
		CHECK(waiting_start(&first));
		CHECK(waiting_start(&second));
		/* The first may or may not run before the notification. */
		CHECK_EQUAL(task_cancel(first.task), HEDDLE_OK);
		CHECK_EQUAL(condition_notify_one(&monitor.condition), HEDDLE_OK);
		CHECK_EQUAL(waiting_end(&first), HEDDLE_CANCELLED);
		uint64_t end = heddle_clock() + PATIENCE / 10;
		while (task_waits(second.task) && heddle_clock() < end)
			task_yield();
		bool notified = !task_waits(second.task);
		if (!notified)
			condition_notify_all(&monitor.condition);
		CHECK_EQUAL(waiting_end(&second), HEDDLE_OK);
		CHECK(notified);
		CHECK(ended_well(&monitor));
	}
}

struct own_mutexes {
	struct mutex mutexes[WAITERS];
	struct condition condition;
	_Atomic unsigned went;
};

static enum heddle_error wait_with_own(struct waiting *waiting)
{
	struct own_mutexes *own = waiting->object;
	struct mutex *mutex = &own->mutexes[waiting->number];
	if (mutex_lock(mutex) != HEDDLE_OK)
		return HEDDLE_BAD_ARGUMENT;
	enum heddle_error error = condition_wait(&own->condition, mutex);
	atomic_fetch_add(&own->went, 1);
	return mutex_unlock(mutex) == HEDDLE_OK ? error : HEDDLE_BAD_ARGUMENT;
}

/* Each waiter has its own mutex: those with a free mutex go on, the others when theirs is free. */
TEST(condition, with_several_mutexes)
{
	struct own_mutexes own = {.condition = HEDDLE_CONDITION_INITIALIZER};
	struct waiting waiting[WAITERS];
	for (unsigned i = 0; i < WAITERS; i++) {
		waiting[i] = (struct waiting){
		    .wait = wait_with_own, .object = &own, .number = i, .bound = i % 3 == 0, .processor = i};
		CHECK(waiting_start(&waiting[i]));
	}
	for (unsigned i = 0; i < WAITERS; i += 2)
		CHECK_EQUAL(mutex_lock(&own.mutexes[i]), HEDDLE_OK);
	CHECK_EQUAL(condition_notify_all(&own.condition), HEDDLE_OK);
	for (unsigned i = 1; i < WAITERS; i += 2)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK_EQUAL(atomic_load(&own.went), WAITERS / 2);
	for (unsigned i = 0; i < WAITERS; i += 2) {
		CHECK_EQUAL(mutex_unlock(&own.mutexes[i]), HEDDLE_OK);
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	}
	CHECK_EQUAL(condition_destroy(&own.condition), HEDDLE_OK);
}

/* A debug build panics: user/demo/misbehave.c. */
#ifndef HEDDLE_DEBUG
TEST(condition, misuse_changes_nothing)
{
	struct monitor monitor = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, 0, 0, 0, {0}};
	struct waiting waiting = {.wait = wait_once, .object = &monitor, .deadline = HEDDLE_NO_DEADLINE};
	CHECK_EQUAL(condition_wait(&monitor.condition, &monitor.mutex), HEDDLE_NOT_OWNER);
	CHECK(waiting_start(&waiting));
	CHECK_EQUAL(condition_destroy(&monitor.condition), HEDDLE_IN_USE);
	CHECK_EQUAL(condition_notify_one(&monitor.condition), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting), HEDDLE_OK);
	CHECK(ended_well(&monitor));
}
#endif

/* -------------------------------------------------------------------------- uncooperative regions, ends --
 */

static enum heddle_error wait_inside(struct waiting *waiting)
{
	struct monitor *monitor = waiting->object;
	return condition_wait(&monitor->condition, &monitor->mutex);
}

static enum heddle_error notify_inside(struct waiting *waiting)
{
	struct monitor *monitor = waiting->object;
	return condition_notify_all(&monitor->condition);
}

TEST(condition, uncooperative_regions)
{
	struct monitor monitor = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, 0, 0, 0, {0}};
	struct waiting waiting[WAITERS], inside = {.wait = wait_inside, .object = &monitor};
	CHECK_EQUAL(mutex_lock(&monitor.mutex), HEDDLE_OK);
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_UNCOOPERATIVE);
	CHECK_EQUAL(mutex_unlock(&monitor.mutex), HEDDLE_OK);
	CHECK(start_all(&monitor, waiting));
	inside.wait = notify_inside;
	CHECK_EQUAL(uncooperatively(&inside), HEDDLE_OK);
	for (unsigned i = 0; i < WAITERS; i++)
		CHECK_EQUAL(waiting_end(&waiting[i]), HEDDLE_OK);
	CHECK(ended_well(&monitor));
}

static enum heddle_error end_inside(struct waiting *waiting)
{
	struct monitor *monitor = waiting->object;
	mutex_lock(&monitor->mutex);
	condition_notify_all(&monitor->condition);
	return HEDDLE_OK;
}

static enum heddle_error wait_and_repair(struct waiting *waiting)
{
	struct monitor *monitor = waiting->object;
	mutex_lock(&monitor->mutex);
	enum heddle_error error = condition_wait(&monitor->condition, &monitor->mutex);
	mutex_repair(&monitor->mutex);
	mutex_unlock(&monitor->mutex);
	return error;
}

/* A task that comes back from waiting is told that a holder has ended. */
TEST(condition, holder_ends)
{
	struct monitor monitor = {HEDDLE_MUTEX_INITIALIZER, HEDDLE_CONDITION_INITIALIZER, 0, 0, 0, {0}};
	struct waiting waiting[2], ends = {.wait = end_inside, .object = &monitor};
	for (unsigned i = 0; i < 2; i++) {
		waiting[i] = (struct waiting){.wait = wait_and_repair, .object = &monitor};
		CHECK(waiting_start(&waiting[i]));
	}
	CHECK(waiting_create(&ends));
	CHECK_EQUAL(waiting_end(&ends), HEDDLE_OK);
	CHECK_EQUAL(waiting_end(&waiting[0]), HEDDLE_OWNER_DIED);
	CHECK_EQUAL(waiting_end(&waiting[1]), HEDDLE_OK);
	CHECK(ended_well(&monitor));
}

/* ------------------------------------------------------------------------------------------ monitors -- */

#define PLACES   3
#define MEMBERS  16 /* half of them put, half take */
#define MESSAGES 150

/* A bounded buffer. */
struct buffer {
	struct mutex mutex;
	struct condition not_full, not_empty;
	unsigned count, wrong;
	uint64_t sum;
	bool all, deadlines; /* how to notify and to wait */
};

static void wait_until_right(struct buffer *buffer, struct condition *condition, unsigned wrong_count)
{
	while (buffer->count == wrong_count) {
		enum heddle_error error = condition_wait_until(
		    condition, &buffer->mutex, buffer->deadlines ? heddle_clock() + 20000 : HEDDLE_NO_DEADLINE);
		buffer->wrong += error != HEDDLE_OK && error != HEDDLE_TIMED_OUT;
	}
}

static void notify(struct buffer *buffer, struct condition *condition)
{
	if (buffer->all)
		condition_notify_all(condition);
	else
		condition_notify_one(condition);
}

static intptr_t use_buffer(size_t number, void *argument)
{
	struct buffer *buffer = argument;
	for (unsigned i = 0; i < MESSAGES; i++) {
		if (mutex_lock(&buffer->mutex) != HEDDLE_OK)
			return 0;
		if (number % 2) {
			wait_until_right(buffer, &buffer->not_full, PLACES);
			buffer->wrong += buffer->count++ >= PLACES;
			notify(buffer, &buffer->not_empty);
		} else {
			wait_until_right(buffer, &buffer->not_empty, 0);
			buffer->wrong += buffer->count-- == 0;
			notify(buffer, &buffer->not_full);
		}
		mutex_unlock(&buffer->mutex);
	}
	return 1;
}

TEST(condition, bounded_buffer)
{
	for (unsigned round = 0; round < 8; round++) {
		struct buffer buffer = {.all = round & 1, .deadlines = round & 2};
		struct crew crew = {
		    .function = use_buffer, .argument = &buffer, .count = MEMBERS, .bound = round & 4};
		intptr_t done = 0;
		CHECK_EQUAL(crew_create(&crew), HEDDLE_OK);
		crew_start(&crew);
		CHECK_EQUAL(crew_join(&crew, &done), HEDDLE_OK);
		CHECK_EQUAL(done, MEMBERS);
		CHECK_EQUAL(buffer.wrong, 0);
		CHECK_EQUAL(buffer.count, 0);
		CHECK_EQUAL(condition_destroy(&buffer.not_full), HEDDLE_OK);
		CHECK_EQUAL(mutex_destroy(&buffer.mutex), HEDDLE_OK);
	}
}
