/*
 * An event instead of Heddle's (user/include/heddle/event.h): a word that threads wait for in the kernel, with a
 * futex. Pthreads have no events, and with a condition all waiting threads would queue for its mutex again.
 *
 * | operation  | progress                 | takes effect           |
 * |------------|--------------------------|------------------------|
 * | event_set  | wait-free                | at the store of `set`  |
 * | event_wait | blocks until it is set   | when it sees `set`     |
 */
#ifndef HEDDLE_EVENT_H
#define HEDDLE_EVENT_H

#include "heddle/lock.h"

struct event {
	_Atomic uint32_t set; /* 0 or 1 */
};
#define HEDDLE_EVENT_INITIALIZER \
	{                            \
		0                        \
	}

enum heddle_error event_set(struct event *event);
enum heddle_error event_wait(struct event *event);

#endif
