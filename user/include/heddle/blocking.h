/*
 * Waiting for the world, in a Linux process: files, sockets and functions that block. The task waits, and its
 * processor goes on with others. Threads of the program that are no processors may call these, too: they block.
 *
 * Blocking functions run on threads of the library, which are no processors: there they may call only what
 * heddle/host.h declares. Idle processors watch descriptors, with epoll; if all processors are busy with tasks that
 * are not switched, a thread does. These threads start with the first call and end in heddle_stop(), which waits for
 * functions that still run; tasks that wait at that time are left behind.
 */
#ifndef HEDDLE_BLOCKING_H
#define HEDDLE_BLOCKING_H

#include "heddle/task.h"

HEDDLE_GLOBAL_BEGIN

/* Run function(argument) on another thread, and wait until it has returned; *result (may be NULL) is its result.
 * Nothing ends this wait early, neither task_cancel() nor a deadline. Up to 64 functions run at once; more wait for
 * their turn. `errno` is that thread's: let the function return it. HEDDLE_NO_MEMORY: the host gives no thread or
 * descriptor. HEDDLE_BAD_ARGUMENT: no function. HEDDLE_UNCOOPERATIVE. */
HEDDLE_MAY_SWITCH enum heddle_error heddle_blocking(HEDDLE_SCOPE task_function function, void *argument,
                                                    intptr_t *result);

/* Wait until read() or accept(), or write() or the end of connect(), would not block. `deadline` is a time of
 * heddle_clock() (heddle/system.h), or HEDDLE_NO_DEADLINE; one in the past looks once, and does not wait. The wait may
 * end early, so set the descriptor to
 * O_NONBLOCK, and wait again when the call says EAGAIN. A descriptor that epoll does not support, such as a plain
 * file, is always ready. One task may wait to read while another waits to write.
 *
 * HEDDLE_TIMED_OUT; HEDDLE_CANCELLED; HEDDLE_UNCOOPERATIVE. HEDDLE_BAD_ARGUMENT: the descriptor is not open.
 * HEDDLE_IN_USE: another task waits for the same. HEDDLE_NO_MEMORY: the host gives no memory, thread or descriptor.
 * Do not close a descriptor that a task waits for: the task may wait for ever. */
HEDDLE_MAY_SWITCH enum heddle_error heddle_await_readable(int descriptor, uint64_t deadline);
HEDDLE_MAY_SWITCH enum heddle_error heddle_await_writable(int descriptor, uint64_t deadline);

HEDDLE_GLOBAL_END

#endif
