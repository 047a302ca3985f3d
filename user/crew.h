/*
 * A crew: tasks that run one function, each with its own number, start together and are joined together.
 *
 *     struct crew crew = {.name = "switch", .function = yield_repeatedly, .argument = &rounds, .count = 10};
 *     enum heddle_error error = crew_create(&crew);
 *     ...
 *     crew_start(&crew);
 *     error = crew_join(&crew, &sum);
 *
 * One task owns the crew: only that task calls crew_create, crew_start and crew_join, in this order. Members wait for
 * an event until crew_start.
 */
#ifndef USER_CREW_H
#define USER_CREW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "heddle/event.h"
#include "heddle/scope.h"
#include "heddle/task.h"

HEDDLE_GLOBAL_BEGIN

struct crew_member;

struct crew {
	/* set by the owner; all except function and count may be zero */
	const char *name;
	intptr_t (*function)(size_t number, void *argument);
	void *argument;
	size_t count;
	size_t stack_size;   /* as in struct task_options */
	bool bound;          /* member i is bound to processor i modulo `processors` */
	unsigned processors; /* 0: all */
	/* the crew's own */
	uint64_t
	    started_at; /* when crew_start() was called, in heddle_clock()'s nanoseconds; for the members too */
	struct crew_member *members;
	struct HEDDLE_SCOPE event begin;
	bool cancelled;
};

/* Make the tasks. On an error there is no crew, and nothing to undo. */
enum heddle_error crew_create_of(struct crew *crew, bool grows);
#define crew_create(crew) crew_create_of(crew, HEDDLE_TASK_GROWS == HEDDLE_TASK_STACK_GROWS)

/* Let the members run. They see everything that the owner wrote before. */
void crew_start(struct crew *crew);

/* Wait until all members have ended, and free their memory; *sum is the sum of their functions' results.
 * HEDDLE_TASK_FAULT: at least one ended by a fault. */
enum heddle_error crew_join(struct crew *crew, intptr_t *sum);

/* The task of a member, for task_resume(). Valid until crew_join(). */
struct HEDDLE_SCOPE task *crew_task(const struct crew *crew, size_t number);

HEDDLE_GLOBAL_END

#endif
