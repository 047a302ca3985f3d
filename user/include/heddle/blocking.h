/*
 * Waiting for the world, in a Linux process: files, sockets and functions that block. The task waits, and its processor
 * goes on with others. Also for threads of the program that are no processors: these block.
 *
 * What blocks runs on threads of the library, which are no processors: it may call of Heddle what heddle/host.h
 * declares. Descriptors are watched by idle processors, with epoll; by a thread where all are busy with tasks that are
 * not switched. These threads start with the first call, and end in heddle_stop(), which waits for the functions that
 * still run; the tasks that wait then are left behind.
 */
#ifndef HEDDLE_BLOCKING_H
#define HEDDLE_BLOCKING_H

#include "heddle/task.h"

HEDDLE_GLOBAL_BEGIN

/* Run function(argument) on another thread, and wait until it has returned; *result (may be NULL) is what it returned.
 * Nothing ends this wait earlier, neither task_cancel() nor a deadline. Up to 64 functions run at once, more wait for
 * their turn. `errno` is that thread's: return what it says. HEDDLE_NO_MEMORY: the host gives no thread or descriptor.
 * HEDDLE_BAD_ARGUMENT: no function. HEDDLE_UNCOOPERATIVE. */
HEDDLE_MAY_SWITCH enum heddle_error heddle_blocking(HEDDLE_SCOPE task_function function, void *argument,
                                                    intptr_t *result);

/* Wait until read() or accept(), or write() or the end of connect(), would not block; a time of heddle_clock()
 * (heddle/system.h) ends the wait, or HEDDLE_NO_DEADLINE. It may return earlier than that, so set the descriptor to
 * O_NONBLOCK, and come back where the call says EAGAIN. Of one that epoll does not know, such as a plain file, both are
 * always true. One task may wait to read and one to write at the same time.
 *
 * HEDDLE_TIMED_OUT; HEDDLE_CANCELLED; HEDDLE_UNCOOPERATIVE. HEDDLE_BAD_ARGUMENT: it is not open. HEDDLE_IN_USE:
 * another task waits for the same. HEDDLE_NO_MEMORY: the host gives none, or no thread or descriptor for this.
 * Close no descriptor that a task waits for: it may wait for ever. */
HEDDLE_MAY_SWITCH enum heddle_error heddle_await_readable(int descriptor, uint64_t deadline);
HEDDLE_MAY_SWITCH enum heddle_error heddle_await_writable(int descriptor, uint64_t deadline);

HEDDLE_GLOBAL_END

#endif
