/*
 * Tasks with whole stacks that overflow them: each ends with a report, and the others go on. With the word "marks"
 * the host's kernel behaves as before Linux 6.13, which had no guard marks.
 */
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <heddle/generator.h>
#include <heddle/mutex.h>
#include <heddle/semaphore.h>
#include <heddle/system.h>

#include "check.h"

#define TURNS         30
#define OTHERS        20
#define MANY          40000
#define MARKS         512
#define LARGE         32768
#define ENTRY         512 /* bytes in use where a task's function begins */
#define GUARD_INSTALL 102

static void refuse_marks(void)
{
	struct sock_filter filter[] = {
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_madvise, 0, 3),
	    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
	    BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, GUARD_INSTALL, 0, 1),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | 22),
	    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {sizeof(filter) / sizeof(*filter), filter};
	CHECK(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0);
	CHECK(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0);
	CHECK(madvise(NULL, 0, GUARD_INSTALL) != 0);
}

static enum heddle_error run_task(task_function function, void *argument, size_t stack_size, const char *name)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	struct task *task;
	options.stack_size = stack_size;
	options.name = name;
	CHECK(task_create(&task, function, argument, &options) == HEDDLE_OK);
	return task_join(task, NULL);
}

/* ------------------------------------------------------------------------------------------- others -- */

static volatile bool ends;

/* Watch that the task's own stack and arguments stay unchanged. */
static intptr_t look_on(void *argument)
{
	volatile uintptr_t marks[MARKS];
	for (uintptr_t i = 0; i < MARKS; i++)
		marks[i] = (uintptr_t)argument + i;
	while (!ends) {
		task_yield();
		for (uintptr_t i = 0; i < MARKS; i++)
			if (marks[i] != (uintptr_t)argument + i)
				return 1;
	}
	return 0;
}

static struct task *others[OTHERS];

static void others_start(void)
{
	ends = false;
	for (uintptr_t i = 0; i < OTHERS; i++)
		CHECK(task_create(&others[i], look_on, (void *)(i << 32), NULL) == HEDDLE_OK);
}

static void others_end(void)
{
	ends = true;
	for (int i = 0; i < OTHERS; i++) {
		intptr_t result = 1;
		CHECK(task_join(others[i], &result) == HEDDLE_OK && result == 0);
	}
}

/* ---------------------------------------------------------------------------------------- overflows -- */

__attribute__((noinline)) static intptr_t recurse(intptr_t levels)
{
	volatile char frame[100];
	frame[0] = (char)levels;
	return levels > 0 ? recurse(levels - 1) + frame[0] : 0;
}

static intptr_t recurse_for_ever(void *unused)
{
	(void)unused;
	return recurse(INTPTR_MAX);
}

/* Frames that a one-page guard would not stop: each is written first at its far end. */
__attribute__((noinline)) static intptr_t recurse_widely(intptr_t levels)
{
	volatile char frame[LARGE];
	frame[0] = (char)levels;
	return levels > 0 ? recurse_widely(levels - 1) + frame[0] : 0;
}

static intptr_t recurse_widely_for_ever(void *unused)
{
	(void)unused;
	return recurse_widely(INTPTR_MAX);
}

static void recurse_in_generator(struct generator_body *self, void *unused)
{
	(void)unused;
	generator_yield(self, 1);
	generator_yield(self, recurse(INTPTR_MAX));
}

static intptr_t resume_deep_generator(void *unused)
{
	struct generator generator;
	(void)unused;
	CHECK(generator_create(&generator, NULL, 0, recurse_in_generator, NULL) == HEDDLE_OK);
	CHECK(generator_resume(&generator) == HEDDLE_OK && generator_value(&generator) == 1);
	return generator_resume(&generator);
}

/* Calls Heddle at each level, which needs more than the frame: so the stack ends in Heddle's code. */
static struct mutex lock = HEDDLE_MUTEX_INITIALIZER;
static struct semaphore permits = HEDDLE_SEMAPHORE_INITIALIZER(1000000); /* a task that ends keeps one */
static void *volatile unused_word;

static void call_clock(void)
{
	heddle_clock();
}

static void call_lock(void)
{
	enum heddle_error error = mutex_lock(&lock);
	if (error == HEDDLE_OK || error == HEDDLE_OWNER_DIED)
		mutex_unlock(&lock);
}

static void call_semaphore(void)
{
	if (semaphore_acquire(&permits, 1) == HEDDLE_OK)
		semaphore_release(&permits, 1);
}

static void call_memory(void)
{
	heddle_free(heddle_allocate(4096), 4096);
}

static void call_resume(void)
{
	task_resume(task_current());
	task_suspend();
}

static void call_log(void)
{
	heddle_log("at a depth");
}

static void call_priority(void)
{
	task_set_priority(HEDDLE_PRIORITY_NORMAL);
	task_local_set(0, unused_word);
}

static void (*const calls[])(void) = {task_yield, call_clock,  call_lock,   call_semaphore,
                                      call_log,   call_memory, call_resume, call_priority};

#define CALLS (sizeof(calls) / sizeof(*calls))

__attribute__((noinline)) static intptr_t recurse_and_call(void (*call)(void), intptr_t levels)
{
	volatile intptr_t level = levels;
	call();
	return level > 0 ? recurse_and_call(call, level - 1) + level : 0;
}

static intptr_t recurse_and_call_for_ever(void *call)
{
	return recurse_and_call(*(void (*const *)(void))call, INTPTR_MAX);
}

static intptr_t overflow_in_calls(void *unused)
{
	(void)unused;
	others_start();
	for (int turn = 0; turn < TURNS; turn++)
		for (size_t i = 0; i < CALLS; i++)
			CHECK(run_task(recurse_and_call_for_ever, (void *)&calls[i], 4096 << turn % 3, "calling") ==
			      HEDDLE_TASK_FAULT);
	others_end();
	/* Nothing is still held. */
	enum heddle_error error = mutex_try_lock(&lock);
	CHECK(error == HEDDLE_OK || error == HEDDLE_OWNER_DIED);
	CHECK(mutex_unlock(&lock) == HEDDLE_OK);
	return 0;
}

static intptr_t overflow(void *unused)
{
	static const size_t sizes[] = {4096, 0, 65536, 1 << 20};
	others_start();
	for (int turn = 0; turn < TURNS; turn++)
		CHECK(run_task(recurse_for_ever, unused, sizes[turn % 4], "deep") == HEDDLE_TASK_FAULT);
	CHECK(run_task(recurse_widely_for_ever, unused, 0, "wide") == HEDDLE_TASK_FAULT);
	CHECK(run_task(resume_deep_generator, unused, 0, "yielding") == HEDDLE_TASK_FAULT);
	others_end();
	return 0;
}

/* ------------------------------------------------------------------------------------------- usable -- */

__attribute__((noinline)) static intptr_t use(size_t bytes)
{
	volatile char *frame = __builtin_alloca(bytes);
	for (size_t i = 0; i < bytes; i++)
		frame[i] = 1;
	return frame[bytes / 2];
}

static intptr_t use_all(void *size)
{
	return use((size_t)size - ENTRY);
}

static intptr_t all_is_usable(void *unused)
{
	(void)unused;
	for (size_t size = 4096; size <= 1 << 20; size *= 2)
		for (int turn = 0; turn < TURNS; turn++)
			CHECK(run_task(use_all, (void *)size, size, "using") == HEDDLE_OK);
	return 0;
}

/* --------------------------------------------------------------------------------------------- many -- */

static struct task *many[MANY];

static intptr_t wait_and_use(void *unused)
{
	(void)unused;
	CHECK(task_suspend() == HEDDLE_OK);
	return use(1000);
}

static intptr_t make_many(void *unused)
{
	struct task_options options = HEDDLE_TASK_OPTIONS;
	options.stack_size = 4096;
	for (int i = 0; i < MANY; i++)
		CHECK(task_create(&many[i], wait_and_use, unused, &options) == HEDDLE_OK);
	for (int i = 0; i < MANY; i++) {
		task_resume(many[i]);
		CHECK(task_join(many[i], NULL) == HEDDLE_OK);
	}
	return 0;
}

/* --------------------------------------------------------------------------------------------------- */

static void run(task_function function)
{
	/* Twice: what one machine leaves must not disturb the next. */
	for (int turn = 0; turn < 2; turn++) {
		intptr_t result = 1;
		CHECK(heddle_start("processors=2 fault=task") == HEDDLE_OK);
		CHECK(heddle_run(function, NULL, &result) == HEDDLE_OK && result == 0);
		CHECK(heddle_stop() == 0);
	}
}

static void run_overflow(void)
{
	run(overflow);
}

static void run_overflow_without_marks(void)
{
	refuse_marks();
	run(overflow);
}

static void run_calls(void)
{
	run(overflow_in_calls);
}

static void run_calls_without_marks(void)
{
	refuse_marks();
	run(overflow_in_calls);
}

static void run_usable(void)
{
	run(all_is_usable);
}

static void run_many(void)
{
	run(make_many);
}

static void run_many_without_marks(void)
{
	refuse_marks();
	run(make_many);
}

int main(int count, char **arguments)
{
	static const struct check_case cases[] = {{"overflow", run_overflow},
	                                          {"overflow-unmarked", run_overflow_without_marks},
	                                          {"calls", run_calls},
	                                          {"calls-unmarked", run_calls_without_marks},
	                                          {"usable", run_usable},
	                                          {"many", run_many},
	                                          {"many-unmarked", run_many_without_marks},
	                                          {0}};
	return check_main(cases, count, arguments);
}
