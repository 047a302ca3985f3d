/*
 * Heddle inside any Linux program (scheduler paper, section 3.3): link libheddle.a or libheddle.so with -pthread,
 * start the processors, hand in tasks, stop. The threads of the program are no processors: they may call only what is
 * declared here and in heddle/blocking.h. If they call another function while a machine runs, a message says so and
 * the process ends. There is one machine at a time; it can be started again after it was stopped.
 *
 * A panic ends the process, with its report on standard error.
 */
#ifndef HEDDLE_HOST_H
#define HEDDLE_HOST_H

#include "heddle/channel.h"
#include "heddle/event.h"
#include "heddle/future.h"
#include "heddle/scope.h"
#include "heddle/task.h"

HEDDLE_GLOBAL_BEGIN

/* The version of the running library, as "0.1.0"; HEDDLE_VERSION (heddle/version.h) is that of the headers that the
 * program was compiled with. */
const char *heddle_version(void);

/* Start the machine. `words` are those of the command line except run=, list and help: "processors=4 sched=local".
 * NULL or "" means the defaults: one processor for each that the host lets us use, or fewer where the control group of
 * the process grants less time. A fault in a task is the program's: its handler is called, or the process ends by the
 * signal; with "fault=task" only the task ends, with a report in the log. HEDDLE_BAD_ARGUMENT: a word is not
 * allowed; the machine runs already; or the program has code compiled with the plugin that cannot switch here, because
 * the program is linked with the shared library, or because the plugin was of another version (a message on standard
 * error says which). HEDDLE_NO_MEMORY: the host gives no memory or thread. */
enum heddle_error heddle_start(const char *words);

/* Make a task that runs function(argument); the calling thread blocks until it has ended. *result (may be NULL) is
 * the function's result. HEDDLE_NO_MEMORY: no task could be made. HEDDLE_STOPPED: the machine does not run.
 * HEDDLE_TASK_FAULT: the task ended by a fault, with "fault=task". If the task waits for ever, so does this, and no
 * deadlock is reported: a task handed in later might still resume it. */
enum heddle_error heddle_run(HEDDLE_SCOPE task_function function, void *argument, intptr_t *result);

/* The same with the options of task_create(), except `detached`. If they leave the stack's size open, it is
 * HEDDLE_RUN_STACK bytes, as with heddle_run(). HEDDLE_BAD_ARGUMENT: the options are not allowed. */
#define HEDDLE_RUN_STACK ((size_t)65536)
enum heddle_error heddle_run_with(HEDDLE_SCOPE task_function function, void *argument,
                                  const struct HEDDLE_SCOPE task_options *options, intptr_t *result);

/* The task that calls; NULL: a thread of the program does. */
struct HEDDLE_SCOPE task *heddle_calling_task(void);

/* Tasks and threads of the program may call the following functions. A thread has a task do the work, and blocks until
 * that is done. HEDDLE_NO_MEMORY: as of heddle_run(). HEDDLE_STOPPED: the machine does not run; or it was stopped while
 * the thread waited, and nothing was done. */

/* Make a detached task. `options` as for task_create(), NULL for the defaults. Returns when the task is made. */
HEDDLE_MAY_SWITCH enum heddle_error heddle_spawn(HEDDLE_SCOPE task_function function, void *argument,
                                                 const struct HEDDLE_SCOPE task_options *options);

#ifdef HEDDLE_STACKS_GROW
static inline enum heddle_error heddle_spawn_as_compiled(HEDDLE_SCOPE task_function function, void *argument,
                                                         const struct HEDDLE_SCOPE task_options *options)
{
	struct HEDDLE_SCOPE task_options room;
	return heddle_spawn(function, argument, HEDDLE_SCOPE task_options_as_compiled(options, &room));
}
#	define heddle_spawn heddle_spawn_as_compiled

static inline enum heddle_error heddle_run_as_compiled(HEDDLE_SCOPE task_function function, void *argument,
                                                       const struct HEDDLE_SCOPE task_options *options,
                                                       intptr_t *result)
{
	struct HEDDLE_SCOPE task_options room;
	return heddle_run_with(function, argument, HEDDLE_SCOPE task_options_as_compiled(options, &room), result);
}
#	define heddle_run_with heddle_run_as_compiled
#endif

/* channel_send(), channel_receive() (heddle/channel.h), event_set(), event_wait() (heddle/event.h), future_set(),
 * future_wait() (heddle/future.h), with their results. */
HEDDLE_MAY_SWITCH enum heddle_error heddle_channel_send(struct HEDDLE_SCOPE channel *channel,
                                                        const void *message);
HEDDLE_MAY_SWITCH enum heddle_error heddle_channel_receive(struct HEDDLE_SCOPE channel *channel,
                                                           void *message);
HEDDLE_MAY_SWITCH enum heddle_error heddle_event_set(struct HEDDLE_SCOPE event *event);
HEDDLE_MAY_SWITCH enum heddle_error heddle_event_wait(struct HEDDLE_SCOPE event *event);
HEDDLE_MAY_SWITCH enum heddle_error heddle_future_set(struct HEDDLE_C_SCOPE future *future, intptr_t value);
HEDDLE_MAY_SWITCH enum heddle_error heddle_future_wait(struct HEDDLE_C_SCOPE future *future);

/* Write to standard error what each task does or waits for, circles of tasks that wait for each other, and where each
 * processor is; everything goes on. HEDDLE_TIMED_OUT: no processor switched tasks within a second, so only the
 * processors were asked; the tasks are written when one does. HEDDLE_BUSY: another thread has asked already. */
enum heddle_error heddle_report(void);

/* Wait until every heddle_run() has returned and no task runs or is ready, then stop all processors and free
 * everything. Tasks that still wait are dropped where they are, and threads that wait for a channel, event or future by
 * the functions above get HEDDLE_STOPPED. Returns the number of such tasks, 0 after a clean end, -1 if the machine was
 * not running. A task that never ends and never waits keeps this from returning. */
int heddle_stop(void);

HEDDLE_GLOBAL_END

#endif
