/*
 * Programs that go wrong on purpose, to show what Heddle reports.
 */
#include "heddle/event.h"
#include "heddle/latch.h"
#include "heddle/mutex.h"
#include "heddle/program.h"
#include "heddle/qd_lock.h"
#include "heddle/semaphore.h"
#include "heddle/system.h"
#include "heddle/task.h"
#include "kernel/panic.h"

enum {
	FAULT,
	OVERFLOW,
	DEADLOCK,
	STUCK,
	PANIC,
	KERNEL_FAULT,
	YIELD,
	END,
	RELOCK,
	UNLOCK,
	DESTROY,
	RELEASE,
	COUNT_DOWN,
	END_HOLDING,
	CIRCLE,
	SWITCH_IN_SECTION,
	NEVER_CLOSE,
	CLOSE_TWICE,
	DELEGATE_TOO_MUCH,
	UNLOCK_DELEGATION,
	DELETE_TWICE,
	DELETE_FOREIGN
};

static intptr_t write_nowhere(void *address)
{
	*(volatile uint64_t *)address = 1;
	return 0;
}

/* Recurse deeper than any stack. */
static intptr_t recurse(void *depth)
{
	volatile char frame[64];
	frame[0] = 1;
	if ((uintptr_t)depth == 1000000)
		return 0;
	return recurse((char *)depth + 1) + frame[0];
}

/* `foreign`: memory that heddle_new() has not made; NULL: give an object back twice. */
static intptr_t delete_wrongly(void *foreign)
{
	char *object = foreign ? (char *)foreign + 64 : heddle_new(100);
	if (!foreign)
		heddle_delete(object);
	heddle_delete(object);
	return 0;
}

static intptr_t wait_for_nobody(void *unused)
{
	(void)unused;
	task_suspend();
	return 0;
}

/* Two tasks lock two mutexes, in opposite order. */
static struct pair {
	struct mutex first, second;
	struct event both_are_held;
} pair;

static intptr_t take_second_first(void *unused)
{
	(void)unused;
	mutex_lock(&pair.second);
	event_set(&pair.both_are_held);
	mutex_lock(&pair.first);
	return 0;
}

static bool wait_in_circle(void)
{
	struct task *task;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = "contrary";
	pair = (struct pair){HEDDLE_MUTEX_INITIALIZER, HEDDLE_MUTEX_INITIALIZER, HEDDLE_EVENT_INITIALIZER};
	mutex_lock(&pair.first);
	if (task_create(&task, take_second_first, NULL, &options) != HEDDLE_OK)
		return false;
	event_wait(&pair.both_are_held);
	mutex_lock(&pair.second);
	return true;
}

/* Reaches no check of its quantum. */
HEDDLE_UNCOOPERATIVE_FUNCTION static intptr_t stay_busy(void *end)
{
	while (heddle_clock() < *(const uint64_t *)end)
		continue;
	return 0;
}

/* Called where nothing may switch; through a pointer, so that the compiler does not see it. */
static void (*volatile leave)(void) = task_yield;

static intptr_t yield_uncooperative(void *unused)
{
	(void)unused;
	uncooperative_begin();
	leave();
	uncooperative_end();
	return 0;
}

static intptr_t end_without_begin(void *unused)
{
	(void)unused;
	uncooperative_begin();
	uncooperative_end();
	uncooperative_end();
	return 0;
}

/* Misuse of locks: a panic in debug builds, an error code in others. */
static intptr_t lock_twice(void *mutex)
{
	mutex_lock(mutex);
	return mutex_lock(mutex);
}

static intptr_t unlock_anyway(void *mutex)
{
	return mutex_unlock(mutex);
}

static intptr_t destroy_held(void *mutex)
{
	mutex_lock(mutex);
	return mutex_destroy(mutex);
}

static intptr_t release_too_many(void *unused)
{
	struct semaphore semaphore = HEDDLE_SEMAPHORE_INITIALIZER(1);
	(void)unused;
	return semaphore_release(&semaphore, HEDDLE_SEMAPHORE_MAXIMUM);
}

static intptr_t count_too_far_down(void *unused)
{
	struct latch latch = HEDDLE_LATCH_INITIALIZER(2);
	(void)unused;
	return latch_count_down(&latch, 3);
}

static intptr_t lock_and_end(void *mutex)
{
	mutex_lock(mutex);
	return 0;
}

/* Misuse of delegation. */
static struct qd_slot slots[4];
static struct qd_lock delegation = HEDDLE_QD_LOCK_INITIALIZER(slots, 4, HEDDLE_QD_LIMIT);

static void yield_in_section(size_t size, void *message)
{
	(void)size, (void)message;
	void (*volatile yield)(void) = task_yield; /* otherwise the compiler sees it */
	yield();
	(void)yield; /* the call must not be the last statement: then the function is in the back trace */
}

static void do_nothing(size_t size, void *message)
{
	(void)size, (void)message;
}

static intptr_t switch_in_section(void *lock)
{
	return qd_delegate(lock, yield_in_section, 0, NULL);
}

static intptr_t never_close(void *lock)
{
	void *buffer;
	qd_lock(lock);
	qd_delegate_or_lock(lock, 8, &buffer);
	task_yield();
	return 0;
}

static intptr_t close_twice(void *lock)
{
	void *buffer;
	qd_lock(lock);
	qd_delegate_or_lock(lock, 8, &buffer);
	qd_close_buffer(lock, buffer, do_nothing);
	return qd_close_buffer(lock, buffer, do_nothing) + qd_unlock(lock);
}

static intptr_t delegate_too_much(void *lock)
{
	static unsigned char message[sizeof(slots)];
	return qd_delegate(lock, do_nothing, sizeof(message), message);
}

static intptr_t unlock_delegation(void *lock)
{
	return qd_unlock(lock);
}

/* Create the task, wait for its end, and log how it ended. */
static bool run_task(struct program_run *run, const char *name, task_function function, void *argument)
{
	struct task *task;
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.name = name;
	options.stack_size = 65536;
	enum heddle_error error = task_create(&task, function, argument, &options);
	if (error != HEDDLE_OK)
		return program_failed(run, "no task: %s", heddle_error_text(error));
	error = task_join(task, NULL);
	heddle_log("the task was joined: %s", heddle_error_text(error));
	return true;
}

static bool misuse_lock(struct program_run *run, uint64_t how)
{
	static struct mutex mutex;
	switch (how) {
	case RELOCK:
		return run_task(run, "eager", lock_twice, &mutex);
	case UNLOCK:
		mutex_lock(&mutex);
		return run_task(run, "stranger", unlock_anyway, &mutex) && mutex_unlock(&mutex) == HEDDLE_OK;
	case DESTROY:
		return run_task(run, "hasty", destroy_held, &mutex);
	case RELEASE:
		return run_task(run, "generous", release_too_many, NULL);
	case COUNT_DOWN:
		return run_task(run, "early", count_too_far_down, NULL);
	default:
		if (!run_task(run, "forgetful", lock_and_end, &mutex))
			return false;
		heddle_log("the next holder: %s", heddle_error_text(mutex_lock(&mutex)));
		return mutex_repair(&mutex) == HEDDLE_OK && mutex_unlock(&mutex) == HEDDLE_OK;
	}
}

static bool misuse_delegation(struct program_run *run, uint64_t how)
{
	switch (how) {
	case SWITCH_IN_SECTION:
		return run_task(run, "restless", switch_in_section, &delegation);
	case NEVER_CLOSE:
		return run_task(run, "open", never_close, &delegation);
	case CLOSE_TWICE:
		return run_task(run, "thorough", close_twice, &delegation);
	case DELEGATE_TOO_MUCH:
		return run_task(run, "talkative", delegate_too_much, &delegation);
	default:
		return run_task(run, "stranger", unlock_delegation, &delegation);
	}
}

static bool run(struct program_run *run)
{
	uint64_t end = heddle_clock() + program_value(run, "seconds") * 1000000000;
	uint64_t how = program_value(run, "how");
	switch (how) {
	case FAULT:
		return run_task(run, "faulty", write_nowhere, NULL);
	case OVERFLOW:
		return run_task(run, "deep", recurse, NULL);
	case DEADLOCK:
		return run_task(run, "forgotten", wait_for_nobody, NULL);
	case STUCK:
		return run_task(run, "stuck", stay_busy, &end);
	case YIELD:
		return run_task(run, "rude", yield_uncooperative, NULL);
	case END:
		return run_task(run, "confused", end_without_begin, NULL);
	case CIRCLE:
		return wait_in_circle();
	case KERNEL_FAULT:
		task_resume((struct task *)64); /* not a task: the fault is in Heddle's own code */
		return true;
	case DELETE_TWICE:
		return run_task(run, "generous", delete_wrongly, NULL);
	case DELETE_FOREIGN:
		return run_task(run, "generous", delete_wrongly, heddle_allocate(4096));
	case PANIC:
		panic("asked for by run=misbehave");
	default:
		return how < SWITCH_IN_SECTION ? misuse_lock(run, how) : misuse_delegation(run, how);
	}
}

#define CHOICES                                                                                  \
	"fault|overflow|deadlock|stuck|panic|kernel-fault|yield|end|relock|unlock|destroy|release|"  \
	"count-down|end-holding|circle|switch-in-section|never-close|close-twice|delegate-too-much|" \
	"unlock-delegation|delete-twice|delete-foreign"
#define HELP                                                                                               \
	"fault in a task, stack overflow, deadlock, no switch for a while, panic, fault in the kernel, "       \
	"yield in an uncooperative region, end of one that was not begun; lock a mutex twice, unlock "         \
	"another's, destroy a held one, release too many permits, count a latch too far down, end with a "     \
	"mutex held, two tasks that wait for each other's; switch in a delegated section, never close a "      \
	"buffer, close it twice, delegate too large a message, unlock another's lock with delegation; give a " \
	"small object back twice, or memory that is none"

static const struct program_parameter parameters[] = {
    {"how", .help = HELP, .choices = CHOICES},
    {"seconds", 25, 1, 1000, "how long stuck takes; reported if longer than watchdog="},
    {0}};

HEDDLE_PROGRAM(misbehave, "goes wrong on purpose, to show what is reported", parameters, run);
