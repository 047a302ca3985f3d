/*
 * What the programs here share. A case is a function that many tasks run at once, each with its own number, and that
 * returns whether everything was right. It calls linger() where another task should run in between: where tasks may
 * be switched away, some must be.
 */
#ifndef TOOLS_CHECKS_ORDINARY_CASES_H
#define TOOLS_CHECKS_ORDINARY_CASES_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <heddle/host.h>
#include <heddle/system.h>

#ifdef __cplusplus
using namespace heddle;
#endif

#define TASKS      24
#define TURNS      60
#define ROUNDS     5
#define STACK      ((size_t)1 << 18)
#define PROCESSORS 64 /* at most */

enum meeting { MEETS, STAYS }; /* STAYS: the task holds something, or others may wait for it */

struct test_case {
	const char *name;
	bool (*run)(unsigned number);
	enum meeting meeting;
};

#ifdef WITHOUT_HEDDLE
#	define heddle_processor() 0
#endif

static volatile unsigned last_here[PROCESSORS];
static volatile bool met;

/* Only a task that is switched away leaves its processor to another one, or goes on elsewhere. */
static inline void linger(unsigned number)
{
	unsigned here = heddle_processor();
	last_here[here] = number;
	for (volatile unsigned turn = 0; turn < TURNS;)
		turn = turn + 1;
	if (heddle_processor() != here || last_here[here] != number)
		met = true;
}

static inline bool is_right(const struct test_case *done, unsigned right, unsigned of)
{
	bool alone = of == 1;
	printf("%s: %u of %u right\n", done->name, right, of);
	if (!alone && done->meeting == MEETS && !met)
		printf("%s: no task was switched away\n", done->name);
	fflush(stdout);
	return right == of && (alone || done->meeting == STAYS || met);
}

#ifdef WITHOUT_HEDDLE
/* An ordinary program, which is not linked with anything. */
static inline int cases_main(const struct test_case *cases, int count, char **arguments)
{
	bool ok = true;
	(void)count, (void)arguments;
	for (; cases->name; cases++)
		ok &= is_right(cases, cases->run(0), 1);
	return !ok;
}
#else
struct job {
	const struct test_case *test;
	unsigned number;
};

static volatile bool all_are_there;

static inline intptr_t job_run(void *argument)
{
	const struct job *job = (const struct job *)argument;
	while (!all_are_there)
		task_yield();
	return job->test->run(job->number);
}

static inline unsigned case_run(const struct test_case *test)
{
	struct task *tasks[TASKS];
	struct job jobs[TASKS];
	struct task_options options = HEDDLE_TASK_OPTIONS;
	unsigned right = 0, made = 0;
	intptr_t result;
	options.stack_size = STACK;
	met = all_are_there = false;
	for (; made < TASKS; made++) {
		jobs[made].test = test;
		jobs[made].number = made;
		/* The others may each have a processor of their own, and then no other task is ready there. */
		options.bound = made % 2;
		if (task_create(&tasks[made], job_run, &jobs[made], &options) != HEDDLE_OK)
			break;
	}
	all_are_there = true;
	for (unsigned i = 0; i < made; i++)
		right += task_join(tasks[i], &result) == HEDDLE_OK && result;
	return right;
}

static inline intptr_t cases_run(void *argument)
{
	bool ok = true;
	for (const struct test_case *test = (const struct test_case *)argument; test->name; test++)
		ok &= is_right(test, case_run(test), TASKS);
	return ok;
}

/* The first argument has the words to start the machine with. */
static inline int cases_main(const struct test_case *cases, int count, char **arguments)
{
	intptr_t ok = false;
	static char words[256];
	snprintf(words, sizeof(words), "fault=task %s", count > 1 ? arguments[1] : "");
	if (heddle_start(words) != HEDDLE_OK || heddle_run(cases_run, (void *)cases, &ok) != HEDDLE_OK)
		return 1;
	return heddle_stop() != 0 || !ok;
}
#endif

#endif
